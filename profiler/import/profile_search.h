// Finds the profiles in and below a folder by the names of files. It opens only files of JSON whose
// names do not tell what they hold, and reads their first 64 KB.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct FoundProfile {
  std::string path;  // A file, or the folder of one profile.
  SourceFormat format = SourceFormat::kChromeTrace;
};

// The format of a trace by its file name alone, compressed or not; no value if the name is not that
// of a trace, or the file is a part of a folder.
std::optional<SourceFormat> FormatFromName(std::string_view name);

// The profiles, ordered by path in natural order (rank_2 before rank_10). Folders within a
// profile's folder are not searched, and the search ends at 8 levels and 100,000 entries.
std::vector<FoundProfile> FindProfiles(const std::string& folder,
                                       FileSystem* file_system = &FileSystem::Local());

}  // namespace sightline::profiler
