#include "sightline/dashboard/store/run_cache.h"

#include <algorithm>
#include <utility>

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

std::shared_ptr<const Run> RunCache::Open(const std::shared_ptr<const Run>& run,
                                          const RunSource& source) {
  if (bytes_ == 0 || source.index == nullptr) return run;
  const auto known = [&] {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.listed == run; });
  };
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = known(); at != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, at);
      return at->opened;
    }
  }
  auto opened = source.index->Find(source.key, run->directory(), run->name(), run->stamp());
  source.index->EndReading();
  if (opened == nullptr) return run;  // It changed meanwhile; the next poll sees that.
  const std::lock_guard lock(mutex_);
  if (const auto at = known(); at != entries_.end()) return at->opened;
  entries_.push_front({run, opened, BytesOfPoints(*run)});
  held_ += entries_.front().bytes;
  while (held_ > bytes_ && entries_.size() > 1) {
    held_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  return opened;
}

}  // namespace sightline::dashboard
