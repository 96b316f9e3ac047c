// The files of MindSpore's and torch_npu's folders that are known, but not read, each with the
// reason. So every file of a profile is either read, or listed with a reason.
#pragma once

#include <string_view>

namespace sightline::profile {

// Why a file of this name is not read; "not known" if it is none of theirs.
std::string_view WhyUnread(std::string_view name);

}  // namespace sightline::profile
