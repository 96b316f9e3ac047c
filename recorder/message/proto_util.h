// Helpers of the sources that use generated protobuf classes. Private to this folder.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace sightline {

// How deep messages may be nested. Readers stop at 100, and an event adds levels of its own.
inline constexpr int kMaxMessageDepth = 96;

// Parses `bytes`. False if they are not such a message, or are nested deeper than kMaxMessageDepth.
bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite& message);

// Serializes the message. The same message always gives the same bytes, even with maps, so that a
// replay after a kill makes the same record again.
std::string SerializeDeterministic(const google::protobuf::MessageLite& message);

}  // namespace sightline
