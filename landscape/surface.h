// Surface: the loss at every point of a plane's grid, of its path and of its lines.
//
// A point's parameters are (last + y * second) + x * first, formed in float64 and rounded to
// float32 once: they depend on the point alone.
//
// Points come coarse to fine, so that a rough picture exists early: first the path, then the grid's
// points in rounds of half the distance each, and last the lines.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/journal/landscape_outline.h"
#include "sightline/landscape/plane.h"

namespace sightline::landscape {

// Where a loss is asked for. Everything is borrowed for the call.
struct PointParameters {
  double x = 0;  // As PlanePoint has them.
  double y = 0;
  std::span<const float> values;  // As plane.parameters.slots() lays them out.
  const ParameterSet& parameters;
  int worker = 0;  // From 0: calls of one worker come one after another, those of several at once.
};

// The loss, and whatever else was measured, at a point: as many numbers at each, one at least, NaN
// and infinity included. An error ends the evaluation; so does what it throws.
using LossFunction = std::function<Result<std::vector<double>>(const PointParameters&)>;

// Where a point lies; they are numbered as PointValues says (journal/landscape_outline.h).
struct PlanePoint {
  double x = 0;
  double y = 0;
  // Not on the plane, but on the line between the first and the last checkpoint: x is the part of
  // the way from the first.
  bool is_between_checkpoints = false;
};
std::size_t PointCount(const Plane& plane);
// REQUIRES: index < PointCount(plane).
PlanePoint PointAt(const Plane& plane, std::size_t index);

// out = the parameters at a point, `last` being the last checkpoint's. All as long as the plane's
// parameters.
void FormPoint(const Plane& plane, std::span<const float> last, const PlanePoint& point,
               std::span<float> out);

// All points, coarse to fine.
std::vector<std::size_t> EvaluationOrder(const Plane& plane);

// OK where `values` can stand beside the points that are known: as many numbers, and one at least.
Status CheckPointValues(const PointValues& known, const std::vector<double>& values);

struct SurfaceOptions {
  int workers = 1;  // Threads that call the loss, 1 to 1024.
  // Asked before every point; true ends the evaluation with kUnavailable.
  const std::atomic<bool>* cancelled = nullptr;
  // Called for each new point, one call at a time, from the workers' threads; an error ends the
  // evaluation.
  std::function<Status(std::size_t index, const std::vector<double>& values)> on_point = {};
  // Where a worker forms the parameters of its points: memory as long as `parameters`, such as what
  // another process reads (command_loss.h), that lives until the worker is asked of other
  // parameters. Called by each worker at its beginning. Empty, or of another size: memory of its
  // own.
  std::function<std::span<float>(const ParameterSet& parameters, int worker)> buffer = {};
};

// Evaluates every point that `known` has not, and adds it there. What was measured before an error
// stays in `known`. The same loss gives the same values, whatever the number of workers.
Status EvaluateSurface(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                       PointValues& known);

}  // namespace sightline::landscape
