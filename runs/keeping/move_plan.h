// The plan of which runs move, before anything does: what goes with each, how large it is, and why
// one is refused.
//
// Plain functions, callable from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/runs/keeping/run_extent.h"
#include "sightline/runs/keeping/trash_record.h"
#include "sightline/runs/model/run.h"

namespace sightline {

// A run and where it was found.
struct LocatedRun {
  std::shared_ptr<const Run> run;
  std::string root;     // The directory below which it was found, as it was given.
  bool chosen = false;  // To be moved.
};

struct PlannedMove {
  std::shared_ptr<const Run> run;
  std::string folder;     // The real path of the folder that gets the trash.
  std::string directory;  // The run's, below it.
  RunExtent extent;
  std::vector<MovedNote> notes = {};
  Status refused;           // Why it does not move.
  std::string within = {};  // If it goes with another run: its directory.
};

struct MoveOptions {
  bool whole = false;  // See ExtentRequest.
  const Clock* clock = &Clock::System();
};

// The chosen runs of `runs`, which are all that were found, in their order. The trash is in the
// root, or for a run that is the root itself in the folder that holds it. Refused are runs
//
// - that are being recorded, by their state or the lock of a journal of events or of points, or of
//   which only another machine can tell;
// - that are reached through a link, are in a trash, or are on another file system than the trash;
// - whose folders may not be written.
std::vector<PlannedMove> PlanMoves(const std::vector<LocatedRun>& runs, const MoveOptions& options);

// kUnavailable, with the reason, if a recorder holds a journal in a directory of the run, or may.
Status CheckNotRecording(const Run& run, const Clock& clock);

// The record with which a trash moves the run.
TrashRecord RecordOf(const PlannedMove& move, std::string id, const Clock& clock);

}  // namespace sightline
