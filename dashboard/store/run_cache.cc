#include "sightline/dashboard/store/run_cache.h"

#include <algorithm>

namespace sightline::dashboard {
namespace {

// Step, wall time, and a value with its share of the pyramid, or a place.
constexpr std::uint64_t kScalarBytes = 25;
constexpr std::uint64_t kPlaceBytes = 32;

}  // namespace

std::uint64_t BytesOfPoints(const Run& run) {
  std::uint64_t bytes = 0;
  for (const auto& series : run.series())
    bytes += series->size() * (series->is_scalar() ? kScalarBytes : kPlaceBytes);
  return bytes;
}

std::shared_ptr<const Run> RunCache::Open(const std::shared_ptr<const Run>& run) {
  if (bytes_ == 0) return run;
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.listed == run; });
  if (known != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, known);
    return known->opened;
  }
  auto opened = run->Unloaded();
  if (opened == nullptr) return run;
  entries_.push_front({run, opened, BytesOfPoints(*run)});
  held_bytes_ += entries_.front().bytes;
  while (held_bytes_ > bytes_ && entries_.size() > 1) {
    held_bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  return opened;
}

}  // namespace sightline::dashboard
