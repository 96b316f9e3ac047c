// The journal file: a ring of recorded events that are accepted but not yet in every event file,
// mapped into the recording process. Documented in docs/durability.md. Native byte order: a
// journal is completed where it was made, or on a machine of the same kind.
//
//   file := header (kJournalRingOffset bytes) ring (ring_bytes)
//   ring := entry*, at logical positions that only grow; byte p of the ring lies at p mod
//   ring_bytes entry := EntryHeader, body (journal_entry.h); a multiple of 8 bytes
//
// Values here are written to disk. A change raises kJournalVersion; a writer completes only
// journals of its own version.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sightline {

inline constexpr char kJournalMagic[8] = {'S', 'L', 'J', 'O', 'U', 'R', 'N', '\n'};
inline constexpr std::uint32_t kJournalVersion = 3;

// ".sightline-journal-<session id>", and the same with ".tmp" while it is made. Names hold neither
// "tfevents" nor "summary.<digit>", so the peers never take a journal for an event file.
inline constexpr char kJournalPrefix[] = ".sightline-journal-";
inline constexpr char kJournalTemporarySuffix[] = ".tmp";

inline constexpr std::size_t kMaxSinks = 4;
inline constexpr std::size_t kMaxManifestBytes = std::size_t{12} * 1024;
inline constexpr std::size_t kMaxFileNameBytes = 256;  // With the terminating zero.

// The ring begins at a multiple of every page size in use, so that it can be mapped by itself.
inline constexpr std::size_t kJournalRingOffset = std::size_t{64} * 1024;

// More than any recorder makes: a forged journal may be a file with a hole of any size.
inline constexpr std::uint64_t kMaxRingBytes = std::uint64_t{1} << 31;

// What the kernel writes to a disk in one piece.
inline constexpr std::size_t kJournalPageBytes = 4096;

// How far one sink got. Everything before (position, sequence) is in the file up to file_offset;
// what lies in the file after that is overwritten with the same bytes when a killed recorder's
// journal is replayed.
struct SinkProgress {
  std::uint64_t position = 0;     // Ring position of the next entry to take.
  std::uint64_t sequence = 0;     // Its sequence number.
  std::uint64_t file_offset = 0;  // Bytes of the current file that are complete.
  std::uint64_t file_digits = 0;  // The number in the current file's name.
  std::uint32_t segment = 0;      // Files of this sink so far; 0: none yet.
  std::uint32_t stopped = 0;      // 1: full, and max_file_size says stop.
  // May be that of the file before the newest: a file gets its name before the slot learns of it.
  char file_name[kMaxFileNameBytes] = {};
};

// Updated in a way that a kill at any instruction leaves the old or the new state: the half that
// `generation` does not name is written, then generation is raised. Other processes read it while
// it is written.
struct SinkSlot {
  std::atomic<std::uint64_t> generation{0};  // The valid half is generation & 1.
  SinkProgress half[2];
};

struct JournalHeader {
  char magic[8] = {};
  std::uint32_t version = 0;
  std::uint32_t checksum = 0;  // CRC32C of the fields below up to and including the manifest.
  std::uint64_t ring_bytes = 0;
  char session_id[32] = {};
  char machine_id[32] = {};  // Where it was made (host.h); zeros where that is not known.
  char boot_id[32] = {};
  std::uint32_t sink_count = 0;
  std::uint32_t manifest_bytes = 0;
  char manifest[kMaxManifestBytes] = {};  // JSON: what a replay needs to know (run_config.h).

  // The position after the last reserved entry. Stored after that entry's size, so that what lies
  // before it can always be walked. On one page with the slots: after a power loss, which may leave
  // each page as it was at another time, they still fit together.
  alignas(kJournalPageBytes) std::atomic<std::uint64_t> head{0};
  alignas(64) SinkSlot sinks[kMaxSinks];

  // 1 once a replay has taken the journal over: who holds its lock from then on is no recorder.
  // Zero in journals of programs that did not know this field.
  std::atomic<std::uint32_t> adopted{0};
};
static_assert(sizeof(JournalHeader) <= kJournalRingOffset);
static_assert(offsetof(JournalHeader, sinks) + sizeof(JournalHeader::sinks) <=
              offsetof(JournalHeader, head) + kJournalPageBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

struct EntryHeader {
  // 0 while the entry is filled; its sequence number + 1 once it is whole. What an earlier lap left
  // at the same place never equals that.
  std::atomic<std::uint64_t> commit;
  std::uint32_t size;  // Of the whole entry.
  std::uint32_t
      checksum;  // CRC32C of the body: after a power loss the pages of a ring may be of any age.
};
static_assert(sizeof(EntryHeader) == 16);

inline constexpr std::size_t kEntryAlignment = 8;

constexpr std::size_t AlignEntry(std::size_t size) {
  return (size + kEntryAlignment - 1) & ~(kEntryAlignment - 1);
}

}  // namespace sightline
