// What differs between two runs apart from their values: settings, code, packages, machine. These
// come from the lineage and from the facts that a session keeps about itself (docs/runs.md, "What a
// run ran on").
//
// A plain function, callable from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

enum class DifferenceKind : std::uint8_t {
  kSetting,
  kCode,     // run.git
  kPackage,  // run.packages, one by one; Python's version
  kMachine,  // Host, devices, drivers
  kLaunch,   // The command, and what the launcher set
};
// "setting", "code", ...
std::string_view DifferenceKindName(DifferenceKind kind);

struct RunDifference {
  DifferenceKind kind = DifferenceKind::kSetting;
  std::string name;
  std::string a;  // Empty: not recorded.
  std::string b;
};

struct RunDifferences {
  std::vector<RunDifference> all;  // By kind, then by name.
  // The kinds of which only one run recorded anything, so that nothing can be said.
  std::vector<DifferenceKind> unknown_in_a;
  std::vector<DifferenceKind> unknown_in_b;
};

// Leaves out results (the last loss) and what names a process and no property of it: directories,
// the numbers of ranks and jobs.
RunDifferences DifferencesOf(const RunLineage& a, const RunLineage& b);

}  // namespace sightline
