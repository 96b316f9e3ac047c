// LandscapeOptions: from which checkpoints of a training a loss landscape is computed, and how. The
// names, the values and the file train_metadata.json are those of MindSpore's SummaryCollector.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

enum class LandscapeUnit { kStep, kEpoch };

std::string_view LandscapeUnitName(LandscapeUnit unit);  // "step", "epoch".

struct LandscapeOptions {
  std::int64_t landscape_size = 40;           // Points along each axis: 3 to 256.
  LandscapeUnit unit = LandscapeUnit::kStep;  // The unit of `intervals`.
  struct Create {
    bool train = true;   // A landscape along the training, for each interval.
    bool result = true;  // One around the last checkpoint.
  } create_landscape = {};
  std::int64_t num_samples = 128;  // At least 1; MindSpore's code has 2,048, its documentation 128.

  // The steps or epochs, from 1, after which the parameters are saved: at least one list, each with
  // at least 3 ascending numbers.
  std::vector<std::vector<std::int64_t>> intervals = {};

  // OK, or kInvalidArgument with every fault.
  Status Check() const;
};

}  // namespace sightline
