#include "sightline/tools/demo/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/tools/demo/demo_landscape.h"
#include "sightline/tools/demo/digits_trainer.h"
#include "sightline/tools/demo/graph_dumps.h"
#include "sightline/tools/demo/recording.h"

namespace sightline::demo {
namespace {

using Say = std::function<void(std::string_view)>;

constexpr int kLandscapeEpochs = 3;  // Fewer checkpoints span no plane.

Status Check(const DemoOptions& options) {
  if (options.epochs < 1 || options.overhead_pairs < 0) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("epochs is {} and overhead_pairs {}, but must be at least 1 and 0",
                              options.epochs, options.overhead_pairs));
  }
  if (options.landscape_size != 0 && options.epochs < kLandscapeEpochs) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("a loss landscape needs {} epochs, but epochs is {}",
                              kLandscapeEpochs, options.epochs));
  }
  // Viewers would show two trainings in one directory as one.
  const auto entries = FileSystem::Local().List(options.directory);
  if (entries && !entries->empty()) {
    return Status(
        StatusCode::kAlreadyExists,
        fmt::format("{} is not empty; name a new directory, or remove it", options.directory));
  }
  return {};
}

// Trains to the end and records every step. Returns the last test accuracy.
double TrainAndRecord(DigitsTrainer& trainer, SummaryMonitor& monitor, const Say& say) {
  monitor.Begin(Describe(trainer));
  monitor.RecordGraph(DescribeNetwork(trainer));
  double test_accuracy = 0;
  for (int epoch = 1; epoch <= trainer.epochs(); ++epoch) {
    double loss = 0;
    for (int i = 0; i < trainer.steps_per_epoch(); ++i) {
      const profiler::StepScope step(trainer.step() + 1);
      trainer.TrainStep();
      SIGHTLINE_SPAN("record");
      monitor.EndStep(trainer.step(), [&](StepInfo& info) { FillStep(trainer, info); });
      loss += trainer.loss() / trainer.steps_per_epoch();
    }
    SIGHTLINE_SPAN("evaluation");
    monitor.BeginEvaluation();
    test_accuracy = trainer.TestAccuracy();
    monitor.EndEvaluation(
        trainer.step(), {{"accuracy", test_accuracy}},
        {.dataset_path = "tools/demo/data/digits.csv.gz", .dataset_size = trainer.test_images()});
    say(fmt::format("epoch {:>{}} of {}: loss {:.4f}, test accuracy {:.2f} %", epoch,
                    fmt::formatted_size("{}", trainer.epochs()), trainer.epochs(), loss,
                    100 * test_accuracy));
  }
  return test_accuracy;
}

void SayOverhead(const Overhead& overhead, const Say& say) {
  say(
      fmt::format("recording took {:.2f} % of the training's time (half of {} pairs of blocks of "
                  "{} steps: between {:.2f} and {:.2f} %)",
                  overhead.percent, overhead.pairs, overhead.steps_a_block, overhead.percent_low,
                  overhead.percent_high));
  say(fmt::format(
      "  a step of {:.3f} ms: {:.1f} us in the training thread, {:.1f} us CPU in the recorder's "
      "threads",
      overhead.step_milliseconds, overhead.caller_microseconds, overhead.worker_microseconds));
}

}  // namespace

Result<DemoReport> RunDemo(const DemoOptions& options, const Say& say) {
  SIGHTLINE_RETURN_IF_ERROR(Check(options));
  SIGHTLINE_ASSIGN_OR_RETURN(const Digits digits, ReadDigits(EmbeddedDigits()));
  SummaryOptions everything = RecordEverything(options.formats);
  everything.say = say;
  DigitsTrainer trainer(digits, {.epochs = options.epochs, .seed = options.seed});
  SummaryOptions recorded = everything;
  if (options.landscape_size != 0) {
    recorded.collect_specified_data.collect_landscape =
        DemoLandscapeOptions(options.epochs, options.landscape_size);
    recorded.save_checkpoint = [&trainer](const std::string& path) {
      return SaveParameters(trainer, path);
    };
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto monitor,
                             SummaryMonitor::Create(options.directory, recorded));

  say(fmt::format("training on {} of {} handwritten digits, testing on {}", trainer.train_images(),
                  digits.count(), trainer.test_images()));
  DemoReport report{.epochs = options.epochs,
                    .train_images = trainer.train_images(),
                    .test_images = trainer.test_images(),
                    .directory = options.directory};
  std::unique_ptr<profiler::ProfileRecorder> profile;
  if (options.profile) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        profile, profiler::ProfileRecorder::Start({.directory = options.directory + "/profile"}));
    profiler::NameThisThread("training");
  }
  if (options.save_graphs != 0) {
    const std::string graphs = options.directory + "/graphs";
    SIGHTLINE_ASSIGN_OR_RETURN(report.graphs,
                               DumpGraphs(DescribeNetwork(trainer), options.save_graphs, graphs));
    say(fmt::format("wrote {} graph dumps to {}; look with: sightline ir timeline {}",
                    report.graphs->dumps, graphs, graphs));
  }
  const auto begin = std::chrono::steady_clock::now();
  report.test_accuracy = TrainAndRecord(trainer, *monitor, say);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.steps = trainer.step();
  report.final_loss = trainer.loss();
  SIGHTLINE_RETURN_IF_ERROR(monitor->End());
  report.stats = monitor->Stats();
  for (const std::string& file : report.stats.files) say("  " + file);
  if (profile != nullptr) {
    SIGHTLINE_ASSIGN_OR_RETURN(report.profile, profile->Stop());
    say(fmt::format("  {}  (open it at https://ui.perfetto.dev)", report.profile->path));
  }
  if (options.landscape_size != 0) {
    say("computing loss landscapes ...");
    SIGHTLINE_ASSIGN_OR_RETURN(report.landscapes, DrawLandscapes(options.directory, say));
    for (const std::string& picture : report.landscapes) say("  " + picture);
  }

  if (options.overhead_pairs > 0 && monitor->enabled()) {
    say("measuring what recording costs ...");
    SIGHTLINE_ASSIGN_OR_RETURN(report.overhead,
                               MeasureOverhead(digits, everything, options.directory + ".overhead",
                                               options.overhead_pairs));
    SayOverhead(*report.overhead, say);
  }
  return report;
}

}  // namespace sightline::demo
