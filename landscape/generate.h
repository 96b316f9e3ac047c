// GenerateLandscapes: computes landscapes from a training's checkpoints and a loss, and records
// them in the run's files.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(TrainMetadata metadata, ReadTrainMetadata("./run"));
//   SIGHTLINE_ASSIGN_OR_RETURN(auto made, GenerateLandscapes(metadata, loss, {.workers = 2}));
//
// Each point is appended to a journal in the run's directory as soon as it is known, so if the work
// is killed, the same call continues it. It may run on any thread. While one call works on a
// landscape, another is refused.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/train_metadata.h"
#include "sightline/landscape/directions/plane_options.h"
#include "sightline/landscape/surface/loss_function.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

struct GenerateProgress {
  std::string tag;
  std::size_t points_done = 0;  // Of this landscape, including those of an earlier call.
  std::size_t points = 0;
  double seconds_left = 0;  // For this landscape, at the speed so far.
};

struct GenerateOptions {
  PlaneOptions plane = {};
  int workers = 1;  // Threads that call the loss.
  // Compute a landscape of each interval, and one around the last checkpoint. By default as in the
  // metadata.
  std::optional<bool> intervals = {};
  std::optional<bool> result = {};
  // Discard the points of an earlier call instead of continuing.
  bool restart = false;
  const std::atomic<bool>* cancelled = nullptr;  // True ends the work with kUnavailable.
  ParameterBuffer buffer = {};                   // See loss_function.h.
  // Called after every point, one call at a time.
  std::function<void(const GenerateProgress&)> progress = {};
  const Clock* clock = &Clock::System();  // It must outlive the call.
};

// Evaluates the points that are not known yet, and records each finished landscape once, under
// MindSpore's tag at step 0, in new event files in the run's directory. Returns all landscapes.
Result<std::vector<LossLandscape>> GenerateLandscapes(const TrainMetadata& metadata,
                                                      const LossFunction& loss,
                                                      const GenerateOptions& options);

}  // namespace sightline::landscape
