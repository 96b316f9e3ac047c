#include "sightline/collectors/collection_plan.h"

#include "sightline/recorder/tensor_data.h"

namespace sightline {
namespace {

// About what an event takes besides its values: framing, time, step.
constexpr double kEventBytes = 40;
// A value with a tag of twenty letters.
constexpr double kScalarBytes = 32;
// MindSpore's 90 buckets of two doubles and a count.
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
    // MindSpore's float_data, and the elements themselves where float32 does not hold them exactly.
    if (mindspore) element += 4;
    if (!mindspore || !Float32IsExact(tensor.dtype)) element += size;
  }
  const double events = Elements(tensor) * element;
  const bool npy = options.export_options.tensor_format == TensorFormat::kNpy;
  return events + (npy ? Elements(tensor) * size + kNpyHeaderBytes : 0);
}

PlannedKind Kind(std::string_view name, const StepSeries& series, bool collected,
                 std::int64_t total, double value_bytes) {
  PlannedKind kind{.name = name, .series = series};
  if (collected) kind.count = series.CountTo(total);
  if (value_bytes > 0) kind.step_bytes = value_bytes + kEventBytes;
  return kind;
}

}  // namespace

std::int64_t TrainingLength::total() const {
  if (sink_mode) return epochs;
  return epochs > StepSeries::kNever / steps_per_epoch ? StepSeries::kNever
                                                       : epochs * steps_per_epoch;
}

std::vector<std::int64_t> PlannedKind::Steps(std::int64_t total) const {
  std::vector<std::int64_t> steps;
  if (count == 0) return steps;
  for (std::int64_t step = series.NextAfter(0); step <= total && step != StepSeries::kNever;
       step = series.NextAfter(step)) {
    steps.push_back(step);
  }
  return steps;
}

CollectionPlan PlanCollection(const SummaryOptions& options, const TrainingLength& length,
                              const PlannedSizes& sizes) {
  CollectionPlan plan{.total = length.total()};
  const CollectionPolicy policy({.collect_freq = options.collect_freq,
                                 .collect_tensor_freq = options.collect_tensor_freq,
                                 .total_steps = plan.total,
                                 .ranks = length.ranks});
  const CollectSpecifiedData& data = options.collect_specified_data;
  const auto files = static_cast<double>(options.formats.size());
  double image_bytes = 0;
  for (const PlannedSizes::Tensor& image : sizes.images) image_bytes += Elements(image);
  double tensor_bytes = 0;
  for (const PlannedSizes::Tensor& tensor : sizes.tensors)
    tensor_bytes += TensorBytes(tensor, options);
  const double scalar_bytes = kScalarBytes * static_cast<double>(sizes.scalars);
  const double histogram_bytes = kHistogramBytes * static_cast<double>(sizes.histograms);
  const StepSeries& rest = policy.rest();
  plan.kinds = {
      Kind("scalar", rest, data.collect_metric || data.collect_throughput, plan.total,
           files * scalar_bytes),
      Kind("histogram", rest, data.collect_histograms, plan.total, files * histogram_bytes),
      Kind("image", rest, data.collect_input_data, plan.total, files * image_bytes),
      Kind("tensor", policy.tensors(), true, plan.total, tensor_bytes),
  };
  return plan;
}

}  // namespace sightline
