// sightline landscape: loss landscapes. Hands the command line to its own verbs.
#include "sightline/tools/cmd_landscape.h"

#include "sightline/tools/commands.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Loss landscapes: the loss around the parameters that a training went through.

A training that was recorded with collect_landscape has left checkpoints and ckpt_dir/train_metadata.json.
docs/landscape.md says what is computed from them, and what the pictures do and do not show.
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape info ./run            directions and trajectory: needs no loss
  sightline landscape info --json ./run | jq .path
  sightline landscape run --loss 'python3 loss.py' ./run
  sightline landscape export --format svg -o . ./run)";

}  // namespace

void AddLandscapeCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("landscape", kHelp);
  command->footer(kExamples);
  command->require_subcommand(1);
  AddLandscapeExportCommand(*command, exit_code);
  AddLandscapeInfoCommand(*command, exit_code);
  AddLandscapeRunCommand(*command, exit_code);
}

void AddPlaneArguments(CLI::App& command, PlaneArguments& arguments) {
  command
      .add_option("DIR", arguments.directory,
                  "A run, its ckpt_dir, or the train_metadata.json itself")
      ->required();
  command.add_option("--parameters", arguments.parameters,
                     "Regular expression: the parameters that move (default: MindSpore's rule, "
                     "'weight' or 'bias' in the name, not 'moment')");
  command
      .add_option("--normalisation", arguments.normalisation,
                  "How directions are scaled: none, layer (MindSpore) or filter (Li et al. 2018)")
      ->check(CLI::IsMember({"none", "layer", "filter"}))
      ->capture_default_str();
  command.add_flag("--ignore-biases-and-norms", arguments.ignore_biases_and_norms,
                   "Leave out parameters of fewer than two dimensions");
  command.add_option("--seed", arguments.seed, "Of random directions")->capture_default_str();
  command.add_flag("--random-second", arguments.random_second,
                   "A random second direction where the checkpoints lie on a line");
  command
      .add_option("--size", arguments.size,
                  "Points along each axis (default: the metadata's landscape_size)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--threads", arguments.threads, "Threads (default: one a processor)")
      ->check(CLI::Range(1, 1024));
}

landscape::PlaneOptions OptionsOf(const PlaneArguments& arguments) {
  landscape::PlaneOptions options;
  options.parameters = {arguments.parameters, arguments.ignore_biases_and_norms};
  options.directions.normalisation = landscape::NormalisationNamed(arguments.normalisation)
                                         .value_or(landscape::Normalisation::kLayer);
  options.directions.seed = arguments.seed;
  options.directions.random_second = arguments.random_second;
  options.directions.threads = arguments.threads;
  options.x_size = options.y_size = arguments.size;
  return options;
}

}  // namespace sightline
