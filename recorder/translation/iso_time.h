// Times as ISO 8601 writes them. Private to this folder. A plain function, callable from any
// thread.
#pragma once

#include <string_view>

namespace sightline {

// "2026-11-30T07:41:11.724331+00:00", also with 'Z' or with no fraction, in seconds since the Unix
// epoch; 0 for any other text, and for one without an offset, whose zone nobody knows.
double SecondsOfIso(std::string_view text);

}  // namespace sightline
