// Restarts that nobody noted: a training went back to an earlier step and recorded on in the same
// run, without a session of Sightline's and without TensorBoard's START (run_restarts.h). All its
// values count, so a chart goes back and forth between the attempts. They can be told apart by the
// times at which they were recorded.
//
// Pure functions; may be called from any thread. They take time in proportion to the points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sightline/runs/model/series.h"

namespace sightline {

// Series::restarts() finds them once, and keeps them.
struct SeriesRestarts {
  // The first step of each attempt but the first, in the order of the attempts. Empty if there are
  // more than 100: then several processes recorded at the same time.
  std::vector<std::int64_t> steps;
  // Points after which one of the same or an earlier step was recorded. A step that has several
  // values has superseded ones too.
  std::size_t superseded = 0;

  bool none() const { return steps.empty() && superseded == 0; }
};

// REQUIRES: the columns are equally long, and sorted as those of a Series are.
SeriesRestarts FindRestarts(std::span<const std::int64_t> steps, std::span<const double> times);

// The scalar series without its superseded points, as TensorBoard shows it. Null if there are none.
// REQUIRES: series.is_scalar().
std::shared_ptr<const Series> NewestOf(const Series& series);

}  // namespace sightline
