#include "sightline/collectors/step_collector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sightline/recorder/tensor_data.h"

namespace sightline {
namespace {

bool IsComplex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

bool IsRecordable(const TensorView& tensor) {
  return tensor.Check().ok() && !IsComplex(tensor.dtype);
}

bool IsImage(const TensorView& tensor) {
  const auto& shape = tensor.shape;
  return IsRecordable(tensor) && shape.size() == 4 && (shape[1] == 1 || shape[1] == 3) &&
         tensor.ElementCount() != 0;
}

std::optional<double> MeanOf(const TensorView& tensor) {
  if (!IsRecordable(tensor) || tensor.ElementCount() == 0) return std::nullopt;
  std::array<double, 256> block{};  // No allocation, whatever the size.
  const std::size_t count = tensor.ElementCount();
  double sum = 0;
  for (std::size_t begin = 0; begin < count; begin += block.size()) {
    const std::size_t size = std::min(block.size(), count - begin);
    ConvertToFloat64(tensor.dtype,
                     static_cast<const char*>(tensor.data) + begin * DTypeSize(tensor.dtype), size,
                     block.data());
    for (std::size_t i = 0; i < size; ++i) sum += block[i];
  }
  return sum / static_cast<double>(count);
}

}  // namespace

StepCollector::StepCollector(Recorder& recorder, NanWatch& watch, const CollectSpecifiedData& what,
                             ParameterSelection selection,
                             std::function<void(std::string_view)> warn)
    : recorder_(recorder),
      watch_(watch),
      what_(what),
      selection_(std::move(selection)),
      warn_(std::move(warn)),
      loss_(recorder.Intern("loss/auto")),
      learning_rate_(recorder.Intern("learning_rate/auto")),
      step_time_(recorder.Intern("step_time/auto")),
      samples_per_second_(recorder.Intern("samples_per_second/auto")),
      input_(recorder.Intern("input_data/auto")) {}

std::optional<double> StepCollector::LossOf(const StepInfo& info) {
  if (info.loss || info.losses.empty()) return info.loss;
  return MeanOf(info.losses.view());
}

void StepCollector::Collect(const StepInfo& info, const CollectionDecision& decision,
                            std::int64_t batch_size) {
  values_.clear();
  if (decision.collect) {
    if (what_.collect_metric) AddMetrics(info);
    if (what_.collect_throughput && decision.seconds_per_step) {
      AddThroughput(info, *decision.seconds_per_step, batch_size);
    }
    for (std::size_t i = 0; i < info.scalars.size(); ++i) {
      const TagId tag = scalar_tags_.Get(
          i, info.scalars[i].name, [&](std::string_view name) { return recorder_.Intern(name); });
      AddScalar(tag, info.step, info.scalars[i].value);
    }
    if (what_.collect_input_data && input_is_image_ && !info.input.empty()) AddInput(info);
    if (what_.collect_histograms) AddHistograms(info);
    AddNamed(info.histograms, info.step, ValueKind::kHistogram, named_histogram_tags_);
    AddNamed(info.images, info.step, ValueKind::kImage, image_tags_);
  }
  if (decision.collect_tensors) AddNamed(info.tensors, info.step, ValueKind::kTensor, tensor_tags_);
  if (!values_.empty()) recorder_.Record(info.step, values_);
}

void StepCollector::CollectScalars(std::int64_t step, std::string_view prefix,
                                   std::span<const NamedScalar> scalars) {
  values_.clear();
  std::vector<std::string> tags;  // What the values' tags point to; empty without a prefix.
  tags.reserve(prefix.empty() ? 0 : scalars.size());
  for (const NamedScalar& scalar : scalars) {
    std::string_view tag = scalar.name;
    if (!prefix.empty()) tag = tags.emplace_back(fmt::format("{}{}", prefix, scalar.name));
    watch_.Check(tag, step, scalar.value);
    values_.push_back({tag, Value::Scalar(scalar.value)});
  }
  if (!values_.empty()) recorder_.Record(step, values_);
}

void StepCollector::AddMetrics(const StepInfo& info) {
  if (const std::optional<double> loss = LossOf(info)) AddScalar(loss_, info.step, *loss);
  if (info.learning_rate) AddScalar(learning_rate_, info.step, *info.learning_rate);
}

void StepCollector::AddThroughput(const StepInfo& info, double seconds_per_step,
                                  std::int64_t batch_size) {
  AddScalar(step_time_, info.step, seconds_per_step);
  const std::int64_t samples = info.batch_size > 0 ? info.batch_size : batch_size;
  if (samples <= 0 || seconds_per_step <= 0) return;
  AddScalar(samples_per_second_, info.step, static_cast<double>(samples) / seconds_per_step);
}

void StepCollector::AddInput(const StepInfo& info) {
  const TensorView batch = info.input.view();
  if (IsImage(batch)) return AddTensor(input_, info.step, ValueKind::kImage, batch);
  input_is_image_ = false;
  warn_(fmt::format(
      "input data is not recorded from step {} on: an image has the shape (batch, 1 or 3 channels, "
      "height, width), not ({}) of {}",
      info.step, fmt::join(batch.shape, ", "), DTypeName(batch.dtype)));
}

void StepCollector::AddHistograms(const StepInfo& info) {
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const auto& tag = histogram_tags_.Get(i, info.parameters.name(i),
                                          [&](std::string_view name) -> std::optional<TagId> {
                                            if (!selection_.Selects(i, name)) return std::nullopt;
                                            return recorder_.Intern(fmt::format("{}/auto", name));
                                          });
    if (tag) AddTensor(*tag, info.step, ValueKind::kHistogram, info.parameters.view(i));
  }
}

void StepCollector::AddScalar(TagId tag, std::int64_t step, double value) {
  watch_.Check(Tag(tag).text(), step, value);
  values_.push_back({tag, Value::Scalar(value)});
}

void StepCollector::AddNamed(const TensorList& tensors, std::int64_t step, ValueKind kind,
                             NameCache<TagId>& tags) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TagId tag =
        tags.Get(i, tensors.name(i), [&](std::string_view name) { return recorder_.Intern(name); });
    AddTensor(tag, step, kind, tensors.view(i));
  }
}

void StepCollector::AddTensor(TagId tag, std::int64_t step, ValueKind kind,
                              const TensorView& tensor) {
  if (kind != ValueKind::kImage && tensor.Check().ok()) watch_.Check(Tag(tag).text(), step, tensor);
  Value value;
  value.kind = kind;
  value.tensor = tensor;
  values_.push_back({tag, value});  // The recorder refuses and counts what is no tensor.
}

}  // namespace sightline
