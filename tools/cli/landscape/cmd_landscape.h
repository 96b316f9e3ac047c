// The verbs of `sightline landscape`, one file each; see commands.h.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sightline/landscape/directions/plane_options.h"
#include "sightline/landscape/surface/loss_function.h"

namespace sightline {

// Makes the loss that `landscape run` computes without --loss: the mean over `samples` samples,
// callable by `workers` threads at a time.
using LossMaker = std::function<Result<landscape::LossFunction>(std::int64_t samples, int workers)>;

void AddLandscapeCommand(CLI::App& app, int& exit_code, LossMaker default_loss);
void AddLandscapeExportCommand(CLI::App& app, int& exit_code);
void AddLandscapeInfoCommand(CLI::App& app, int& exit_code);
void AddLandscapeRunCommand(CLI::App& app, int& exit_code, LossMaker default_loss);

// The arguments that describe a plane, for every verb that makes planes.
struct PlaneArguments {
  std::string directory;
  std::optional<std::string> parameters;
  std::string normalisation = "layer";
  std::uint64_t seed = 0;
  bool ignore_biases_and_norms = false;
  bool random_second = false;
  std::string size;     // "40", or "40x20" along x and y; empty: the default.
  std::string x_range;  // "-1:1"; empty: the default.
  std::string y_range;
  std::int64_t line_size = 0;
  std::vector<std::string> directions;
  int threads = 0;
};

// `arguments` must live as long as the command.
void AddPlaneArguments(CLI::App& command, PlaneArguments& arguments);
// REQUIRES: what AddPlaneArguments checks.
Result<landscape::PlaneOptions> MakePlaneOptions(const PlaneArguments& arguments);

}  // namespace sightline
