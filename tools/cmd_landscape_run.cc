// sightline landscape run: evaluates the loss around a training's checkpoints.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "sightline/landscape/command_loss.h"
#include "sightline/landscape/generate.h"
#include "sightline/tools/cmd_landscape.h"
#include "sightline/tools/commands.h"
#include "sightline/tools/text.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Evaluates the loss around a training's checkpoints and records the landscapes in the run.

CMD is a program of yours that computes the loss. It is started by the shell, once a job, and for
each point reads a line `x y PATH` from its standard input and answers one line of numbers on its
standard output: the loss, then whatever else was measured. PATH is a safetensors file of all
parameters under their names. docs/landscape.md has an example of ten lines.

Every point is kept in a journal in the run's directory as soon as it is known: a run that was
killed or interrupted goes on where it was when the same command is given again.
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape run --loss 'python3 loss.py' ./run
  sightline landscape run --loss 'python3 loss.py' --jobs 4 --size 20 ./run
  sightline landscape run --loss ./loss --normalisation filter --restart ./run

Exit codes: 0 recorded, 2 not done: the points that are known are kept.)";

struct RunArguments : PlaneArguments {
  std::string loss;
  int jobs = 1;
  bool restart = false;
  bool no_intervals = false;
  bool no_result = false;
};

void ShowProgress(const landscape::GenerateProgress& progress) {
  std::fprintf(stderr, "\r%s: %zu of %zu points, %.0f s left ", progress.tag.c_str(),
               progress.points_done, progress.points, progress.seconds_left);
  if (progress.points_done == progress.points) std::fputc('\n', stderr);
}

Status Generate(const RunArguments& arguments) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      const landscape::TrainMetadata metadata,
      landscape::ReadTrainMetadata(FileSystem::Local(), arguments.directory));
  landscape::CommandLoss loss(arguments.loss);
  landscape::GenerateOptions options;
  options.plane = OptionsOf(arguments);
  options.workers = arguments.jobs;
  options.restart = arguments.restart;
  if (arguments.no_intervals) options.intervals = false;
  if (arguments.no_result) options.result = false;
  if (isatty(STDERR_FILENO) == 1) options.progress = ShowProgress;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto made,
                             landscape::GenerateLandscapes(metadata, std::ref(loss), options));
  for (const LossLandscape& landscape : made) {
    std::printf("%s: %zu x %zu points recorded in %s\n", landscape.decomposition.c_str(),
                landscape.x.size(), landscape.y.size(), Printable(metadata.run_directory).c_str());
  }
  return std::fflush(stdout) == 0 ? Status() : Status(StatusCode::kIoError, "cannot write");
}

int Run(const RunArguments& arguments) {
  const Status status = Generate(arguments);
  if (status.ok()) return kExitOk;
  std::fprintf(stderr, "sightline landscape run: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddLandscapeRunCommand(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", kHelp);
  command->footer(kExamples);
  AddPlaneArguments(*command, *arguments);
  command->add_option("--loss", arguments->loss, "The program that computes the loss")->required();
  command->add_option("--jobs", arguments->jobs, "Programs that run beside each other")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--restart", arguments->restart,
                    "Throw away the points of an earlier run instead of going on");
  command->add_flag("--no-intervals", arguments->no_intervals, "No landscape of the intervals");
  command->add_flag("--no-result", arguments->no_result, "No landscape around the last checkpoint");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace sightline
