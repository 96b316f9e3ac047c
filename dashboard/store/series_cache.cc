#include "sightline/dashboard/store/series_cache.h"

namespace sightline::dashboard {
namespace {

// Step, wall time, and a value with its share of the pyramid, or a place.
constexpr std::uint64_t kScalarBytes = 25;
constexpr std::uint64_t kPlaceBytes = 32;

std::uint64_t BytesOf(const Series& series) {
  return series.size() * (series.is_scalar() ? kScalarBytes : kPlaceBytes);
}

}  // namespace

std::uint64_t BytesOfPoints(const Run& run) {
  std::uint64_t bytes = 0;
  for (const auto& series : run.series()) bytes += BytesOf(*series);
  return bytes;
}

std::shared_ptr<const Series> SeriesCache::Open(const std::shared_ptr<const Run>& run,
                                                const Series* series) {
  if (series == nullptr) return nullptr;
  std::shared_ptr<const Series> listed(run, series);
  if (bytes_ == 0) return listed;
  const std::lock_guard lock(mutex_);
  if (const auto known = places_.find(series); known != places_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return known->second->opened;
  }
  auto opened = series->Unloaded();
  if (opened == nullptr) return listed;
  entries_.push_front({listed, opened});
  places_.emplace(series, entries_.begin());
  held_bytes_ += BytesOf(*series);
  while (held_bytes_ > bytes_ && entries_.size() > 1) {
    held_bytes_ -= BytesOf(*entries_.back().listed);
    places_.erase(entries_.back().listed.get());
    entries_.pop_back();
  }
  return opened;
}

}  // namespace sightline::dashboard
