// The times of records, in seconds since the Unix epoch. Private to this folder. Plain functions,
// callable from any thread.
#pragma once

#include <string_view>

namespace sightline {

// Of ISO 8601: "2026-11-30T07:41:11.724331+00:00", also with 'Z' or with no fraction. 0 for any
// other text, and for one without an offset, whose zone nobody knows.
double SecondsOfIso(std::string_view text);

// Of a message google.protobuf.Timestamp. What it lacks is 0.
double SecondsOfTimestamp(std::string_view message);

}  // namespace sightline
