// sightline run: a command, recorded.
#include "sightline/tools/cli/run/cmd_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/system/environment.h"
#include "sightline/runs/console/console_files.h"
#include "sightline/tools/cli/run/python_capture.h"
#include "sightline/tools/cli/run/recorded_command.h"
#include "sightline/tools/cli/run/run_folder.h"
#include "sightline/tools/cli/run/say.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

struct RunOptions {
  std::string name;
  std::string directory;
};

constexpr char kHelp[] =
    R"(Runs a command and records it: what it prints, and what Python programs log.

  sightline run [--name NAME | --dir DIR] -- COMMAND [ARGUMENT ...]

The command runs as without it: on a terminal it sees a terminal, signals and its exit code pass
through, and nothing that happens to the recording ends it. What it prints is in console.log of the
run's folder. Python programs that it starts record through Sightline what they log by tensorboardX
or PyTorch's tensorboard (docs/record_anything.md).
)";

constexpr char kExamples[] = R"(Examples:
  sightline run -- python train.py --lr 0.1
  sightline run --dir ./output -- torchrun --nproc-per-node 8 train.py
  srun sightline run -- python train.py      one folder for the job, a console a rank
  SIGHTLINE_CAPTURE=0 sightline run -- make  only what it prints

The folder is --dir, or NAME in ./sightline_runs. Without both it is that of the job (of SLURM, of
torchrun with an --rdzv-id, of MPI), or a new one named after the time. Below another `sightline run`
and with SIGHTLINE_DISABLE=1, the command only runs.

Exit codes: the command's; 127 there is no such command, 126 it cannot be started, 2 the command
line is wrong.)";

// The folder, for what runs below.
constexpr char kFolderVariable[] = "SIGHTLINE_RUN";

// The files of the console, which this process and its children alone write; none and a line if
// they cannot be.
ConsoleFiles OpenConsole(const std::string& folder, const std::string& name) {
  const auto open_own = [&](const std::string& path) {
    return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  };
  const std::string path = JoinPath(folder, name);
  const int file = open_own(path);
  if (file < 0) {
    SayOfRun(std::string(ErrnoStatus(path, errno).message()) + "; the console is not recorded");
    return {};
  }
  if (flock(file, LOCK_EX | LOCK_NB) == 0)
    return {file, open_own(JoinPath(folder, ConsoleTimesName(name)))};
  SayOfRun(path + ": another command is being recorded there; this one is not recorded");
  close(file);
  return {};
}

int Run(const RunOptions& options, const std::vector<std::string>& command) {
  if (command.empty()) {
    SayOfRun("a command is required, after --; sightline run --help says more");
    return kExitError;
  }
  if (IsSwitchedOn(kFolderVariable) || IsSwitchedOn("SIGHTLINE_DISABLE")) return Exec(command);
  const auto folder = MakeRunFolder(Clock::System(), options.directory, options.name);
  if (!folder) {
    SayOfRun(std::string(folder.error().message()) + "; nothing is recorded");
    return Exec(command);
  }
  if (!folder->is_named) SayOfRun("recording into " + folder->path);
  setenv(kFolderVariable, folder->path.c_str(), 1);
  if (const Status captured = CapturePython(folder->path); !captured.ok())
    SayOfRun(std::string(captured.message()) + "; Python programs are not captured");
  if (const std::string option = OptionWithoutCapture(command);
      !option.empty() && IsSwitchedOn("SIGHTLINE_CAPTURE"))
    SayOfRun("Python is not captured with " + option + "; its console is recorded");
  return RunRecorded(command, folder->path, OpenConsole(folder->path, ConsoleNameOfProcess()));
}

}  // namespace

std::vector<std::string> TakeCommand(int& argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "run") return {};
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    std::vector<std::string> command(argv + i + 1, argv + argc);
    argc = i;
    return command;
  }
  return {};
}

void AddRunCommand(CLI::App& app, int& exit_code, std::vector<std::string> command) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& verb = *app.add_subcommand("run", kHelp);
  verb.footer(kExamples);
  CLI::Option* const name =
      verb.add_option("--name", options->name, "The run's name: its folder in ./sightline_runs");
  verb.add_option("--dir", options->directory, "The run's folder")->excludes(name);
  verb.callback(
      [options, command = std::move(command), &exit_code] { exit_code = Run(*options, command); });
}

}  // namespace sightline
