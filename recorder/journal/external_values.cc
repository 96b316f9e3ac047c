#include "sightline/recorder/journal/external_values.h"

#include <utility>

namespace sightline {

void ExternalValues::Hold(std::uint64_t sequence, Held held) {
  const std::lock_guard lock(mutex_);
  held_.emplace(sequence, std::move(held));
}

void ExternalValues::Share(std::uint64_t sequence, std::vector<std::shared_ptr<const void>> owners,
                           std::uint64_t bytes) {
  Hold(sequence, Held{std::move(owners), bytes, false, false, false});
}

void ExternalValues::Lend(std::uint64_t sequence, std::vector<std::shared_ptr<const void>> owners,
                          std::uint64_t bytes) {
  Hold(sequence, Held{std::move(owners), bytes, true, false, false});
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
  held->second.owners.clear();
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
  std::map<std::uint64_t, Held> released;  // Destroyed behind the lock: an owner may run anything.
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
