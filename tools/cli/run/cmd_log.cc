// sightline log: what a recorded command printed.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/system/file_lock.h"
#include "sightline/base/system/write_all.h"
#include "sightline/runs/console/console_files.h"
#include "sightline/runs/console/console_reader.h"
#include "sightline/runs/console/console_times.h"
#include "sightline/runs/console/run_console.h"
#include "sightline/tools/cli/run/cmd_run.h"
#include "sightline/tools/cli/run/console_text.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct LogOptions {
  std::string run;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> around;
  int lines = 20;
  bool follow = false;
};

constexpr char kHelp[] = R"(Prints what a command printed that `sightline run` recorded.

RUN is the folder that it recorded into, or a run that the command logged. On a terminal, colours
stay, and whatever else a terminal obeys is left out. In a pipe or a file, bytes stay as they are.
)";

constexpr char kExamples[] = R"(Examples:
  sightline log sightline_runs/small            all of it
  sightline log -f sightline_runs/small         and what follows, until the command has ended
  sightline log runs/small --around 500         what was printed when step 500 was recorded
  sightline log --rank 3 sightline_runs/slurm_12_0 | grep -i error

Exit codes: 0 printed, 2 there is no console; ended by a signal it ends as that does.)";

constexpr int kPollMilliseconds = 100;
constexpr std::size_t kMostAround = std::size_t{1} << 20U;  // Bytes, each way.

Status Write(std::string_view bytes) {
  return WriteAll(STDOUT_FILENO, bytes) ? Status() : ErrnoStatus("standard output", errno);
}

// Prints the console from `begin` on, and then what is new.
class Printer {
 public:
  explicit Printer(std::uint64_t begin = 0) : printed_(begin) {}

  Status Print(std::string_view bytes) {
    printed_ += bytes.size();
    return Write(on_terminal_ ? text_.Clean(bytes) : std::string(bytes));
  }
  Status PrintNew(const ReadableFile& console) {
    std::string bytes(kPiece, '\0');
    for (;;) {
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, console.ReadAt(printed_, bytes));
      if (got == 0) return {};
      SIGHTLINE_RETURN_IF_ERROR(Print({bytes.data(), got}));
    }
  }
  Status ResetColours() const { return on_terminal_ ? Write("\x1b[0m") : Status(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{64} << 10U;

  const bool on_terminal_ = isatty(STDOUT_FILENO) == 1;
  std::uint64_t printed_;
  ConsoleText text_;
};

// A folder with consoles, or a run.
struct Named {
  RunConsole console;
  std::shared_ptr<const Run> run;  // Null: it has none.
};

Result<Named> Find(const std::string& path) {
  FileSystem& files = FileSystem::Local();
  auto in_folder = ConsoleIn(files, path);
  if (!in_folder && in_folder.error().code() != StatusCode::kNotFound)
    return Error(in_folder.error());
  auto run = Run::Open(path);
  if (in_folder) return Named{*std::move(in_folder), run ? *std::move(run) : nullptr};
  if (!run) return Error(in_folder.error());
  SIGHTLINE_ASSIGN_OR_RETURN(RunConsole console, ConsoleOf(files, **run));
  return Named{std::move(console), *std::move(run)};
}

// The path of the console of one rank; if that is missing, those that are there are named.
Result<std::string> PathOf(const RunConsole& console, std::optional<std::int64_t> rank) {
  const auto& ranks = console.ranks;
  if (!rank && ranks.size() == 1) rank = ranks.front();
  if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end()) return console.Path(rank);
  std::string names;
  for (const auto& one : ranks)
    names += (names.empty() ? "" : ", ") + (one ? std::to_string(*one) : "none");
  return Error(StatusCode::kNotFound,
               console.folder + ": it has consoles of the ranks " + names + "; --rank takes one");
}

// Prints the lines around the place where the console was when the step was recorded.
Status PrintAround(const Named& named, const std::string& path, const LogOptions& options) {
  FileSystem& files = FileSystem::Local();
  const auto time = named.run == nullptr ? std::nullopt : TimeOfStep(*named.run, *options.around);
  if (!time) {
    return {StatusCode::kNotFound,
            fmt::format("{} recorded no scalar at step {} or later; RUN is the run that has the "
                        "steps, whose console is found by itself",
                        options.run, *options.around)};
  }
  const ConsoleTimes times(files, JoinPath(named.console.folder, ConsoleTimesName(BaseName(path))));
  if (times.empty())
    return {StatusCode::kNotFound, path + ": when its lines were printed was not recorded"};
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, files.OpenForRead(path));
  const ConsoleReader reader(std::move(file));
  SIGHTLINE_ASSIGN_OR_RETURN(const ConsolePart part,
                             reader.Around(times.OffsetAt(*time), kMostAround, options.lines));
  Printer printer;
  SIGHTLINE_RETURN_IF_ERROR(printer.Print(part.bytes));
  return printer.ResetColours();
}

Status Log(const LogOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Named named, Find(options.run));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(named.console, options.rank));
  if (options.around) return PrintAround(named, path, options);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto console, FileSystem::Local().OpenForRead(path));
  Printer printer;
  for (;;) {
    // Asked before reading, so that what comes last is read.
    const bool goes_on = options.follow && IsLocked(path);
    SIGHTLINE_RETURN_IF_ERROR(printer.PrintNew(*console));
    if (!goes_on) return printer.ResetColours();
    poll(nullptr, 0, kPollMilliseconds);
  }
}

int RunLog(const LogOptions& options) {
  const Status status = Log(options);
  if (status.ok()) return kExitOk;
  std::fprintf(stderr, "sightline log: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddLogCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<LogOptions>();
  CLI::App& verb = *app.add_subcommand("log", kHelp);
  verb.footer(kExamples);
  verb.add_option("RUN", options->run, "The folder of the console, or a run of the command")
      ->required();
  CLI::Option* const follow =
      verb.add_flag("-f,--follow", options->follow, "Go on until the command has ended");
  CLI::Option* const around =
      verb.add_option("--around", options->around, "The lines around a step that RUN recorded")
          ->excludes(follow);
  verb.add_option("--lines", options->lines, "With --around: how many before and after")
      ->needs(around)
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  verb.add_option("--rank", options->rank, "The console of one of several ranks");
  verb.callback([options, &exit_code] { exit_code = RunLog(*options); });
}

}  // namespace sightline
