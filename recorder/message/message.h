// Checks the serialized kinds of values.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

// kInvalidArgument unless `serialized` is the protobuf message of `kind`, readers can parse it, and
// every string in it is UTF-8. A TensorBoard event must also have a content, and not have the
// fields that the recorder sets. OK for kinds without a message. This takes about as long as
// parsing the message.
Status CheckMessage(ValueKind kind, std::string_view serialized);

}  // namespace sightline
