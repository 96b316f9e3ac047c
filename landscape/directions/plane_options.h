// PlaneOptions: how to make the plane of a landscape from a training's checkpoints.
//
// Plain values; callable from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/checkpoint.h"
#include "sightline/landscape/directions/parameter_set.h"

namespace sightline::landscape {

// How the length of a direction is chosen.
enum class Normalisation {
  kNone,
  kLayer,   // Each parameter's part gets the norm of the parameter in the last checkpoint:
            // MindSpore.
  kFilter,  // The same for each row of the first dimension (Li et al. 2018, section 4).
};

std::string_view NormalisationName(Normalisation normalisation);  // "none", "layer", "filter".
std::optional<Normalisation> NormalisationNamed(std::string_view name);

struct DirectionOptions {
  Normalisation normalisation = Normalisation::kLayer;
  std::uint64_t seed = 0;
  // If there is only one direction (checkpoints on a line, or one given direction), take a random
  // second one that is orthogonal to it, instead of returning an error.
  bool random_second = false;
  int threads = 0;  // 0: one for each core.
};

struct PlaneOptions {
  ParameterChoice parameters = {};
  DirectionOptions directions = {};
  // Points along each axis, 1 to 4096; by default the metadata's landscape_size.
  std::optional<std::int64_t> x_size = {};
  std::optional<std::int64_t> y_size = {};
  // Smallest and largest coordinate. By default around the trajectory as in MindSpore, and -1 to 1
  // around a result.
  std::optional<std::array<double, 2>> x_range = {};
  std::optional<std::array<double, 2>> y_range = {};
  // Points of each line, 0 to 4096; 0: no lines. Two lines go along the directions through the last
  // checkpoint, as far as the axes reach; one goes straight from an interval's first checkpoint to
  // its last, and a fifth beyond both.
  std::int64_t line_size = 0;
  // Directions of the user: none or two, or one with directions.random_second. Each has tensors
  // under the parameters' names. They are normalised like the others.
  std::vector<Checkpoint> given_directions = {};

  // OK, or kInvalidArgument naming every option out of range.
  Status Check() const;
};

}  // namespace sightline::landscape
