// TagFilter: which tags a verb's option --tags or --tag chooses.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// True for tags in which the regular expression (ECMAScript) matches anywhere; empty for an empty
// `pattern`, which chooses all tags. kInvalidArgument, which names `option`, if `pattern` is not a
// regular expression.
using TagFilter = std::function<bool(std::string_view tag)>;
Result<TagFilter> MakeTagFilter(const std::string& option, const std::string& pattern);

}  // namespace sightline
