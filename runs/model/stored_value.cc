#include "sightline/runs/model/stored_value.h"

#include <fmt/format.h>

namespace sightline {
namespace {

Status WrongKind(const ValueView& value, std::string_view wanted) {
  return Status(StatusCode::kInvalidArgument, fmt::format("the value is of kind {}, not {}",
                                                          ContentKindName(value.kind), wanted));
}

}  // namespace

Result<StoredValue> StoredValue::Parse(EventFileKind file_kind, std::string payload,
                                       std::uint32_t value, std::uint32_t item) {
  StoredValue stored;
  stored.item_ = item;
  stored.payload_ = std::make_unique<const std::string>(std::move(payload));
  stored.file_kind_ = file_kind;
  if (!ParseEvent(file_kind, *stored.payload_, stored.event_))
    return Error(StatusCode::kDataLoss, "the record holds no event");
  if (value < stored.event_.values.size()) {
    stored.value_ = stored.event_.values[value];
  } else if (value != 0 || stored.event_.kind == EventKind::kSummary) {
    return Error(StatusCode::kDataLoss, fmt::format("the event holds no value {}", value));
  }
  return stored;
}

void StoredValue::Inherit(std::string metadata) {
  metadata_ = std::make_unique<const std::string>(std::move(metadata));
  InheritMetadata(*metadata_, value_);
}

Result<TensorData> StoredValue::Tensor() const {
  if (!value_.is_tensor) return Error(WrongKind(value_, "tensor"));
  return DecodeTensor(file_kind_, value_.message);
}

Result<HistogramData> StoredValue::Histogram() const {
  if (value_.kind != ContentKind::kHistogram) return Error(WrongKind(value_, "histogram"));
  return DecodeHistogram(file_kind_, value_);
}

Result<EncodedImage> StoredValue::Image() const {
  if (value_.kind != ContentKind::kImage) return Error(WrongKind(value_, "image"));
  return DecodeImage(file_kind_, value_, item_);
}

Result<std::vector<std::string_view>> StoredValue::Texts() const {
  if (value_.kind != ContentKind::kText) return Error(WrongKind(value_, "text"));
  return DecodeStrings(value_.message);
}

Result<EncodedAudio> StoredValue::Audio() const {
  if (value_.kind != ContentKind::kAudio) return Error(WrongKind(value_, "audio"));
  return DecodeAudio(value_, item_);
}

}  // namespace sightline
