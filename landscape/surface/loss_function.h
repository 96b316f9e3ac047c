// LossFunction: computes the loss at a point of a landscape.
//
//   const LossFunction loss = [&](const PointParameters& point) -> Result<std::vector<double>> {
//     return std::vector<double>{network.Loss(point.values)};
//   };
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions/parameter_set.h"

namespace sightline::landscape {

// The point whose loss is computed. Everything is valid only during the call.
struct PointParameters {
  // The place on the plane, in units of the directions; 0, 0 is the last checkpoint. For a point of
  // the line between the first and the last checkpoint, x is the part of the way, and y is 0.
  double x = 0;
  double y = 0;
  std::span<const float> values;  // Laid out as parameters.slots() tells.
  const ParameterSet& parameters;
  int worker = 0;  // From 0. Calls of one worker do not overlap; those of several do.
};

// Returns the loss at a point, and whatever else was measured: at least one number, the same count
// at each point; NaN and infinity are allowed. An error or an exception ends the evaluation.
using LossFunction = std::function<Result<std::vector<double>>(const PointParameters&)>;

// Returns the memory in which a worker forms the parameters of its points, for example memory that
// another process reads (command_loss.h). It must be as long as `parameters`, and stay valid until
// the worker gets other parameters. Each worker calls it once, when it begins. If the function is
// empty, or returns another size, the worker uses memory of its own.
using ParameterBuffer = std::function<std::span<float>(const ParameterSet& parameters, int worker)>;

}  // namespace sightline::landscape
