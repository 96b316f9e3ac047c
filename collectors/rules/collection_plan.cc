#include "sightline/collectors/rules/collection_plan.h"

#include <algorithm>

#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

// The approximate size of an event without its values: framing, time, step.
constexpr double kEventBytes = 40;
// The size of a value with a tag of twenty letters.
constexpr double kScalarBytes = 32;
// The size of MindSpore's 90 buckets of two doubles and a count.
constexpr double kHistogramBytes = 90 * 24 + 80;
constexpr double kNpyHeaderBytes = 128;

double Elements(const PlannedSizes::Tensor& tensor) {
  double count = 1;
  for (const std::int64_t size : tensor.shape) count *= static_cast<double>(size);
  return count;
}

double TensorBytes(const PlannedSizes::Tensor& tensor, const SummaryOptions& options) {
  const auto size = static_cast<double>(DTypeSize(tensor.dtype));
  double element = 0;
  for (const Format format : options.formats) {
    const bool mindspore = format == Format::kMindSpore;
    // MindSpore's float_data, and also the elements themselves if float32 is not exact for them.
    if (mindspore) element += 4;
    if (!mindspore || !Float32IsExact(tensor.dtype)) element += size;
  }
  const double events = Elements(tensor) * element;
  const bool npy = options.export_options.tensor_format == TensorFormat::kNpy;
  return events + (npy ? Elements(tensor) * size + kNpyHeaderBytes : 0);
}

// The frequencies, the policy made of them, and the length of the run.
struct Rules {
  const std::vector<Frequency>& frequencies;
  CollectionPolicy policy;
  std::int64_t total = 0;
  std::int64_t from = 1;

  std::int64_t CountOf(const StepSeries& series) const {
    return series.CountTo(total) - series.CountTo(std::min(from - 1, total));
  }

  PlannedKind Plan(ValueKind kind, bool collected, double value_bytes) const {
    PlannedKind planned{.name = ValueKindName(kind), .series = policy.SeriesOf(kind)};
    for (const Frequency& frequency : frequencies) {
      if (!frequency.Covers(kind)) continue;
      planned.every_seconds = frequency.every_seconds;
      break;
    }
    if (collected) planned.count = CountOf(planned.series);
    if (value_bytes > 0) planned.step_bytes = value_bytes + kEventBytes;
    return planned;
  }
};

}  // namespace

std::int64_t TrainingLength::total() const {
  if (sink_mode) return epochs;
  return epochs > StepSeries::kNever / steps_per_epoch ? StepSeries::kNever
                                                       : epochs * steps_per_epoch;
}

std::vector<std::int64_t> PlannedKind::Steps(std::int64_t total, std::int64_t from) const {
  return count == 0 ? std::vector<std::int64_t>() : series.StepsTo(total, from);
}

CollectionPlan PlanCollection(const SummaryOptions& options, const TrainingLength& length,
                              const PlannedSizes& sizes) {
  CollectionPlan plan{.total = length.total(),
                      .from = std::max<std::int64_t>(options.resume_from_step.value_or(1), 1)};
  const CollectionPolicy policy({.collect_freq = options.collect_freq,
                                 .collect_tensor_freq = options.collect_tensor_freq,
                                 .total_steps = plan.total,
                                 .ranks = length.ranks,
                                 .frequencies = options.frequencies});
  const CollectSpecifiedData& data = options.collect_specified_data;
  const auto files = static_cast<double>(options.formats.size());
  double image_bytes = 0;
  for (const PlannedSizes::Tensor& image : sizes.images) image_bytes += Elements(image);
  double tensor_bytes = 0;
  for (const PlannedSizes::Tensor& tensor : sizes.tensors)
    tensor_bytes += TensorBytes(tensor, options);
  const double scalar_bytes = kScalarBytes * static_cast<double>(sizes.scalars);
  const double histogram_bytes = kHistogramBytes * static_cast<double>(sizes.histograms);
  const Rules rules{options.frequencies, policy, plan.total, plan.from};
  plan.kinds = {
      rules.Plan(ValueKind::kScalar, data.collect_metric || data.collect_throughput,
                 files * scalar_bytes),
      rules.Plan(ValueKind::kHistogram, data.collect_histograms, files * histogram_bytes),
      rules.Plan(ValueKind::kImage, data.collect_input_data, files * image_bytes),
      rules.Plan(ValueKind::kTensor, true, tensor_bytes),
  };
  for (const Frequency& frequency : options.frequencies) {
    if (frequency.tag.empty()) continue;
    const StepSeries series = StepsOf(frequency);
    plan.tags.push_back({frequency, series, rules.CountOf(series)});
  }
  return plan;
}

}  // namespace sightline
