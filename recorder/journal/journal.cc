#include "sightline/recorder/journal/journal.h"

#include <algorithm>
#include <mutex>

#include "sightline/base/crc32c.h"

namespace sightline {

Journal::Journal(std::unique_ptr<JournalMap> map)
    : map_(std::move(map)),
      ring_bytes_(map_->ring_bytes()),
      head_(header().head.load(std::memory_order_relaxed)) {}

std::size_t Journal::MaxBodyBytes() const { return ring_bytes_ / 2 - sizeof(EntryHeader); }

bool Journal::HasRoom(std::size_t body_bytes) const {
  // At least as much as the headers of an entry with a few values take.
  constexpr std::size_t kHeaders = 1024;
  const std::uint64_t used = head() - tail_.load(std::memory_order_relaxed);
  return used + kHeaders + body_bytes <= ring_bytes_ || sealed();
}

Journal::Reservation Journal::Reserve(std::size_t body_bytes, std::uint64_t values,
                                      std::uint64_t bytes) {
  const std::size_t size = AlignEntry(sizeof(EntryHeader) + body_bytes);
  Reservation reservation;
  const std::lock_guard guard(lock_);
  if (sealed_.load(std::memory_order_relaxed)) return reservation;
  if (head_ + size - tail_seen_ > ring_bytes_) {
    // Sequentially consistent with Release and with the count of waiting callers, so that no
    // wake-up is missed.
    tail_seen_ = tail_.load(std::memory_order_seq_cst);
    if (head_ + size - tail_seen_ > ring_bytes_) {
      if (writer_ != WriterState::kAwake) {
        writer_ = WriterState::kAwake;
        reservation.wake_writer = true;
      }
      return reservation;
    }
  }
  EntryHeader* entry = At(head_);
  // Whoever reads the journal of a killed process relies on the order of these stores: before an
  // entry can be reached (head), it is marked as unfinished (commit) and its end is known (size).
  entry->commit.store(0, std::memory_order_relaxed);
  entry->size = static_cast<std::uint32_t>(size);
  head_ += size;
  map_->header()->head.store(head_, std::memory_order_release);
  reservation.entry = entry;
  reservation.body =
      std::span<char>(reinterpret_cast<char*>(entry + 1), size - sizeof(EntryHeader));
  reservation.sequence = tally_.entries++;
  tally_.values += values;
  tally_.bytes += bytes;
  const bool wake = writer_ == WriterState::kIdle ||
                    (writer_ == WriterState::kNapping &&
                     head_ - tail_.load(std::memory_order_relaxed) > wake_bytes_);
  if (wake) {
    writer_ = WriterState::kAwake;
    reservation.wake_writer = true;
  }
  return reservation;
}

void Journal::Seal() {
  const std::lock_guard guard(lock_);
  sealed_.store(true, std::memory_order_release);
}

Journal::Tally Journal::tally() const {
  const std::lock_guard guard(lock_);
  return tally_;
}

void Journal::Commit(const Reservation& reservation, std::uint32_t checksum) {
  EntryHeader* entry = reservation.entry;
  entry->checksum = checksum;
  entry->commit.store(reservation.sequence + 1, std::memory_order_release);
}

Journal::Peek Journal::PeekAt(std::uint64_t position, std::uint64_t sequence, std::uint64_t head,
                              Entry& entry) const {
  return position == head ? Peek::kEmpty : Inspect(*At(position), position, sequence, head, entry);
}

Journal::Peek Journal::Inspect(const EntryHeader& at, std::uint64_t position,
                               std::uint64_t sequence, std::uint64_t head, Entry& entry) {
  const std::uint32_t size = at.size;
  if (size < sizeof(EntryHeader) || size % kEntryAlignment != 0 || position > head ||
      size > head - position) {
    return Peek::kDamaged;
  }
  entry.sequence = sequence;
  entry.end = position + size;
  if (at.commit.load(std::memory_order_acquire) != sequence + 1) return Peek::kInFlight;
  entry.checksum = at.checksum;
  entry.body = std::string_view(reinterpret_cast<const char*>(&at + 1), size - sizeof(EntryHeader));
  return Peek::kEntry;
}

bool Journal::Intact(const Entry& entry) { return crc32c::Value(entry.body) == entry.checksum; }

void Journal::Release(std::uint64_t position) { tail_.store(position, std::memory_order_seq_cst); }

bool Journal::TrySleep(WriterState state, std::uint64_t position) {
  const std::lock_guard guard(lock_);
  const std::uint64_t waiting = head_ - position;
  if (state == WriterState::kIdle && waiting != 0) return false;
  if (state == WriterState::kNapping && waiting > wake_bytes_) return false;
  writer_ = state;
  return true;
}

void Journal::Awake() {
  const std::lock_guard guard(lock_);
  writer_ = WriterState::kAwake;
}

SinkProgress Journal::LoadProgress(std::size_t sink) const {
  const SinkSlot& slot = header().sinks[sink];
  return slot.half[slot.generation.load(std::memory_order_acquire) & 1U];
}

void Journal::StoreProgress(std::size_t sink, const SinkProgress& progress) {
  SinkSlot& slot = map_->header()->sinks[sink];
  const std::uint64_t next = slot.generation.load(std::memory_order_relaxed) + 1;
  // Whoever reads the slot of a live journal must see that this half is not the valid one any more
  // before anything in it changes. A store with release orders what is before it only.
  std::atomic_thread_fence(std::memory_order_release);
  slot.half[next & 1U] = progress;
  slot.generation.store(next, std::memory_order_release);
}

}  // namespace sightline
