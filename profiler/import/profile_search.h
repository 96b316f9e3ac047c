// Finds the profiles in and below a folder by the names of files. It opens none of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct FoundProfile {
  std::string path;  // A file, or the folder of one profile.
  SourceFormat format = SourceFormat::kChromeTrace;
};

// What a file is by its name alone, compressed or not; nothing for what is no trace, or is part of
// a folder.
std::optional<SourceFormat> FormatOfName(std::string_view name);

// The profiles, ordered by path. Folders within a profile's folder are not searched; nor is more
// than 8 levels and 100,000 entries.
std::vector<FoundProfile> FindProfiles(FileSystem& files, const std::string& folder);

}  // namespace sightline::profile
