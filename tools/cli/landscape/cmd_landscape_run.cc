// sightline landscape run: evaluates the loss around a training's checkpoints.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/landscape/generate.h"
#include "sightline/landscape/started_by_mpi.h"
#include "sightline/landscape/surface/command_loss.h"
#include "sightline/tools/cli/landscape/cmd_landscape.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Evaluates the loss around a training's checkpoints and records the landscapes in the run.

CMD is your program that computes the loss. The shell starts it once for each job. For each point,
it reads a line `x y PATH` from its standard input, and prints one line of numbers: the loss, then
any other metrics. PATH is a safetensors file of all parameters under their names.
docs/landscape.md has an example of ten lines. Without CMD, the loss is that of the demo's network,
for runs of `sightline demo`.

Every point is appended to a journal in the run's directory as soon as it is known. If the work is
killed or interrupted, the same command continues it.
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape run --loss 'python3 loss.py' ./run
  sightline landscape run --loss 'python3 loss.py' --jobs 4 --size 20 ./run
  sightline landscape run --loss ./loss --normalisation filter --restart ./run
  sightline landscape run --loss ./loss --size 41x1 --lines 41 ./run    lines only
  sightline landscape run --size 80 --x-range -1:1 --restart ./run      of the demo, finer

Exit codes: 0 recorded, 2 not done; points that are known stay in the journal.)";

struct RunArguments : PlaneArguments {
  std::string loss;
  int jobs = 1;
  bool restart = false;
  bool no_intervals = false;
  bool no_result = false;
};

void ShowProgress(const landscape::GenerateProgress& progress) {
  WriteToTerminal(fmt::format("\r{}: {} of {} points, {:.0f} s left {}", Printable(progress.tag),
                              progress.points_done, progress.points, progress.seconds_left,
                              progress.points_done == progress.points ? "\n" : ""));
}

Status CheckNotStartedByMpi() {
  if (!landscape::IsStartedByMpi()) return {};
  return Status(StatusCode::kFailedPrecondition,
                "MPI started this process as one of several, but one process computes a landscape. "
                "On one machine, start it without MPI and give --jobs N. On several machines, use "
                "sightline.landscape.generate in Python with an executor of mpi4py.futures or Dask "
                "(docs/landscape.md)");
}

Status Generate(const RunArguments& arguments, const LossMaker& default_loss) {
  SIGHTLINE_RETURN_IF_ERROR(CheckNotStartedByMpi());
  SIGHTLINE_ASSIGN_OR_RETURN(const landscape::TrainMetadata metadata,
                             landscape::ReadTrainMetadata(arguments.directory));
  landscape::GenerateOptions options;
  SIGHTLINE_ASSIGN_OR_RETURN(options.plane, MakePlaneOptions(arguments));
  options.workers = arguments.jobs;
  options.restart = arguments.restart;
  if (arguments.no_intervals) options.intervals = false;
  if (arguments.no_result) options.result = false;
  if (isatty(STDERR_FILENO) == 1) options.progress = ShowProgress;
  landscape::CommandLoss command(arguments.loss);
  landscape::LossFunction loss = std::ref(command);
  if (arguments.loss.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(loss, default_loss(metadata.num_samples, arguments.jobs));
  } else {
    options.buffer = [&command](const landscape::ParameterSet& parameters, int worker) {
      return command.Buffer(parameters, worker);
    };
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<LossLandscape> landscapes,
                             landscape::GenerateLandscapes(metadata, loss, options));
  for (const LossLandscape& landscape : landscapes) {
    std::printf("%s: %zu x %zu points%s recorded in %s\n", landscape.decomposition.c_str(),
                landscape.x.size(), landscape.y.size(),
                landscape.details && !landscape.details->lines.empty() ? " and lines" : "",
                Printable(metadata.run_directory).c_str());
  }
  return {};
}

int Run(const RunArguments& arguments, const LossMaker& default_loss) {
  const Status status = Generate(arguments, default_loss);
  if (status.ok()) return kExitOk;
  std::fprintf(stderr, "sightline landscape run: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddLandscapeRunCommand(CLI::App& app, int& exit_code, LossMaker default_loss) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", kHelp);
  command->footer(kExamples);
  AddPlaneArguments(*command, *arguments);
  command->add_option("--loss", arguments->loss,
                      "The program that computes the loss (default: the demo's network)");
  command->add_option("--jobs", arguments->jobs, "The number of programs that run at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--restart", arguments->restart,
                    "Discard the points of an earlier run instead of continuing");
  command->add_flag("--no-intervals", arguments->no_intervals, "No landscape of the intervals");
  command->add_flag("--no-result", arguments->no_result, "No landscape around the last checkpoint");
  command->callback([arguments, default_loss = std::move(default_loss), &exit_code] {
    exit_code = Run(*arguments, default_loss);
  });
}

}  // namespace sightline
