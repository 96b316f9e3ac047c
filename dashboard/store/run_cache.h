// RunCache: holds the points of the runs that were asked for last, up to a number of bytes. The
// runs of a catalog then need no points of their own: these are read from the index
// (runs/index/run_index.h) for a request, and stay in memory while there is room.
//
//   const std::shared_ptr<const Run> run = cache.Open(listed);
//   Draw(run->Find(ContentKind::kScalar, "loss")->values());
//
// May be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "sightline/runs/index/run_index.h"
#include "sightline/runs/model/run.h"

namespace sightline::dashboard {

// Where a run's points can be read again; if `index` is null, nowhere.
struct RunSource {
  std::shared_ptr<RunIndex> index;
  std::string key;
};

class RunCache {
 public:
  // 0: there is no bound, and the runs keep their own points.
  explicit RunCache(std::uint64_t bytes) : bytes_(bytes) {}

  // `run` itself, or a copy with points, which are freed when nobody holds it any more.
  std::shared_ptr<const Run> Open(const std::shared_ptr<const Run>& run, const RunSource& source);

 private:
  struct Entry {
    std::shared_ptr<const Run> listed;
    std::shared_ptr<const Run> opened;
    std::uint64_t bytes = 0;
  };

  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // The one that was asked for last is the first.
  std::uint64_t held_ = 0;
};

// The memory that the run's points need, in bytes.
std::uint64_t BytesOfPoints(const Run& run);

}  // namespace sightline::dashboard
