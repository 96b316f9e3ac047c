// GenerateLandscapes: from a training's checkpoints and a loss to landscapes in the run's files.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(TrainMetadata metadata, ReadTrainMetadata(files, "./run"));
//   SIGHTLINE_ASSIGN_OR_RETURN(auto landscapes, GenerateLandscapes(metadata, loss, {.workers =
//   2}));
//
// Every point is kept in a journal in the run's directory as it is known; when the work is killed,
// the same call goes on where it was. It may run on any thread; two calls for one run at a time:
// the second is refused.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/landscape/plane.h"
#include "sightline/landscape/surface.h"
#include "sightline/landscape/train_metadata.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

struct GenerateProgress {
  std::string tag;
  std::size_t points_done = 0;  // Of this landscape, those of an earlier run included.
  std::size_t points = 0;
  double seconds_left = 0;  // For this landscape, at the speed so far.
};

// As EvaluateSurface.
using SurfaceEvaluator = std::function<Status(const Plane& plane, const LossFunction& loss,
                                              const SurfaceOptions& options, PointValues& known)>;

struct GenerateOptions {
  PlaneOptions plane = {};
  int workers = 1;  // Threads that call the loss.
  // A landscape of each interval, and one around the last checkpoint; none: as the metadata says.
  std::optional<bool> intervals = {};
  std::optional<bool> result = {};
  // Throw away the points of an earlier run instead of going on.
  bool restart = false;
  const std::atomic<bool>* cancelled = nullptr;  // True ends the work with kUnavailable.
  decltype(SurfaceOptions::buffer) buffer = {};  // As SurfaceOptions has it.
  // Who evaluates, where that is not the threads of this process: ranks of an MPI job
  // (mpi/mpi_surface.h).
  SurfaceEvaluator evaluate = EvaluateSurface;
  // This process only evaluates what the job's owner hands out, by `evaluate`: it keeps and records
  // nothing, and returns nothing.
  bool is_helper = false;
  // Called after every point, one call at a time.
  std::function<void(const GenerateProgress&)> progress = {};

  // Seams for tests; both must outlive the call.
  FileSystem* files = &FileSystem::Local();
  const Clock* clock = &Clock::System();
};

// Evaluates what is not known yet, and records each finished landscape once, under MindSpore's tag
// at step 0, in new event files in the run's directory. Returns all of them.
Result<std::vector<LossLandscape>> GenerateLandscapes(const TrainMetadata& metadata,
                                                      const LossFunction& loss,
                                                      const GenerateOptions& options);

}  // namespace sightline::landscape
