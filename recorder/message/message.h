// What the serialized kinds have in common: whether bytes are such a message.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

// kInvalidArgument unless `serialized` is the protobuf message that `kind` records: one that
// readers can parse, with every string in UTF-8. Costs about what parsing costs. OK for kinds that
// are no messages.
Status CheckMessage(ValueKind kind, std::string_view serialized);

}  // namespace sightline
