// The plan of which directories are parts of one training, from what their event files show
// (docs/ranks.md):
//
// - Ranks: two or more directories of one folder, each with a rank (part_evidence.h), that recorded
//   at the same time from the first on. Ranks that only the folders' names tell must be without a
//   gap. Sizes that the sessions tell must agree.
// - Curves: what add_scalars(tag, {key: value}) writes into directories below that of its run.
//   Each becomes the series "<tag>/<key>" of that run.
//
// All else stays a run of its own. A folder that holds event files itself is not joined with the
// ranks below it.
//
// A pure function, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

struct JoinCandidate {
  std::string name;  // Its path below the root, "." for the root.
  std::shared_ptr<const Run> run;
};

struct PlannedPart {
  std::size_t candidate = 0;  // Position in the candidates.
  std::optional<std::int32_t> rank = std::nullopt;
  std::string tag = {};  // Of a curve: its tag in the joined run.
};

// One part without a rank and a tag is a run that stays as it is.
struct PlannedRun {
  std::string name;                // The folder of the ranks, or the name of the only candidate.
  std::vector<PlannedPart> parts;  // By rank; the curves of a rank follow it.
};

// `candidates` are ordered naturally by name. Each is a part of exactly one of the planned runs,
// which are ordered in the same way.
std::vector<PlannedRun> PlanJoins(std::span<const JoinCandidate> candidates);

// The folder in which all directories lie that may be joined with this one; "." for the root.
// `above` is the name of the topmost run in or above which it lies, which may be its own, and `run`
// that run; null if it is not read yet.
std::string FamilyOf(const std::string& name, const std::string& above, const Run* run);

}  // namespace sightline
