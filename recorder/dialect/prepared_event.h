// PreparedEvent: one event as the encoders of both dialects take it, after heavy values were worked
// out: a histogram is counted, an image is a PNG. Everything is borrowed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sightline/recorder/message/value.h"
#include "sightline/recorder/tensor/histogram.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct PreparedValue {
  ValueKind kind = ValueKind::kScalar;
  std::string_view tag;                      // Clean (tag.h).
  double scalar = 0;                         // kScalar.
  TensorView tensor;                         // kTensor.
  std::optional<std::uint32_t> tensor_crc;   // CRC32C of the tensor's bytes, where known.
  std::string_view message;                  // The serialized kinds.
  const HistogramData* histogram = nullptr;  // kHistogram.
  const PngImage* image = nullptr;           // kImage; its bytes are the PNG file.
};

// Which event of a step a value goes into.
enum class EventPart {
  kSummary,   // One event for all of them.
  kOwnEvent,  // An event of its own, in every file that takes it.
  kLineage,   // An event of its own in the MindSpore dialect's second file; TensorBoard's summary
              // event.
};

constexpr EventPart PartOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kScalar:
    case ValueKind::kHistogram:
    case ValueKind::kTensor:
    case ValueKind::kImage:
    case ValueKind::kLandscape:
      return EventPart::kSummary;
    case ValueKind::kGraph:
    case ValueKind::kTensorBoardEvent:
      return EventPart::kOwnEvent;
    case ValueKind::kTrainLineage:
    case ValueKind::kEvaluationLineage:
    case ValueKind::kDatasetGraph:
    case ValueKind::kCustomLineage:
      return EventPart::kLineage;
  }
  return EventPart::kSummary;
}

struct PreparedEvent {
  double wall_time = 0;  // Unix seconds.
  std::int64_t step = 0;
  std::span<const PreparedValue> values;
};

// The common event, one scalar, in a form of its own: a general event costs three times as much.
struct ScalarEvent {
  double wall_time = 0;  // Unix seconds.
  std::int64_t step = 0;
  std::string_view tag;  // Clean.
  double value = 0;
};

}  // namespace sightline
