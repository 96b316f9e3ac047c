#include "sightline/sdk/value.h"

#include <fmt/format.h>

#include <cstring>

#include "sightline/recorder/message/message.h"
#include "sightline/recorder/message/tensorboard_values.h"
#include "sightline/recorder/tensor/tensor_data.h"
#include "sightline/sdk/sized_struct.h"

namespace sightline::sdk {
namespace {

// The interface has the numbers of the journals, which never change.
static_assert(SIGHTLINE_SCALAR == static_cast<int>(ValueKind::kScalar));
static_assert(SIGHTLINE_HISTOGRAM == static_cast<int>(ValueKind::kHistogram));
static_assert(SIGHTLINE_TENSOR == static_cast<int>(ValueKind::kTensor));
static_assert(SIGHTLINE_IMAGE == static_cast<int>(ValueKind::kImage));
static_assert(SIGHTLINE_GRAPH == static_cast<int>(ValueKind::kGraph));
static_assert(SIGHTLINE_LANDSCAPE == static_cast<int>(ValueKind::kLandscape));
static_assert(SIGHTLINE_TRAIN_LINEAGE == static_cast<int>(ValueKind::kTrainLineage));
static_assert(SIGHTLINE_EVALUATION_LINEAGE == static_cast<int>(ValueKind::kEvaluationLineage));
static_assert(SIGHTLINE_DATASET_GRAPH == static_cast<int>(ValueKind::kDatasetGraph));
static_assert(SIGHTLINE_CUSTOM_LINEAGE == static_cast<int>(ValueKind::kCustomLineage));
static_assert(SIGHTLINE_TENSORBOARD_EVENT == static_cast<int>(ValueKind::kTensorBoardEvent));
static_assert(SIGHTLINE_BOOL == static_cast<int>(DType::kBool));
static_assert(SIGHTLINE_UINT8 == static_cast<int>(DType::kUint8));
static_assert(SIGHTLINE_FLOAT16 == static_cast<int>(DType::kFloat16));
static_assert(SIGHTLINE_COMPLEX128 == static_cast<int>(DType::kComplex128));

Error Wrong(std::string words) { return {StatusCode::kInvalidArgument, std::move(words)}; }

std::string_view NameOf(const sightline_value& given) {
  return given.tag == nullptr || *given.tag == '\0' ? "a value" : given.tag;
}

Result<TensorView> ArrayOf(const sightline_value& given) {
  if (given.dtype < SIGHTLINE_BOOL || given.dtype > SIGHTLINE_COMPLEX128) {
    return Wrong(
        fmt::format("{}: dtype is {}, which is no sightline_dtype", NameOf(given), given.dtype));
  }
  if (given.shape == nullptr && given.dimensions != 0) {
    return Wrong(fmt::format("{}: shape is a null pointer, though it has {} dimensions",
                             NameOf(given), given.dimensions));
  }
  const TensorView view{
      static_cast<DType>(given.dtype), {given.shape, given.dimensions}, given.data};
  if (const Status status = view.Check(); !status.ok())
    return Error(status.WithContext(NameOf(given)));
  if (view.ByteSize() != given.bytes) {
    return Wrong(fmt::format("{}: bytes is {}, but {} elements of {} have {}", NameOf(given),
                             given.bytes, view.ElementCount(), DTypeName(view.dtype),
                             view.ByteSize()));
  }
  return view;
}

Result<double> ScalarOf(const sightline_value& given) {
  SIGHTLINE_ASSIGN_OR_RETURN(const TensorView view, ArrayOf(given));
  if (view.ElementCount() != 1 || given.dtype >= SIGHTLINE_COMPLEX64) {
    return Wrong(fmt::format("{}: a scalar is one element that is not complex, not {} of {}",
                             NameOf(given), view.ElementCount(), DTypeName(view.dtype)));
  }
  double scalar = 0;
  ConvertToFloat64(view.dtype, view.data, 1, &scalar);
  return scalar;
}

Result<std::string_view> BytesOf(const sightline_value& given) {
  if (given.data == nullptr && given.bytes != 0) {
    return Wrong(fmt::format("{}: data is a null pointer, though it has {} bytes", NameOf(given),
                             given.bytes));
  }
  return std::string_view(static_cast<const char*>(given.data), given.bytes);
}

bool NeedsTag(std::int32_t kind) {
  return kind < SIGHTLINE_GRAPH || kind == SIGHTLINE_LANDSCAPE ||
         kind > SIGHTLINE_TENSORBOARD_EVENT;
}

}  // namespace

Result<ValueKind> RecordedKind(std::int32_t kind) {
  if (kind < SIGHTLINE_SCALAR || kind > SIGHTLINE_TENSORBOARD_EVENT)
    return Wrong(fmt::format("kind is {}, which is no kind that can be recorded", kind));
  return static_cast<ValueKind>(kind);
}

Status ConvertValue(const sightline_value& given, ConvertedValue& converted) {
  if (NeedsTag(given.kind) && given.tag == nullptr) return Wrong("a value: tag is a null pointer");
  const std::string_view tag = given.tag == nullptr ? "" : given.tag;
  converted.tagged.tag = Tag(tag);
  Value& value = converted.tagged.value;
  if (given.kind == SIGHTLINE_TEXT) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string_view text, BytesOf(given));
    converted.message = SerializeText(tag, text);
    value = Value::Message(ValueKind::kTensorBoardEvent, converted.message);
    return {};
  }
  if (given.kind == SIGHTLINE_AUDIO) {
    SIGHTLINE_ASSIGN_OR_RETURN(const TensorView samples, ArrayOf(given));
    auto sound = SerializeAudio(tag, samples, given.sample_rate);
    if (!sound) return sound.error().WithContext(NameOf(given));
    converted.message = *std::move(sound);
    value = Value::Message(ValueKind::kTensorBoardEvent, converted.message);
    return {};
  }
  const auto kind = RecordedKind(given.kind);
  if (!kind) return kind.error().WithContext(NameOf(given));
  value.kind = *kind;
  switch (FormOf(*kind)) {
    case ValueForm::kNumber: {
      SIGHTLINE_ASSIGN_OR_RETURN(value.scalar, ScalarOf(given));
      return {};
    }
    case ValueForm::kTensor: {
      SIGHTLINE_ASSIGN_OR_RETURN(value.tensor, ArrayOf(given));
      return {};
    }
    case ValueForm::kMessage: {
      SIGHTLINE_ASSIGN_OR_RETURN(value.message, BytesOf(given));
      return CheckMessage(*kind, value.message).WithContext(NameOf(given));
    }
  }
  return {};
}

Status ConvertValues(const sightline_value* values, std::size_t count, ConvertedValues& all,
                     std::int32_t as) {
  all.kept.reserve(count);  // What is converted must not move.
  return TakeStructs(values, count, "sightline_value", [&](const sightline_value& given) -> Status {
    sightline_value value = given;
    if (as != 0) value.kind = as;
    Status status = ConvertValue(value, all.kept.emplace_back());
    if (status.ok()) return {};
    all.kept.pop_back();
    all.errors.push_back(std::move(status));
    return {};
  });
}

}  // namespace sightline::sdk
