// A profile in the layout of MindSpore 2.0 on the processor, the files of a folder profiler/ that
// MindInsight reads.
//
//   for (const ExportedFile& file : ExportMindSpore(profile, range)) write("profiler/" +
//   file.name);
//
// Operators (what `OperatorsOf` counts as such), their executions and shapes, the timeline, the
// step trace and the data pipeline; what the profile does not have makes no file. MindInsight 2.3.1
// shows the operators of a processor; the other files are read by its analysers
// (mindinsight/profiler/analyser). Formats: mindspore 2.0.0, ccsrc/plugin/device/cpu/hal/profiler
// and profiler/parser. Pure function.
#pragma once

#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct ExportedFile {
  std::string name;
  std::string content;
};

// Of operators those that begin in the range. Files are those of the profile's rank, or of rank 0.
std::vector<ExportedFile> ExportMindSpore(const Profile& profile, TimeRange range);

}  // namespace sightline::profile
