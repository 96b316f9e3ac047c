// sightline demo: a real training, recorded with everything on.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/tools/cli/commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/demo/demo.h"

namespace sightline {
namespace {

using demo::DemoOptions;
using demo::DemoReport;

struct DemoCommand {
  DemoOptions options;
  std::vector<std::string> formats = {"mindspore", "tensorboard"};
  bool json = false;
};

constexpr char kHelp[] =
    "Trains a small network on real handwritten digits and records everything about it.\n"
    "\n"
    "A convolutional network learns 1,797 digits of the UCI repository, on one thread, in a few "
    "seconds.\n"
    "Every step is recorded: loss, accuracy, learning rate, histograms of all parameters, the "
    "batch as\n"
    "picture, activations as tensors and .npy files, the network's graph, and the run's lineage.\n"
    "Afterwards recorded and unrecorded blocks of steps alternate, to measure what recording "
    "costs.\n";

constexpr char kExamples[] =
    "Examples:\n"
    "  sightline demo                                        into ./sightline_demo/<date>-<time>\n"
    "  sightline demo ./run && tensorboard --logdir ./run    look at it in TensorBoard\n"
    "  sightline demo --landscape-size 40 ./run              and draw its loss landscapes\n"
    "  sightline demo --save-graphs 1 ./run                  and dump its graph into ./run/graphs\n"
    "  sightline demo --epochs 3 --formats tensorboard --json\n"
    "\n"
    "Exit codes: 0 done, 2 not done.";

const std::map<std::string, Format> kFormats = {{"mindspore", Format::kMindSpore},
                                                {"tensorboard", Format::kTensorBoard}};

// Sorts by time, and two demos in a row do not share it.
std::string NewDirectory() {
  return fmt::format("./sightline_demo/{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
}

nlohmann::ordered_json ToJson(const demo::Overhead& overhead) {
  return {{"percent", overhead.percent},
          {"percent_low", overhead.percent_low},
          {"percent_high", overhead.percent_high},
          {"step_milliseconds", overhead.step_milliseconds},
          {"caller_microseconds", overhead.caller_microseconds},
          {"worker_microseconds", overhead.worker_microseconds},
          {"pairs", overhead.pairs},
          {"steps_a_block", overhead.steps_a_block}};
}

nlohmann::ordered_json ToJson(const DemoReport& report) {
  nlohmann::ordered_json json = {{"directory", report.directory},
                                 {"files", report.stats.files},
                                 {"epochs", report.epochs},
                                 {"steps", report.steps},
                                 {"train_images", report.train_images},
                                 {"test_images", report.test_images},
                                 {"final_loss", report.final_loss},
                                 {"test_accuracy", report.test_accuracy},
                                 {"seconds", report.seconds},
                                 {"recorded_values", report.stats.accepted_values},
                                 {"recorded_events", report.stats.accepted_events},
                                 {"written_bytes", report.stats.written_bytes},
                                 {"dropped_values", report.stats.dropped_values}};
  if (!report.landscapes.empty()) json["landscapes"] = report.landscapes;
  if (report.profile) {
    json["profile"] = {{"path", report.profile->path},
                       {"events", report.profile->events},
                       {"dropped", report.profile->dropped}};
  }
  if (report.graphs)
    json["graphs"] = {{"path", report.directory + "/graphs"}, {"dumps", report.graphs->dumps}};
  if (report.overhead) json["overhead"] = ToJson(*report.overhead);
  return json;
}

int Run(const DemoCommand& command) {
  DemoOptions options = command.options;
  options.formats.clear();
  for (const std::string& name : command.formats) options.formats.push_back(kFormats.at(name));
  if (options.directory.empty()) options.directory = NewDirectory();
  // With --json standard output is the JSON object alone.
  std::FILE* const progress = command.json ? stderr : stdout;
  const auto report = demo::RunDemo(options, [&](std::string_view line) {
    fmt::print(progress, "{}\n", line);
    std::fflush(progress);
  });
  if (!report) {
    fmt::print(stderr, "sightline demo: {}\n", report.error().message());
    return kExitError;
  }
  if (command.json) {
    fmt::print("{}\n", IndentedJson(ToJson(*report)));
  }
  return kExitOk;
}

}  // namespace

void AddDemoCommand(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<DemoCommand>();
  DemoOptions& options = command->options;
  CLI::App* verb = app.add_subcommand("demo", kHelp);
  verb->footer(kExamples);
  verb->add_option("DIR,--dir", options.directory,
                   "Where to record, new or empty; if not given, ./sightline_demo/<date>-<time>");
  verb->add_option("--epochs", options.epochs, "How often the training sees every image")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--formats", command->formats, "Which files to write, with a comma between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(&kFormats))
      ->capture_default_str();
  verb->add_option(
          "--overhead-pairs", options.overhead_pairs,
          "How many pairs of a recorded and an unrecorded block to compare, 0.6 s each; 0: none")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  verb->add_option("--landscape-size", options.landscape_size,
                   "Points along each axis of loss landscapes of the training and around its "
                   "result, 3 to 256, drawn as DIR/landscape_*.svg; 0: none")
      ->check(CLI::Range(3, 256) | CLI::IsMember({0}))
      ->capture_default_str();
  verb->add_option(
          "--save-graphs", options.save_graphs,
          "Dump the network's graph as a compiler would, into DIR/graphs: 0 not at all; 1 "
          "after each stage and pass; 2 also detail of the back end; 3 also each step of a "
          "pass, and a .dot beside each dump")
      ->type_name("LEVEL")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  verb->add_flag("--profile", options.profile,
                 "Record where each step's time goes too, into DIR/profile: a trace for Perfetto");
  verb->add_flag("--json", command->json,
                 "One JSON object on standard output, progress on standard error");
  verb->callback([command, &exit_code] { exit_code = Run(*command); });
}

}  // namespace sightline
