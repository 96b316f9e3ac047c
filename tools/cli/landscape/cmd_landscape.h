// The verbs of `sightline landscape`, one file each; see commands.h.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sightline/landscape/directions/plane.h"

namespace sightline {

void AddLandscapeCommand(CLI::App& app, int& exit_code);
void AddLandscapeExportCommand(CLI::App& app, int& exit_code);
void AddLandscapeInfoCommand(CLI::App& app, int& exit_code);
void AddLandscapeRunCommand(CLI::App& app, int& exit_code);

// What every verb that makes planes takes on its command line.
struct PlaneArguments {
  std::string directory;
  std::string parameters;
  std::string normalisation = "layer";
  std::uint64_t seed = 0;
  bool ignore_biases_and_norms = false;
  bool random_second = false;
  std::string size;     // "40", or "40x20" along x and y.
  std::string x_range;  // "-1:1"; empty: as docs/landscape.md has it.
  std::string y_range;
  std::int64_t line_size = 0;
  std::vector<std::string> directions;
  int threads = 0;
};

// `arguments` must live as long as the command.
void AddPlaneArguments(CLI::App& command, PlaneArguments& arguments);
// REQUIRES: what AddPlaneArguments checks.
Result<landscape::PlaneOptions> OptionsOf(const PlaneArguments& arguments);

}  // namespace sightline
