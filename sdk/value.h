// ConvertedValue: a value of the C interface as one of the recorder's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/value.h"
#include "sightline/sdk/sightline.h"

namespace sightline::sdk {

// Borrows what the value borrows. Must not move while `value` is used, if it holds a message.
struct ConvertedValue {
  TaggedValue tagged{Tag(""), {}};
  std::string message;  // Made here: a text or a sound in TensorBoard's form.
};

// kInvalidArgument, with words that name the tag, unless kind, dtype, shape, bytes and pointers fit
// each other, and a message is one of its kind. What a kind demands of an array is checked by the
// recorder.
Status ConvertValue(const sightline_value& given, ConvertedValue& converted);

// The values of one call, and the errors of those that are none and were left out.
struct ConvertedValues {
  std::vector<ConvertedValue> kept;
  std::vector<Status> errors;
};

// Converts an array. `as`: the sightline_kind as which all are taken; 0: what each says. An error
// means that the elements cannot be found (TakeStructs).
Status ConvertValues(const sightline_value* values, std::size_t count, ConvertedValues& all,
                     std::int32_t as = 0);

// A sightline_kind that is one of the recorder's; kInvalidArgument for others.
Result<ValueKind> RecordedKind(std::int32_t kind);

}  // namespace sightline::sdk
