// Files of MindSpore's and torch_npu's folders that are known and not read, each with why. So that
// every file of a profile is accounted for: read, or named with its reason.
#pragma once

#include <string_view>

namespace sightline::profile {

// Why a file of this name is not read. "not known" for a name that is none of theirs.
std::string_view WhyUnread(std::string_view name);

}  // namespace sightline::profile
