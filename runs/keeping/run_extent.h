// RunExtent: which files and folders go with a run when it moves.
//
// A folder may hold more than its run: other runs below it, and files of whoever started the
// training. What goes is what recorders write, and what belongs to a training by its name:
//
// - event files, journals and marks of ours, consoles of `sightline run`, landscapes' points;
// - checkpoints (*.ckpt, *.safetensors, *.pt, *.pth, *_graph.meta) with train_metadata.json,
//   hparams.yaml and projector_config.pbtxt;
// - the folders ckpt*, checkpoint*, landscape*, export_*, whole;
// - all of a folder that W&B or SwanLab made for one run.
//
// Where nothing else is in a folder, the folder goes. A folder that holds another run stays, even
// if all else is asked for.
//
// A plain function, callable from any thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

struct ExtentRequest {
  std::string folder;              // A real path. All paths below are below it.
  std::string run;                 // The run's directory.
  std::set<std::string> own;       // The directories of the run's parts; `run` is one.
  std::set<std::string> made;      // Those of them that W&B or SwanLab made.
  std::set<std::string> others;    // Directories of runs that stay.
  std::set<std::string> recorded;  // The run's event files.
  bool whole = false;              // Also what belongs to no recorder.
};

struct RunExtent {
  std::vector<std::string> paths;  // What moves, below the folder; each by one rename.
  std::vector<std::string> left;   // What is in the run's directories and stays.
  std::uint64_t files = 0;         // In `paths`,
  std::uint64_t bytes = 0;         // and the sum of their sizes.
};

// An error if a directory cannot be listed. Links are not followed: a link moves as a link.
Result<RunExtent> FindExtent(const ExtentRequest& request);

}  // namespace sightline
