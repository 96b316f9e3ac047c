// Journal: the bounded buffer between recording calls and the writer. It is a memory-mapped file,
// so that everything a process has accepted is still there after the process is killed. Format:
// journal_format.h.
//
// Threads: any thread may call the functions for callers; one thread at a time those of the writer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/journal/spin_lock.h"

namespace sightline {

class Journal {
 public:
  // An entry that the caller must fill (`body`) and then Commit.
  struct Reservation {
    EntryHeader* entry = nullptr;  // nullptr: there is no room.
    std::span<char> body;
    std::uint64_t sequence = 0;
    bool wake_writer = false;  // The writer sleeps and must be woken after Commit.
  };

  // A committed entry. Its body stays in the ring until the writer releases it.
  struct Entry {
    std::string_view body;
    std::uint32_t checksum = 0;  // CRC32C of the body, as its caller computed it.
    std::uint64_t sequence = 0;
    std::uint64_t end = 0;  // The position after the entry.
  };

  enum class WriterState : std::uint8_t {
    kAwake,
    kIdle,     // The next entry wakes it.
    kNapping,  // It wakes by itself, or early if many bytes wait.
    kDozing,   // It wakes by itself, or early only if a caller finds no room.
  };

  explicit Journal(std::unique_ptr<JournalMap> map);

  // Counts the granted entries, and the values and bytes that their callers passed to Reserve.
  struct Tally {
    std::uint64_t entries = 0;
    std::uint64_t values = 0;
    std::uint64_t bytes = 0;
  };

  // Reserves room for `body_bytes`, rounded up to a multiple of 8. If there is none, `entry` is
  // null, and the caller waits for room or drops its values. Sequence numbers are in the order of
  // the calls. One short critical section, no system call. If room is granted, `values` and `bytes`
  // are added to the tally. REQUIRES: body_bytes <= MaxBodyBytes().
  Reservation Reserve(std::size_t body_bytes, std::uint64_t values, std::uint64_t bytes);
  // Whether a caller of Reserve would not have to wait now: there is room for a body of about so
  // many bytes, or the journal is sealed. Takes no lock.
  bool HasRoom(std::size_t body_bytes) const;
  // After this, Reserve grants nothing.
  void Seal();
  bool sealed() const { return sealed_.load(std::memory_order_acquire); }
  Tally tally() const;
  // Makes the entry valid, and hands it to the writer. `checksum` is the CRC32C of the body.
  // REQUIRES: the body is filled.
  static void Commit(const Reservation& reservation, std::uint32_t checksum);

  // The largest body that Reserve can ever grant.
  std::size_t MaxBodyBytes() const;
  std::uint64_t head() const { return header().head.load(std::memory_order_acquire); }

  // --- For the writer ---

  enum class Peek {
    kEntry,
    kEmpty,     // `position` is the head.
    kInFlight,  // The entry is reserved but not committed: its caller is filling it, or died before
                // it was full. `end` is valid.
    kDamaged,   // The entry has no valid end. Only after a power loss, or in a damaged file.
  };
  // Like PeekAt, for an entry at `at`, in a ring or in a copy of one.
  static Peek Inspect(const EntryHeader& at, std::uint64_t position, std::uint64_t sequence,
                      std::uint64_t head, Entry& entry);
  // Gets the entry at `position`, whose sequence number must be `sequence`. `head`: an earlier
  // value of head(). It is not read here, since callers write it for every entry.
  Peek PeekAt(std::uint64_t position, std::uint64_t sequence, std::uint64_t head,
              Entry& entry) const;
  // Whether the entry matches its checksum; for a journal that another process left.
  static bool Intact(const Entry& entry);

  // Allows entries before `position` to be overwritten.
  void Release(std::uint64_t position);

  // Announces that the writer will sleep. Returns false if it must not: for kIdle, if anything
  // waits after `position`; for kNapping, if more than wake_bytes wait there.
  bool TrySleep(WriterState state, std::uint64_t position);
  void Awake();
  // How many bytes may wait before a napping writer is woken.
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

  // Callers write these under the lock. The fields of the writer are on another cache line.
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
