// Measures how much longer a training loop takes if it is recorded. Blocks of recorded and of
// unrecorded steps alternate within one process, and each pair of neighbours is compared: two
// processes, or two minutes, differ by more than that.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/tools/demo/digits.h"

namespace sightline::demo {

struct Overhead {
  double percent = 0;      // The additional time of a recorded step: the median over the pairs.
  double percent_low = 0;  // The quartiles.
  double percent_high = 0;
  double step_milliseconds = 0;  // Unrecorded, the median over the blocks.
  double caller_microseconds =
      0;  // A step: inside SummaryMonitor::EndStep, on the training thread.
  double worker_microseconds = 0;  // A step: CPU time of the recorder's own threads.
  int pairs = 0;
  int steps_a_block = 0;
};

// Trains a second network as `options` say into `scratch_directory`, which must not exist and is
// removed afterwards. Takes about `pairs` * 0.7 s.
Result<Overhead> MeasureOverhead(const Digits& digits, const SummaryOptions& options,
                                 const std::string& scratch_directory, int pairs);

}  // namespace sightline::demo
