// RunCache: holds the points of the runs that were asked for last, up to a number of bytes. The
// runs of a catalog that come from the index (docs/runs.md) then need no points of their own: a
// copy loads them for a request, and stays in memory while there is room.
//
//   const std::shared_ptr<const Run> run = cache.Open(listed);
//   Draw(run->Find(ContentKind::kScalar, "loss")->values());
//
// May be called from any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "sightline/runs/model/run.h"

namespace sightline::dashboard {

class RunCache {
 public:
  // 0: there is no bound, and the runs keep their own points.
  explicit RunCache(std::uint64_t bytes) : bytes_(bytes) {}

  // A copy with points, which are freed when nobody holds it any more; `run` itself if it has
  // points of its own.
  std::shared_ptr<const Run> Open(const std::shared_ptr<const Run>& run);

 private:
  struct Entry {
    std::shared_ptr<const Run> listed;
    std::shared_ptr<const Run> opened;
    std::uint64_t bytes = 0;
  };

  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // The last one that was asked for is the first.
  std::uint64_t held_bytes_ = 0;
};

// The memory that the run's points need, in bytes.
std::uint64_t BytesOfPoints(const Run& run);

}  // namespace sightline::dashboard
