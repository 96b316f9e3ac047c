// Finds the profiles in and below a folder, by the names of files; opens none of them.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct FoundProfile {
  std::string path;  // A file, or the folder of one profile.
  SourceFormat format = SourceFormat::kChromeTrace;
};

// In the order of their paths. Folders below a profile's are not searched; at most 8 levels and
// 100,000 entries are looked at.
std::vector<FoundProfile> FindProfiles(FileSystem& files, const std::string& folder);

}  // namespace sightline::profile
