// The values that can be recorded under a tag.
#pragma once

#include <string_view>

#include "sightline/base/tag.h"
#include "sightline/recorder/message/kinds.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// A borrowed value. The recorder copies or writes what it needs before the call returns.
// FormOf(kind) tells which member has it.
struct Value {
  ValueKind kind = ValueKind::kScalar;
  double scalar = 0;         // kNumber. The files contain a float32.
  TensorView tensor;         // kTensor.
  std::string_view message;  // kMessage: a serialized message.

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
