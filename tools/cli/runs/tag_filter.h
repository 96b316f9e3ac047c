// TagFilter: which tags a verb's option --tags or --tag chooses.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// Holds for tags that the regular expression (ECMAScript) matches anywhere; empty for an empty
// `pattern`, which chooses all. kInvalidArgument, which names `option`, for what is no regular
// expression.
using TagFilter = std::function<bool(std::string_view tag)>;
Result<TagFilter> MakeTagFilter(const std::string& option, const std::string& pattern);

}  // namespace sightline
