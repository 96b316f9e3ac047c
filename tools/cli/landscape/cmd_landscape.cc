// sightline landscape: loss landscapes. Hands the command line to its own verbs.
#include "sightline/tools/cli/landscape/cmd_landscape.h"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Loss landscapes: the loss around the parameters that a training went through.

They are computed from the checkpoints and the ckpt_dir/train_metadata.json that a training with
collect_landscape leaves. docs/landscape.md explains the method and the pictures.
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape info ./run            directions and trajectory: needs no loss
  sightline landscape info --json ./run | jq .path
  sightline landscape run --loss 'python3 loss.py' ./run
  sightline landscape export --format svg -o . ./run)";

// Reads "40" or "40x20"; nullopt for anything else.
std::optional<std::array<std::int64_t, 2>> ParseSize(std::string_view text) {
  const auto point_count = [](std::string_view word) {
    const auto count = ParseNumber<std::int64_t>(word);
    return count && *count >= 1 && *count <= 4096 ? count : std::nullopt;
  };
  const std::size_t cross = text.find('x');
  const auto x = point_count(text.substr(0, cross));
  const auto y = cross == std::string_view::npos ? x : point_count(text.substr(cross + 1));
  if (!x || !y) return std::nullopt;
  return std::array<std::int64_t, 2>{*x, *y};
}

std::string CheckSize(const std::string& text) {
  if (ParseSize(text)) return {};
  return "'" + text + "' is not a size: write 40, or 40x20, each from 1 to 4096";
}

// Reads "-1:0.5"; nullopt for anything else.
std::optional<std::array<double, 2>> ParseRange(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto low = ParseNumber<double>(text.substr(0, colon));
  const auto high = ParseNumber<double>(text.substr(colon + 1));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low <= *high))
    return std::nullopt;
  return std::array<double, 2>{*low, *high};
}

std::string CheckRange(const std::string& text) {
  if (ParseRange(text)) return {};
  return "'" + text +
         "' is not a range: write two finite numbers, the smaller one first, as in -1:0.5";
}

}  // namespace

void AddLandscapeCommand(CLI::App& app, int& exit_code, LossMaker default_loss) {
  CLI::App* command = app.add_subcommand("landscape", kHelp);
  command->footer(kExamples);
  command->require_subcommand(1);
  AddLandscapeExportCommand(*command, exit_code);
  AddLandscapeInfoCommand(*command, exit_code);
  AddLandscapeRunCommand(*command, exit_code, std::move(default_loss));
}

void AddPlaneArguments(CLI::App& command, PlaneArguments& arguments) {
  command
      .add_option("DIR", arguments.directory,
                  "A run, its ckpt_dir, or the train_metadata.json itself")
      ->required();
  command.add_option("--parameters", arguments.parameters,
                     "The parameters that move, as a regular expression like Python's (default: "
                     "MindSpore's rule, 'weight' or 'bias' in the name, not 'moment')");
  command
      .add_option("--normalisation", arguments.normalisation,
                  "How directions are scaled: none, layer (MindSpore) or filter (Li et al. 2018)")
      ->check(CLI::IsMember({"none", "layer", "filter"}))
      ->capture_default_str();
  command.add_flag("--ignore-biases-and-norms", arguments.ignore_biases_and_norms,
                   "Leave out parameters of fewer than two dimensions");
  command.add_option("--seed", arguments.seed, "The seed of random directions")
      ->capture_default_str();
  command.add_flag("--random-second", arguments.random_second,
                   "Take a random second direction if the checkpoints are on a line");
  command
      .add_option("--size", arguments.size,
                  "Points along each axis, or 40x1 along x and y: that is a line along the first "
                  "direction (default: the metadata's landscape_size)")
      ->check(CheckSize);
  command
      .add_option("--x-range", arguments.x_range,
                  "The range along the first direction, such as -1:0.5 (default: a fifth beyond "
                  "the trajectory; -1:1 around the result)")
      ->check(CheckRange);
  command.add_option("--y-range", arguments.y_range, "The same along the second direction")
      ->check(CheckRange);
  command
      .add_option("--lines", arguments.line_size,
                  "Points of each line: along both directions, and from an interval's first "
                  "checkpoint straight to its last (default: no lines)")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--directions", arguments.directions,
                  "Your own directions: one or two files with tensors under the parameters' names; "
                  "one with --random-second")
      ->expected(1, 2);
  command.add_option("--threads", arguments.threads, "Threads (default: one a processor)")
      ->check(CLI::Range(1, 1024));
}

Result<landscape::PlaneOptions> MakePlaneOptions(const PlaneArguments& arguments) {
  landscape::PlaneOptions options;
  options.parameters = {arguments.parameters, arguments.ignore_biases_and_norms};
  options.directions.normalisation = landscape::NormalisationNamed(arguments.normalisation)
                                         .value_or(landscape::Normalisation::kLayer);
  options.directions.seed = arguments.seed;
  options.directions.random_second = arguments.random_second;
  options.directions.threads = arguments.threads;
  if (const auto size = ParseSize(arguments.size)) {
    options.x_size = (*size)[0];
    options.y_size = (*size)[1];
  }
  options.x_range = ParseRange(arguments.x_range);
  options.y_range = ParseRange(arguments.y_range);
  options.line_size = arguments.line_size;
  for (const std::string& path : arguments.directions) {
    SIGHTLINE_ASSIGN_OR_RETURN(landscape::Checkpoint direction, landscape::Checkpoint::Open(path));
    options.given_directions.push_back(std::move(direction));
  }
  return options;
}

}  // namespace sightline
