// The style and the script, which are the same in every exported page. Private to this
// folder.
#pragma once

#include <string_view>

namespace sightline {

extern const std::string_view kHtmlStyle;
extern const std::string_view kHtmlScript;

}  // namespace sightline
