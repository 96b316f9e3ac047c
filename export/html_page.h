// The parts of an exported page that are the same in each: style and script. Private to this
// folder.
#pragma once

#include <string_view>

namespace sightline {

extern const std::string_view kHtmlStyle;
extern const std::string_view kHtmlScript;

}  // namespace sightline
