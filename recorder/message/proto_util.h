// What the sources that use generated protobuf classes share. Private to this folder.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace sightline {

// How deep messages may be nested, an event's own levels included: readers stop at 100.
inline constexpr int kMaxMessageDepth = 96;

// False for bytes that are no such message, or are nested deeper than kMaxMessageDepth.
bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite& message);

// The same bytes for the same message, maps included: a recorder that goes on after a kill writes
// the same record again.
std::string SerializeDeterministic(const google::protobuf::MessageLite& message);

}  // namespace sightline
