// The values that can be recorded under a tag. docs/adding_a_kind.md tells how to add a kind.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/base/tag.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// The kind of a value. The numbers are written into journals and must not change. The first four
// kinds and the landscape share an event with the other values of their step. A graph and a
// TensorBoard event are events of their own. Lineage goes into MindSpore's second file (PartOf in
// recorder/dialect/prepared_event.h).
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
  // A serialized Event of TensorBoard's schema, for everything that no other kind can express, such
  // as values of TensorBoard's plugins. It has no time, step or version, since the recorder sets
  // them (CheckMessage). MindSpore's files leave it out, since they have no form for it, and a
  // Recorder without Format::kTensorBoard refuses it. Its tag is not written; it only distinguishes
  // the TensorBoard events of one Record.
  kTensorBoardEvent = 11,
};
inline constexpr ValueKind kLastValueKind = ValueKind::kTensorBoardEvent;

// A borrowed value. The recorder copies or writes what it needs before the call returns.
struct Value {
  ValueKind kind = ValueKind::kScalar;
  double scalar = 0;         // kScalar. The files contain a float32.
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
