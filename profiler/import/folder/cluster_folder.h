// Reads a folder cluster_analysis_output of `msprof-analyze cluster`: one rank of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

// Fills the steps, collectives and links of one rank, and profile.ranks with all that the files
// have. `rank`: which one to read; default: the lowest. kNotFound if the folder does not have it.
Status ReadClusterFolder(const ImportTarget& target, const std::string& path,
                         std::optional<std::int64_t> rank);

}  // namespace sightline::profiler
