// TagFilter: the tags that a regular expression chooses, as with the option --tags of the verbs.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const TagFilter filter, MakeTagFilter("--tags", "^loss"));
//   if (!filter || filter("loss/auto")) ...
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// True for tags in which the expression matches anywhere, in time proportional to the tag. Any
// thread may call it.
using TagFilter = std::function<bool(std::string_view tag)>;

// `pattern` is a regular expression of RE2, as in queries. Returns an empty function for an empty
// pattern, which chooses all tags. kInvalidArgument, naming `option` and `pattern`, if RE2 refuses
// the pattern: it has no look-ahead and no back-references.
Result<TagFilter> MakeTagFilter(std::string_view option, std::string_view pattern);

}  // namespace sightline
