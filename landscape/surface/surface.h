// Surface: the loss at every point of a plane's grid, of its path and of its lines.
//
// A point's parameters are (last + y * second) + x * first, computed in float64 and rounded to
// float32 once, so they depend only on the point.
//
// Points are evaluated coarse to fine, so that there is a rough picture early: first the path, then
// the grid in rounds that halve the distance between points, and last the lines.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions/plane.h"
#include "sightline/landscape/journal/landscape_outline.h"
#include "sightline/landscape/surface/loss_function.h"

namespace sightline::landscape {

// The place of a point. Points are numbered as in PointValues (journal/landscape_outline.h).
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

// Writes the parameters at a point to `out`. `last` are those of the last checkpoint. Both are as
// long as the plane's parameters.
void FormPoint(const Plane& plane, std::span<const float> last, const PlanePoint& point,
               std::span<float> out);

// All points, coarse to fine.
std::vector<std::size_t> EvaluationOrder(const Plane& plane);

// OK if `values` has at least one number, and as many as the points that are known.
Status CheckPointValues(const PointValues& known, const std::vector<double>& values);

struct SurfaceOptions {
  int workers = 1;  // Threads that call the loss, 1 to 1024.
  // Read before every point; true ends the evaluation with kUnavailable.
  const std::atomic<bool>* cancelled = nullptr;
  // Called for each new point, one call at a time, from the workers' threads; an error ends the
  // evaluation.
  std::function<Status(std::size_t index, const std::vector<double>& values)> on_point = {};
  ParameterBuffer buffer = {};
};

// Evaluates every point that is not in `known`, and adds it there. What was measured before an
// error stays in `known`. The same loss gives the same values with any number of workers.
Status EvaluateSurface(const Plane& plane, const LossFunction& loss, const SurfaceOptions& options,
                       PointValues& known);

}  // namespace sightline::landscape
