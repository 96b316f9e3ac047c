// Values: what can be recorded under a tag.
//
// Adding a kind: docs/adding_a_kind.md.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/base/tag.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// Numbers are written into the journal: frozen. The first four and the landscape share an event
// with the other values of their step; a graph and a TensorBoard event are events of their own;
// lineage goes to the second file.
enum class ValueKind : std::uint8_t {
  kScalar = 1,
  kHistogram = 2,  // A tensor whose histogram is recorded.
  kTensor = 3,
  kImage = 4,         // A tensor (batch, channels 1 or 3, height, width).
  kGraph = 5,         // A serialized GraphProto (recorder/message/graph.h).
  kLandscape = 6,     // A serialized LossLandscape (recorder/message/landscape.h).
  kTrainLineage = 7,  // Serialized messages of recorder/message/lineage.h.
  kEvaluationLineage = 8,
  kDatasetGraph = 9,
  kCustomLineage = 10,
  // A serialized Event of TensorBoard's schema without time, step and version, which the recorder
  // sets (CheckMessage): whatever that dialect can say and no other kind does, such as the values
  // of its plugins. MindSpore's dialect has no form for it: its files leave it out, and a Recorder
  // without Format::kTensorBoard refuses it. The tag is not written; it tells those of one Record
  // apart.
  kTensorBoardEvent = 11,
};
inline constexpr ValueKind kLastValueKind = ValueKind::kTensorBoardEvent;

// A borrowed value: the recorder has copied or written what it needs before the call returns.
struct Value {
  ValueKind kind = ValueKind::kScalar;
  double scalar = 0;         // kScalar. Files hold float32.
  TensorView tensor;         // kHistogram, kTensor, kImage.
  std::string_view message;  // The serialized kinds.

  static Value Scalar(double value) { return {ValueKind::kScalar, value, {}, {}}; }
  static Value Histogram(TensorView values) { return {ValueKind::kHistogram, 0, values, {}}; }
  static Value Tensor(TensorView values) { return {ValueKind::kTensor, 0, values, {}}; }
  static Value Image(TensorView nchw) { return {ValueKind::kImage, 0, nchw, {}}; }
  static Value Message(ValueKind kind, std::string_view serialized) {
    return {kind, 0, {}, serialized};
  }
};

struct TaggedValue {
  Tag tag;
  Value value;
};

}  // namespace sightline
