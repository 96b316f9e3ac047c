// What was read of a rank as JSON, to send it to the machine that joins. Any thread.
//
//   std::string text = PartsToJson(ReadPart(folder));              // Where the files lie.
//   JoinParts(PartsFromJson(text)->parts);                         // The same parts.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/profiler/cluster/read_cluster.h"

namespace sightline::profiler {

// One line. Bytes of names that are not UTF-8 become U+FFFD.
std::string PartsToJson(const ClusterParts& parts);

// kInvalidArgument if PartsToJson of this version did not write it.
Result<ClusterParts> PartsFromJson(std::string_view text);

}  // namespace sightline::profiler
