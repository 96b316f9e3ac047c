// Reads the folders of Ascend's msprof: PROF_*/mindstudio_profiler_output/, and msprof_*.db beside
// it.
#pragma once

#include <string>

#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

inline constexpr std::string_view kMsprofOutput = "mindstudio_profiler_output";

// `path`: the folder mindstudio_profiler_output, or the one above it. Its files have the time of
// their export in their names; of several exports the newest is read, with all its slices. The
// timeline is that of msprof_*.json, or else of the database, of op_summary_*.csv, or of
// task_time_*.csv.
Status ReadMsprofFolder(const ImportTarget& target, const std::string& path);

}  // namespace sightline::profiler
