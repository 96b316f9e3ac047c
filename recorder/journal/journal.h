// Journal: the bounded buffer between recording calls and the writer, kept in a memory-mapped file
// so that a killed process leaves behind everything it had accepted. Format: journal_format.h.
//
// Threads: Reserve and Commit from any thread; everything named "writer's" from one thread at a
// time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sightline/base/spin_lock.h"
#include "sightline/base/status.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/journal/journal_map.h"

namespace sightline {

class Journal {
 public:
  // An entry that the caller fills: `body` is where it goes, then Commit.
  struct Reservation {
    EntryHeader* entry = nullptr;  // nullptr: no room.
    std::span<char> body;
    std::uint64_t sequence = 0;
    bool wake_writer = false;  // The writer sleeps and must be woken after Commit.
  };

  // A committed entry; the body lies in the ring until the writer releases it.
  struct Entry {
    std::string_view body;
    std::uint32_t checksum = 0;  // CRC32C of the body, as its caller computed it.
    std::uint64_t sequence = 0;
    std::uint64_t end = 0;  // Position after it.
  };

  enum class WriterState : std::uint8_t {
    kAwake,
    kIdle,     // Woken by the next entry.
    kNapping,  // Wakes by itself; woken early when many bytes wait.
    kDozing,   // Wakes by itself; woken early only when a caller finds no room.
  };

  explicit Journal(std::unique_ptr<JournalMap> map);

  // Values and bytes of the entries granted, as the callers gave them.
  struct Tally {
    std::uint64_t entries = 0;
    std::uint64_t values = 0;
    std::uint64_t bytes = 0;
  };

  // Room for `body_bytes` (granted rounded up to 8; REQUIRES: at most MaxBodyBytes()), or none:
  // then `entry` is null and the caller waits, drops or writes through. Sequence numbers are given
  // in the order of calls. One short critical section, no system call. `values` and `bytes` are
  // added to the tally when granted.
  Reservation Reserve(std::size_t body_bytes, std::uint64_t values, std::uint64_t bytes);
  // Whether a body of about so many bytes would now be granted, or refused at once because the
  // journal is sealed. Takes no lock.
  bool HasRoom(std::size_t body_bytes) const;
  // From now on Reserve grants nothing.
  void Seal();
  bool sealed() const { return sealed_.load(std::memory_order_acquire); }
  Tally tally() const;
  // Makes the entry valid. The body must be filled, `checksum` is its CRC32C; after this call it
  // belongs to the writer.
  static void Commit(const Reservation& reservation, std::uint32_t checksum);

  // The largest body that Reserve can ever grant.
  std::size_t MaxBodyBytes() const;
  std::uint64_t head() const { return header().head.load(std::memory_order_acquire); }

  // --- The writer's side ---

  enum class Peek {
    kEntry,
    kEmpty,     // `position` is the head.
    kInFlight,  // Reserved, not yet committed: its caller is filling it, or died doing so. `end` is
                // valid.
    kDamaged,   // The bytes cannot be walked on; only after a power loss.
  };
  // The same for an entry that lies at `at`, be it in a ring or in a copy of one.
  static Peek Inspect(const EntryHeader& at, std::uint64_t position, std::uint64_t sequence,
                      std::uint64_t head, Entry& entry);
  // The entry at `position`, whose sequence number must be `sequence`. `head`: a value of head()
  // from before; it is not read for every entry, since callers write it for every entry.
  Peek PeekAt(std::uint64_t position, std::uint64_t sequence, std::uint64_t head,
              Entry& entry) const;
  // Whether the entry's checksum holds: asked of a journal that another process left.
  static bool Intact(const Entry& entry);

  // Entries before `position` may be overwritten.
  void Release(std::uint64_t position);

  // Announces that the writer will sleep; false when it must not: with something after `position`
  // for kIdle, with more than wake_bytes after it for kNapping.
  bool TrySleep(WriterState state, std::uint64_t position);
  void Awake();
  // Bytes that may wait before a napping writer is woken.
  void set_wake_bytes(std::uint64_t bytes) { wake_bytes_ = bytes; }

  SinkProgress LoadProgress(std::size_t sink) const;
  void StoreProgress(std::size_t sink, const SinkProgress& progress);

  const JournalHeader& header() const { return *map_->header(); }
  bool kill_safe() const { return map_->kill_safe(); }
  JournalMap& map() { return *map_; }

 private:
  EntryHeader* At(std::uint64_t position) const {
    return reinterpret_cast<EntryHeader*>(map_->ring() + position % ring_bytes_);
  }

  std::unique_ptr<JournalMap> map_;
  const std::uint64_t ring_bytes_;

  // Written by callers under the lock; kept apart from what the writer writes.
  alignas(64) mutable SpinLock lock_;
  WriterState writer_ = WriterState::kAwake;
  std::uint64_t head_ = 0;
  Tally tally_;  // The next sequence number is its count of entries.
  std::uint64_t tail_seen_ = 0;
  std::uint64_t wake_bytes_ = std::uint64_t{1} << 20;

  alignas(64) std::atomic<std::uint64_t> tail_{0};
  std::atomic<bool> sealed_{false};
};

}  // namespace sightline
