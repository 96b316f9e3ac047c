// Paths as ids of runs. Plain functions, callable from any thread.
#pragma once

#include <string>
#include <string_view>

namespace sightline {

// A run's id, which is UTF-8, from bytes that need not be: a byte that is not UTF-8 becomes "%FF",
// and a "%" that would then be ambiguous "%25". Different bytes give different ids.
std::string RunId(std::string_view bytes);

// The bytes of which RunId made `id`. Of any text it makes some bytes.
std::string BytesOfRunId(std::string_view id);

}  // namespace sightline
