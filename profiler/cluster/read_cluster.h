// Reads the parts of a cluster from the folders of its ranks, on the cores of this machine.
//
//   ClusterParts read = ReadParts({"./profile"}, {});
//   Cluster cluster = JoinParts(std::move(read.parts));
#pragma once

#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/rank_part.h"

namespace sightline::profiler {

// The profiles in and below these paths, those of a folder in natural order. A path without one is
// in the list as it is: its error comes when it is read.
std::vector<std::string> ProfilesOf(const std::vector<std::string>& paths,
                                    FileSystem& file_system = FileSystem::Local());

// What could be read, in the order of the paths.
struct ClusterParts {
  std::vector<RankPart> parts;
  std::vector<UnreadRank> unread;  // Nothing of it could be read.
  std::vector<UnreadRank> damage;  // A file of a rank of `parts`, and what is wrong with it.
};

// The parts of this profile: one, or one for each rank of a folder that holds several.
ClusterParts ReadPart(const std::string& profile, FileSystem& file_system = FileSystem::Local());

// Those of these profiles, read by several threads. Needs the memory of a profile for each core.
ClusterParts ReadParts(const std::vector<std::string>& profiles);

}  // namespace sightline::profiler
