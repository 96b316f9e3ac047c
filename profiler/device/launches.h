// Which call of the host launched a task of a device: both have the same number in the argument
// "correlation" (Kineto: CUDA, ROCm, XPU, MTIA). All tasks of a graph have that of its launch.
//
// Immutable once made, so any number of threads may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

class Launches {
 public:
  struct Call {
    std::uint64_t correlation = 0;
    std::int64_t start = 0;
    LaneId lane{};
  };

  explicit Launches(const Model& model);

  bool empty() const { return calls_.empty(); }
  // The call that launched this span; null if it is not recorded.
  const Call* Of(std::size_t task) const;

 private:
  const Model& model_;
  ColumnVector<Call> calls_;  // By their correlations.
};

// The number that a span's details have; 0 if they have none.
std::uint64_t CorrelationIn(std::string_view detail);

}  // namespace sightline::profiler
