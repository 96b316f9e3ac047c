// SeriesCache: holds the points of the series that were asked for last, up to a number of bytes.
// The series of a catalog that come from the index (docs/runs.md) then need no points of their own:
// a copy loads them for a request, and stays in memory while there is room.
//
//   const std::shared_ptr<const Series> series = cache.Open(run, run->Find(ContentKind::kScalar,
//   "loss")); Draw(series->values());
//
// May be called from any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series.h"

namespace sightline::dashboard {

class SeriesCache {
 public:
  // 0: there is no bound, and the series keep their own points.
  explicit SeriesCache(std::uint64_t bytes) : bytes_(bytes) {}

  // A copy of a series of `run`, with points that are freed when nobody holds it any more; the
  // series itself if it has points of its own. Null for null.
  std::shared_ptr<const Series> Open(const std::shared_ptr<const Run>& run, const Series* series);

 private:
  struct Entry {
    std::shared_ptr<const Series> listed;
    std::shared_ptr<const Series> opened;
  };

  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // The last one that was asked for is the first.
  std::unordered_map<const Series*, std::list<Entry>::iterator> places_;
  std::uint64_t held_bytes_ = 0;
};

// The memory that the points of a run need, in bytes.
std::uint64_t BytesOfPoints(const Run& run);

}  // namespace sightline::dashboard
