// How well a training uses its devices, by numbers that only its user knows. Any thread.
#pragma once

#include <optional>

#include "sightline/profiler/cluster/cluster.h"

namespace sightline::profiler {

// What one step of the whole training does. 0: unknown.
struct Workload {
  double flops = 0;       // Floating-point operations, by the model: all ranks together.
  double peak_flops = 0;  // What a device can do in a second.
  double tokens = 0;      // All ranks together.
};

struct Efficiency {
  double step = 0;        // Nanoseconds: the median of the ranks' steps with preparing.
  std::size_t ranks = 0;  // With those that are missing.
  std::optional<double> flops_per_second = std::nullopt;  // Of a device.
  // Of the model's operations, as a share of the peak: recomputation does not count.
  std::optional<double> mfu = std::nullopt;
  std::optional<double> tokens_per_second = std::nullopt;  // Of the training.
};

// No value if no rank has a step.
std::optional<Efficiency> MeasureEfficiency(const Cluster& cluster, const Workload& workload);

}  // namespace sightline::profiler
