// CollectionPlan: what a training will record, computed before it runs: the steps of each kind of
// value, and the disk space they take.
//
//   const CollectionPlan plan = PlanCollection(options, {.epochs = 3, .steps_per_epoch = 200}, {});
//   for (const PlannedKind& kind : plan.kinds) Print(kind.name, kind.count);
//
// Pure: the result depends only on the arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/collectors/rules/collection_policy.h"
#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct TrainingLength {
  std::int64_t epochs = 1;
  std::int64_t steps_per_epoch = 1;
  bool sink_mode = false;  // MindSpore's data sink mode: a step is an epoch.
  std::int64_t ranks = 1;  // Processes of a parallel training; they share the tensors' steps.

  // Steps, or epochs in sink mode; the largest number if it would not fit.
  std::int64_t total() const;
};

// What a recorded step contains, to estimate the disk space.
struct PlannedSizes {
  struct Tensor {
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> shape = {};  // No dimension is negative.
  };
  std::int64_t scalars = 4;     // Loss, learning rate, step time, samples per second.
  std::int64_t histograms = 5;  // The first five parameters.
  std::vector<Tensor> images = {};
  std::vector<Tensor> tensors = {};
};

struct PlannedKind {
  std::string_view name;   // "scalar", "histogram", "image", "tensor".
  StepSeries series = {};  // Its steps from the plan's `from` to its total, if it is collected.
  // A frequency in seconds; the steps that it adds are not counted, since they are not known
  // before.
  std::optional<double> every_seconds = std::nullopt;
  std::int64_t count = 0;  // Of steps.
  double step_bytes = 0;   // Of one of them on the disk, about; pictures as if uncompressed.

  double bytes() const { return static_cast<double>(count) * step_bytes; }
  // The steps of the plan's `from` to `total`, in order. REQUIRES: as many as `count` fit into
  // memory.
  std::vector<std::int64_t> Steps(std::int64_t total, std::int64_t from = 1) const;
};

// The tags of one of SummaryOptions::frequencies, which are counted in their kinds otherwise.
struct PlannedTags {
  Frequency frequency = {};
  StepSeries series = {};
  std::int64_t count = 0;  // Of steps.
};

struct CollectionPlan {
  std::int64_t total = 0;
  std::int64_t from = 1;                // The first step: resume_from_step of a resumed training.
  std::vector<PlannedKind> kinds = {};  // In the order above.
  std::vector<PlannedTags> tags = {};   // Of the frequencies with a tag.
};

// REQUIRES: options.Check() is OK; epochs, steps and ranks are at least 1.
CollectionPlan PlanCollection(const SummaryOptions& options, const TrainingLength& length,
                              const PlannedSizes& sizes);

}  // namespace sightline
