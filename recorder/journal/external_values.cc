#include "sightline/recorder/journal/external_values.h"

#include <utility>

namespace sightline {

ExternalValues::Prepared ExternalValues::Prepare(std::shared_ptr<const void> owner,
                                                 std::uint64_t bytes) {
  std::map<std::uint64_t, Held> one;
  one.emplace(0, Held{std::move(owner), bytes, false, false});
  return one.extract(one.begin());
}

void ExternalValues::Hold(std::uint64_t sequence, Prepared prepared) {
  prepared.key() = sequence;
  const std::lock_guard lock(mutex_);
  held_.insert(std::move(prepared));
}

bool ExternalValues::WaitUntilWritten(std::uint64_t sequence) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    const auto held = held_.find(sequence);
    return held == held_.end() || (stalled_ && !held->second.pinned);
  });
  const auto held = held_.find(sequence);
  if (held == held_.end()) return true;
  held->second.taken_back = true;
  return false;
}

bool ExternalValues::Pin(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  const auto held = held_.find(sequence);
  if (held == held_.end() || held->second.taken_back) return false;
  held->second.pinned = true;
  return true;
}

void ExternalValues::Stall() {
  const std::lock_guard lock(mutex_);
  stalled_ = true;
  for (auto& [sequence, held] : held_) held.pinned = false;
  changed_.notify_all();
}

void ExternalValues::Resume() {
  const std::lock_guard lock(mutex_);
  stalled_ = false;
}

void ExternalValues::Written(std::uint64_t sequence) {
  std::map<std::uint64_t, Held> released;  // Large copies are freed after the lock.
  {
    const std::lock_guard lock(mutex_);
    while (!held_.empty() && held_.begin()->first < sequence)
      released.insert(held_.extract(held_.begin()));
  }
  if (!released.empty()) changed_.notify_all();
}

std::uint64_t ExternalValues::Bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& [sequence, held] : held_) bytes += held.taken_back ? 0 : held.bytes;
  return bytes;
}

}  // namespace sightline
