// sightline log: what a recorded command printed.
#include <poll.h>
#include <unistd.h>

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
#include "sightline/tools/cli/run/cmd_run.h"
#include "sightline/tools/cli/run/console_text.h"
#include "sightline/tools/cli/run/run_folder.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct LogOptions {
  std::string folder;
  std::optional<std::int64_t> rank;
  bool follow = false;
};

constexpr char kHelp[] = R"(Prints what a command printed that `sightline run` recorded.

On a terminal, colours stay, and whatever else a terminal obeys is left out. In a pipe or a file,
bytes stay as they are.
)";

constexpr char kExamples[] = R"(Examples:
  sightline log sightline_runs/small            all of it
  sightline log -f sightline_runs/small         and what follows, until the command has ended
  sightline log --rank 3 sightline_runs/slurm_12_0 | grep -i error

Exit codes: 0 printed, 2 there is no console; ended by a signal it ends as that does.)";

constexpr int kPollMilliseconds = 100;

Status Write(std::string_view bytes) {
  return WriteAll(STDOUT_FILENO, bytes) ? Status() : ErrnoStatus("standard output", errno);
}

// Prints the console from where it was printed before.
class Printer {
 public:
  Status PrintNew(const ReadableFile& console) {
    std::string bytes(kPiece, '\0');
    for (;;) {
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, console.ReadAt(printed_, bytes));
      if (got == 0) return {};
      printed_ += got;
      const std::string_view piece(bytes.data(), got);
      SIGHTLINE_RETURN_IF_ERROR(Write(on_terminal_ ? text_.Clean(piece) : std::string(piece)));
    }
  }
  Status ResetColours() const { return on_terminal_ ? Write("\x1b[0m") : Status(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{64} << 10U;

  const bool on_terminal_ = isatty(STDOUT_FILENO) == 1;
  std::uint64_t printed_ = 0;
  ConsoleText text_;
};

// Names the consoles that are there, if this one is not.
Status WithThoseThatAre(const Status& missing, const std::string& folder) {
  const auto entries = FileSystem::Local().List(folder);
  std::string names;
  for (const std::string& entry : entries.value_or(std::vector<std::string>()))
    if (entry.starts_with("console-rank")) names += (names.empty() ? "" : ", ") + entry;
  if (missing.code() != StatusCode::kNotFound || names.empty()) return missing;
  return {missing.code(), std::string(missing.message()) + "; --rank shows one of these: " + names};
}

Status Log(const LogOptions& options) {
  const std::string path = JoinPath(options.folder, ConsoleNameOf(options.rank));
  const auto console = FileSystem::Local().OpenForRead(path);
  if (!console) return WithThoseThatAre(console.error(), options.folder);
  Printer printer;
  for (;;) {
    // Asked before reading, so that what comes last is read.
    const bool goes_on = options.follow && IsLocked(path);
    SIGHTLINE_RETURN_IF_ERROR(printer.PrintNew(**console));
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
  verb.add_option("RUN", options->folder, "The folder that `sightline run` recorded into")
      ->required();
  verb.add_flag("-f,--follow", options->follow, "Go on until the command has ended");
  verb.add_option("--rank", options->rank, "The console of one of several ranks");
  verb.callback([options, &exit_code] { exit_code = RunLog(*options); });
}

}  // namespace sightline
