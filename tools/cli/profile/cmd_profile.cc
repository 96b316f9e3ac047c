// sightline profile: where the time of a training went, from its profile.
#include "sightline/tools/cli/profile/cmd_profile.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

#include "sightline/base/importing/import_files.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/progress.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Shows where a training's time went, from profiles of MindSpore, PyTorch and others.

PATH is a trace (Chrome's JSON of PyTorch, XLA and others, Perfetto's, xplane.pb; compressed by gzip
or not), a folder that a profiler wrote, or a folder with a single profile somewhere in it.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile summary ./data             what costs most, in words
  sightline profile info ./data                its files, and how they were read
  sightline profile ops --top 10 ./data        the operators that take longest
  sightline profile steps ./data               gap, work and tail of each step
  sightline profile data ./data                does the training wait for its data?
  sightline profile ops --json trace.json.gz   one line of JSON for each operator type

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

// Shows on a terminal how far the import of a large profile is. Small ones are read at once.
class ImportLine {
 public:
  FileSystem& files() { return files_; }

 private:
  // Called by each thread that reads; one of them draws.
  void Look() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    const ImportProgress at = files_.progress();
    line_.SetTotal(at.total < kLarge ? 0 : at.total);
    line_.At(at.bytes);
  }

  static constexpr std::uint64_t kLarge = std::uint64_t{32} << 20U;

  std::mutex mutex_;
  Progress line_{"sightline profile", 0};
  ImportFiles files_{FileSystem::Local(), [this] {
                       Look();
                       return false;  // Not cancelled.
                     }};
};

std::nullopt_t Fail(const Status& status, int& exit_code) {
  std::fprintf(stderr, "sightline profile: %s\n", std::string(status.message()).c_str());
  exit_code = kExitError;
  return std::nullopt;
}

}  // namespace

Status KeepBelow(std::uint64_t memory_limit) {
  static const auto limit = LimitMemory(memory_limit);
  return limit ? Status() : limit.error();
}

void AddProfileCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("profile", kHelp);
  command->require_subcommand(1);
  command->footer(kExamples);
  AddProfileClusterCommand(*command, exit_code);
  AddProfileCompareCommand(*command, exit_code);
  AddProfileDataCommand(*command, exit_code);
  AddProfileExportCommand(*command, exit_code);
  AddProfileFlameCommand(*command, exit_code);
  AddProfileInfoCommand(*command, exit_code);
  AddProfileMemoryCommand(*command, exit_code);
  AddProfileOpsCommand(*command, exit_code);
  AddProfileSqlCommand(*command, exit_code);
  AddProfileStepsCommand(*command, exit_code);
  AddProfileSummaryCommand(*command, exit_code);
}

void ProfileOptions::AddTo(CLI::App& command, const std::string& json_help) {
  command
      .add_option("PATH", path, "A trace, a profile's folder, or a folder with one profile in it")
      ->required();
  command.add_option("--rank", rank,
                     "Which rank to read, if a folder has several (default: the lowest)");
  AddMemoryLimitOption(command, memory_limit);
  command.add_flag("--json", json, json_help);
}

std::optional<profiler::Profile> OpenProfile(const ProfileOptions& options, int& exit_code) {
  const Status kept = KeepBelow(options.memory_limit);
  if (!kept.ok()) return Fail(kept, exit_code);
  auto profile = [&] {
    ImportLine line;
    return profiler::ImportProfile(options.path,
                                   {.rank = options.rank, .file_system = &line.files()});
  }();
  if (!profile) return Fail(profile.error(), exit_code);
  exit_code = kExitOk;
  for (const profiler::SourceFile& file : profile->files) {
    if (file.status.ok()) continue;
    std::fprintf(stderr, "sightline profile: %s: %s\n", Printable(file.path).c_str(),
                 Printable(file.status.message()).c_str());
    exit_code = kExitDamage;
  }
  return *std::move(profile);
}

std::string FormatDuration(std::int64_t nanoseconds) {
  const auto value = static_cast<double>(nanoseconds);
  const double size = value < 0 ? -value : value;
  if (size < 1e3) return fmt::format("{} ns", nanoseconds);
  if (size < 1e6) return fmt::format("{:.1f} us", value / 1e3);
  if (size < 1e9) return fmt::format("{:.2f} ms", value / 1e6);
  return fmt::format("{:.3f} s", value / 1e9);
}

std::string FormatDuration(double nanoseconds) {
  return FormatDuration(static_cast<std::int64_t>(nanoseconds));
}

std::string FormatShare(double share) { return fmt::format("{:.1f} %", share * 100); }

double Microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

}  // namespace sightline
