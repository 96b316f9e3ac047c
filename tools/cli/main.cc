// The program `sightline`: hands the command line to its verbs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/base/version.h"
#include "sightline/recorder/tensor/float_kernels.h"
#include "sightline/tools/cli/commands.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/landscape/cmd_landscape.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/run/cmd_run.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/serve/serve_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/help_formatter.h"
#include "sightline/tools/cli/terminal/terminal_output.h"
#include "sightline/tools/demo/demo_landscape.h"
#include "sightline/watch/notify/http_client.h"

namespace {

constexpr char kDescription[] =
    R"(Sightline records what a training run does, and shows it: event files of MindSpore and TensorBoard.
)";

constexpr char kExamples[] = R"(Examples:
  sightline demo                      train and record a small network: something to look at
  sightline run -- python train.py    record a command: what it prints and logs
  sightline info ./output             which runs are there, and what is in them
  sightline ls ./output --where 'lr > 0.01'   which runs are there: chosen, sorted, as a table
  sightline cat ./run/*_MS | less     every event as one line of JSON
  sightline compare ./gpu ./npu       does a run follow its reference, and until which step?
  sightline tail -f ./run             the scalars of a run, while they are recorded
  sightline verify ./output           are all files sound?
  sightline watch ./output --on nan   say what goes wrong, while it does
  sightline export ./output --format csv -o scalars.csv   for other programs
  sightline import mlflow.db -o ./runs   runs that MLflow recorded, as runs of ours
  sightline recover ./output          complete the files of a run that was killed
  sightline ir info ./graphs          what is in the dumps of save_graphs
  sightline serve ./output            the same in a browser
  sightline landscape info ./run      the plane of a training's loss landscape
  sightline profile ops ./data        where the time of a profiled training went
  sightline plan --epochs 3 --steps 200   what would a training record?
  sightline cat --help                more about a verb

Exit codes: 0 done, 1 done but something is damaged, different or not found, 2 not done.)";

// What a report of a fault needs: `sightline --version --verbose`.
std::string DescribeBuild() {
  const std::string_view commit = sightline::Commit();
  const std::string client = sightline::watch::HttpClientVersion();
  return fmt::format(
      "\n  commit      {}\n  tool chain  {}\n  checksums   {}\n  histograms  {}\n  notify      {}",
      commit.empty() ? "not a release" : commit, sightline::ToolChain(),
      sightline::crc32c::KernelName(), sightline::FloatKernelsName(),
      client.empty() ? "by commands only: built without libcurl" : client);
}

int Run(int argc, char** argv) {
  CLI::App app(kDescription, "sightline");
  bool verbose = false;
  app.add_flag("--verbose", verbose,
               "With --version: also the commit, the tool chain, and what this processor runs");
  app.set_version_flag("--version", [&verbose] {
    return fmt::format("sightline {}{}", sightline::Version(), verbose ? DescribeBuild() : "");
  });
  app.require_subcommand(1);
  app.footer(kExamples);
  app.formatter(std::make_shared<sightline::HelpFormatter>());
  app.failure_message(sightline::DescribeUsageError);
  int exit_code = sightline::kExitOk;
  sightline::AddCatCommand(app, exit_code);
  sightline::AddCompareCommand(app, exit_code);
  sightline::AddCompletionCommand(app, exit_code);
  sightline::AddDemoCommand(app, exit_code);
  sightline::AddExportCommand(app, exit_code);
  sightline::AddImportCommand(app, exit_code);
  sightline::AddInfoCommand(app, exit_code);
  sightline::AddIrCommand(app, exit_code);
  sightline::AddLsCommand(app, exit_code);
  sightline::AddLandscapeCommand(app, exit_code, sightline::demo::DemoLoss);
  sightline::AddLogCommand(app, exit_code);
  sightline::AddMvCommand(app, exit_code);
  sightline::AddPlanCommand(app, exit_code);
  sightline::AddRecoverCommand(app, exit_code);
  sightline::AddRmCommand(app, exit_code);
  sightline::AddRunCommand(app, exit_code, sightline::TakeCommand(argc, argv));
  sightline::AddServeCommand(app, exit_code);
  sightline::AddStartCommand(app, exit_code);
  sightline::AddStopCommand(app, exit_code);
  sightline::AddUrlCommand(app, exit_code);
  sightline::AddTailCommand(app, exit_code);
  sightline::AddTrashCommand(app, exit_code);
  sightline::AddProfileCommand(app, exit_code);
  sightline::AddVerifyCommand(app, exit_code);
  sightline::AddWatchCommand(app, exit_code);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stdout);
    return sightline::kExitOk;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Not by std::cerr, which would write past CleanTerminals.
    std::ostringstream out;
    std::ostringstream err;
    const int exit = app.exit(error, out, err);
    std::fputs(out.str().c_str(), stdout);
    std::fputs(err.str().c_str(), stderr);
    return exit == 0 ? sightline::kExitOk : sightline::kExitError;
  }
  return exit_code;
}

// Of what was printed something may have been refused long ago: then flushing succeeds.
int AfterPrinting(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  std::fputs("sightline: not all that was printed could be written\n", stderr);
  return sightline::kExitError;
}

}  // namespace

int main(int argc, char** argv) {
  sightline::CleanTerminals();
  try {
    return AfterPrinting(Run(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sightline: %s\n", error.what());
    return sightline::kExitError;
  }
}
