// RunCache: the points of the runs that were asked for last, as many as its bytes allow. The runs
// of a catalog then need no points of their own: they come from the stored index (runs/run_index.h)
// for the time of a request, or longer while there is room.
//
//   const std::shared_ptr<const Run> run = cache.Open(listed);
//   Draw(run->Find(ContentKind::kScalar, "loss")->values());
//
// Callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "sightline/runs/run.h"
#include "sightline/runs/run_index.h"

namespace sightline::dashboard {

// Where a run's points come from again; null: nowhere.
struct RunSource {
  std::shared_ptr<RunIndex> index;
  std::string key;
};

class RunCache {
 public:
  // 0: without a bound, and the runs keep their own points.
  explicit RunCache(std::uint64_t bytes) : bytes_(bytes) {}

  // `run`, or the same with points of its own, which go when nobody holds it any more.
  std::shared_ptr<const Run> Open(const std::shared_ptr<const Run>& run, const RunSource& source);

 private:
  struct Entry {
    std::shared_ptr<const Run> listed;
    std::shared_ptr<const Run> opened;
    std::uint64_t bytes = 0;
  };

  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // The one asked for last in front.
  std::uint64_t held_ = 0;
};

// What the run's points take once they are there.
std::uint64_t BytesOfPoints(const Run& run);

}  // namespace sightline::dashboard
