// The format of the journal file: a ring of events that are accepted but not yet in every event
// file. The file is mapped into the recording process. docs/durability.md explains it. The byte
// order is the machine's own: a journal is completed where it was made, or on a machine of the same
// kind.
//
//   file  := header (kJournalRingOffset bytes) ring (ring_bytes)
//   ring  := entry*          at positions that only grow; position p is at byte p mod ring_bytes
//   entry := EntryHeader body (journal_entry.h)              a multiple of 8 bytes
//
// This is written to disk. Every change must raise kJournalVersion; a writer completes only
// journals of its own version.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sightline {

inline constexpr char kJournalMagic[8] = {'S', 'L', 'J', 'O', 'U', 'R', 'N', '\n'};
inline constexpr std::uint32_t kJournalVersion = 3;

// A journal's name is ".sightline-journal-<session id>", with ".tmp" added while it is being made.
// It contains neither "tfevents" nor "summary.<digit>", so TensorBoard and MindInsight never take a
// journal for an event file.
inline constexpr char kJournalPrefix[] = ".sightline-journal-";
inline constexpr char kJournalTemporarySuffix[] = ".tmp";

inline constexpr std::size_t kMaxSinks = 4;
inline constexpr std::size_t kMaxManifestBytes = std::size_t{12} * 1024;
inline constexpr std::size_t kMaxFileNameBytes = 256;  // With the terminating zero.

// The ring begins at a multiple of every page size in use, so that it can be mapped by itself.
inline constexpr std::size_t kJournalRingOffset = std::size_t{64} * 1024;

// No recorder makes a larger ring. A forged journal may be a file with a hole of any size.
inline constexpr std::uint64_t kMaxRingBytes = std::uint64_t{1} << 31;

// The kernel writes the file to the disk in pieces of this size.
inline constexpr std::size_t kJournalPageBytes = 4096;

// How far one sink got. Everything before (position, sequence) is in its files, in the current one
// up to file_offset. If whole records come after that, a replay keeps them and writes only what is
// missing (kept_records.h).
struct SinkProgress {
  std::uint64_t position = 0;     // Ring position of the next entry to take.
  std::uint64_t sequence = 0;     // The sequence number of that entry.
  std::uint64_t file_offset = 0;  // Where the current file's last whole event ends.
  std::uint64_t file_digits = 0;  // The number in the current file's name.
  std::uint32_t segment = 0;      // The number of files of this sink so far.
  std::uint32_t stopped = 0;      // 1: the file is full, and no other follows (OnFileFull::kStop).
  // May be the name of the file before the newest, since a file gets its name before the slot is
  // changed.
  char file_name[kMaxFileNameBytes] = {};
};

// Two copies of a sink's progress. To update it, the sink writes the half that `generation` does
// not name, and then raises `generation`. So a kill at any instruction leaves the old or the new
// state. Other processes may read it meanwhile.
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
  char machine_id[32] = {};  // Where the journal was made (host.h); zeros if not known.
  char boot_id[32] = {};
  std::uint32_t sink_count = 0;
  std::uint32_t manifest_bytes = 0;
  char manifest[kMaxManifestBytes] = {};  // JSON that a replay needs (run_config.h).

  // The position after the last reserved entry. It is stored after that entry's size, so that the
  // entries before it can always be walked. It is on one page with the slots: a power loss may
  // leave each page from a different moment, but head and slots still fit together.
  alignas(kJournalPageBytes) std::atomic<std::uint64_t> head{0};
  alignas(64) SinkSlot sinks[kMaxSinks];

  // 1 once a replay has taken the journal over: its lock is not held by a recorder from then on.
  // Zero in journals of programs that did not know this field.
  std::atomic<std::uint32_t> adopted{0};
};
static_assert(sizeof(JournalHeader) <= kJournalRingOffset);
static_assert(offsetof(JournalHeader, sinks) + sizeof(JournalHeader::sinks) <=
              offsetof(JournalHeader, head) + kJournalPageBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

struct EntryHeader {
  // 0 while the entry is being filled, then its sequence number + 1. Bytes of an earlier lap never
  // equal that number.
  std::atomic<std::uint64_t> commit;
  std::uint32_t size;  // Bytes of the whole entry.
  // CRC32C of the body. It is needed since the pages of a ring may be of any age after a power
  // loss.
  std::uint32_t checksum;
};
static_assert(sizeof(EntryHeader) == 16);

inline constexpr std::size_t kEntryAlignment = 8;

constexpr std::size_t AlignEntry(std::size_t size) {
  return (size + kEntryAlignment - 1) & ~(kEntryAlignment - 1);
}

}  // namespace sightline
