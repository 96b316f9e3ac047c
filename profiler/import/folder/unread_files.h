// The files of MindSpore's and torch_npu's folders that are known but not read, each with the
// reason, so that every file of a profile is either read or listed with a reason.
#pragma once

#include <string_view>

namespace sightline::profiler {

inline constexpr std::string_view kUnknownFile = "unknown file";

// Why a file of this name is not read; kUnknownFile if the name is not one of theirs.
std::string_view WhyUnread(std::string_view name);

}  // namespace sightline::profiler
