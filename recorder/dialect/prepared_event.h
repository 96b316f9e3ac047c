// PreparedEvent: one event for the encoders of both dialects, after the heavy work is done:
// histograms are counted, and images are PNGs. Everything is borrowed.
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
  std::optional<std::uint32_t> tensor_crc;   // CRC32C of the tensor's bytes, if known.
  std::string_view message;                  // The serialized kinds.
  const HistogramData* histogram = nullptr;  // kHistogram.
  const PngImage* image = nullptr;           // kImage; its bytes are the PNG file.
};

// The event that a value goes into.
enum class EventPart {
  kSummary,   // The summary event, which all such values of a step share.
  kOwnEvent,  // An event of its own, in every file whose dialect has a form for it.
  kLineage,   // MindSpore: an event of its own in the lineage file. TensorBoard: the summary event.
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
  // Some of its values were outside of the journal and are lost (ExternalValues).
  bool incomplete = false;
};

// An event with one scalar. It is the most common one, and costs a third of a general event.
struct ScalarEvent {
  double wall_time = 0;  // Unix seconds.
  std::int64_t step = 0;
  std::string_view tag;  // Clean.
  double value = 0;
};

}  // namespace sightline
