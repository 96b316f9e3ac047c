#include "sightline/collectors/collect/step_collector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sightline/recorder/tensor/tensor_data.h"

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

// The mean; NaN if there are no elements, as in NumPy.
std::optional<double> MeanOf(const TensorView& tensor) {
  if (!IsRecordable(tensor)) return std::nullopt;
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

// Does not check the tensor: the recorder refuses, counts and names what cannot be recorded.
Value TensorOf(ValueKind kind, const TensorView& tensor) {
  Value value;
  value.kind = kind;
  value.tensor = tensor;
  return value;
}

}  // namespace

StepCollector::StepCollector(Recorder& recorder, NanWatch& watch, const CollectSpecifiedData& what,
                             const FrequencyTable& frequencies, ParameterSelection selection,
                             std::function<void(std::string_view)> warn)
    : recorder_(recorder),
      watch_(watch),
      what_(what),
      frequencies_(frequencies),
      selection_(std::move(selection)),
      warn_(std::move(warn)),
      loss_(StreamOf(ValueKind::kScalar, "loss/auto")),
      learning_rate_(StreamOf(ValueKind::kScalar, "learning_rate/auto")),
      step_time_(StreamOf(ValueKind::kScalar, "step_time/auto")),
      samples_per_second_(StreamOf(ValueKind::kScalar, "samples_per_second/auto")),
      input_(StreamOf(ValueKind::kImage, "input_data/auto")) {}

StepCollector::Stream StepCollector::StreamOf(ValueKind kind, std::string_view tag) {
  return {recorder_.Intern(tag), kind, frequencies_.Find(kind, tag)};
}

std::optional<double> StepCollector::LossOf(const StepInfo& info) {
  if (info.loss || info.losses.empty()) return info.loss;
  return MeanOf(info.losses.view());
}

ValueSources StepCollector::Collect(const StepInfo& info, const std::optional<double>& loss,
                                    const CollectionDecision& decision, std::int64_t batch_size) {
  values_.clear();
  heavy_.reset();
  decision_ = decision;
  // Makes no call for values that the step does not have: after a training's step, their code would
  // have to be fetched from memory.
  if (what_.collect_metric) AddMetrics(info, loss);
  if (what_.collect_throughput) AddThroughput(info, batch_size);
  if (!info.scalars.empty()) AddScalars(info);
  if (what_.collect_input_data) AddInput(info);
  if (what_.collect_histograms) AddHistograms(info);
  if (!info.histograms.empty())
    AddNamed(info.histograms, info.step, ValueKind::kHistogram, named_histograms_);
  if (!info.images.empty()) AddNamed(info.images, info.step, ValueKind::kImage, named_images_);
  if (!info.tensors.empty()) AddNamed(info.tensors, info.step, ValueKind::kTensor, tensors_);
  if (!values_.empty()) recorder_.Record(info.step, values_);
  return heavy_;
}

void StepCollector::CollectScalars(std::int64_t step, std::string_view prefix,
                                   std::span<const NamedScalar> scalars) {
  values_.clear();
  std::vector<std::string> tags;  // The values' tags point here; empty without a prefix.
  tags.reserve(prefix.empty() ? 0 : scalars.size());
  for (const NamedScalar& scalar : scalars) {
    std::string_view tag = scalar.name;
    if (!prefix.empty()) tag = tags.emplace_back(fmt::format("{}{}", prefix, scalar.name));
    watch_.Check(tag, step, scalar.value);
    values_.push_back({tag, Value::Scalar(scalar.value)});
  }
  if (!values_.empty()) recorder_.Record(step, values_);
}

void StepCollector::AddMetrics(const StepInfo& info, const std::optional<double>& loss) {
  if (loss) {
    AddScalar(loss_, info.step, *loss);
  } else if (!info.losses.empty() && Records(loss_)) {
    values_.push_back({loss_.tag, TensorOf(ValueKind::kTensor, info.losses.view())});
  }
  if (info.learning_rate) AddScalar(learning_rate_, info.step, *info.learning_rate);
}

void StepCollector::AddThroughput(const StepInfo& info, std::int64_t batch_size) {
  if (!decision_.seconds_per_step) return;
  const double seconds = *decision_.seconds_per_step;
  AddScalar(step_time_, info.step, seconds);
  const std::int64_t samples = info.batch_size.value_or(batch_size);
  if (samples <= 0 || seconds <= 0) return;
  AddScalar(samples_per_second_, info.step, static_cast<double>(samples) / seconds);
}

void StepCollector::AddScalars(const StepInfo& info) {
  for (std::size_t i = 0; i < info.scalars.size(); ++i) {
    const auto& stream = scalars_.Get(i, info.scalars[i].name, [&](std::string_view name) {
      return StreamOf(ValueKind::kScalar, name);
    });
    AddScalar(stream, info.step, info.scalars[i].value);
  }
}

void StepCollector::AddInput(const StepInfo& info) {
  if (!input_is_image_ || info.input.empty() || !Records(input_)) return;
  const TensorView batch = info.input.view();
  if (IsImage(batch)) return AddTensor(input_, info.step, batch);
  input_is_image_ = false;
  warn_(fmt::format(
      "input data is not recorded from step {} on: an image has the shape (batch, 1 or 3 channels, "
      "height, width), not ({}) of {}",
      info.step, fmt::join(batch.shape, ", "), DTypeName(batch.dtype)));
}

void StepCollector::AddHistograms(const StepInfo& info) {
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const auto& stream = histograms_.Get(
        i, info.parameters.name(i), [&](std::string_view name) -> std::optional<Stream> {
          if (!selection_.Selects(i, name)) return std::nullopt;
          return StreamOf(ValueKind::kHistogram, fmt::format("{}/auto", name));
        });
    if (stream) AddTensor(*stream, info.step, info.parameters.view(i));
  }
}

void StepCollector::AddNamed(const TensorList& tensors, std::int64_t step, ValueKind kind,
                             NameCache<Stream>& streams) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Stream& stream = streams.Get(i, tensors.name(i),
                                       [&](std::string_view name) { return StreamOf(kind, name); });
    AddTensor(stream, step, tensors.view(i));
  }
}

void StepCollector::AddScalar(const Stream& stream, std::int64_t step, double value) {
  if (!Records(stream)) return;
  watch_.Check(Tag(stream.tag).text(), step, value);
  values_.push_back({stream.tag, Value::Scalar(value)});
}

void StepCollector::AddTensor(const Stream& stream, std::int64_t step, const TensorView& tensor) {
  if (!Records(stream)) return;
  heavy_[SourceOf(stream.kind, stream.frequency)] = true;
  if (stream.kind != ValueKind::kImage && tensor.Check().ok())
    watch_.Check(Tag(stream.tag).text(), step, tensor);
  values_.push_back({stream.tag, TensorOf(stream.kind, tensor)});
}

}  // namespace sightline
