// Writes a profile as MindSpore 2.0 does for a CPU: the files of a folder profiler/, which
// MindInsight reads.
//
//   for (const ExportedFile& file : ExportMindSpore(profile, range)) {
//     Write("profiler/" + file.name, file.content);
//   }
//
// The files hold the operators (those of `OperatorsOf`), their executions and shapes, the timeline,
// the step trace and the data pipeline. There is no file for what the profile does not have.
// MindInsight 2.3.1 shows the operators of a CPU; its analysers (mindinsight/profiler/analyser)
// read the other files. Formats: mindspore 2.0.0, ccsrc/plugin/device/cpu/hal/profiler and
// profiler/parser. Pure function.
#pragma once

#include <string>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct ExportedFile {
  std::string name;
  std::string content;
};

// Of the operators' executions, those that begin in the range. The files' names have the profile's
// rank, or 0 if it has none.
std::vector<ExportedFile> ExportMindSpore(const Profile& profile, TimeRange range);

}  // namespace sightline::profile
