#include "sightline/tools/cli/run/run_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sightline/base/file_system.h"
#include "sightline/base/process_rank.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = "sightline_runs";

// Empty: it is not set.
std::string Variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

// As a part of a file's name.
std::string AsName(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) {
        constexpr std::string_view kOthers = "-_.";
        return (static_cast<unsigned char>(c) & 0x80U) == 0 && std::isalnum(c) == 0 &&
               kOthers.find(c) == kOthers.npos;
      },
      '_');
  return text;
}

// What is the same for all processes of a job, and differs between jobs; empty if there is none.
std::string NameOfJob() {
  const std::string job = Variable("SLURM_JOB_ID");
  const std::string step = Variable("SLURM_STEP_ID");
  if (!job.empty()) return AsName("slurm_" + job + (step.empty() ? "" : "_" + step));
  const std::string torch = Variable("TORCHELASTIC_RUN_ID");
  if (!torch.empty() && torch != "none") return AsName("torch_" + torch);
  for (const char* const name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"})
    if (const std::string mpi = Variable(name); !mpi.empty()) return AsName("mpi_" + mpi);
  return {};
}

Status Make(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? ErrnoStatus(path.string(), error.value()) : Status();
}

Result<RunFolder> MakeNewFolder(const fs::path& parent, const std::string& name) {
  constexpr int kMostOfOneName = 10'000;
  if (const Status made = Make(parent); !made.ok()) return Error(made);
  for (int i = 1; i <= kMostOfOneName; ++i) {
    const fs::path path = parent / (i == 1 ? name : fmt::format("{}_{}", name, i));
    std::error_code error;
    if (fs::create_directory(path, error)) return RunFolder{path.string()};
    if (error && error != std::errc::file_exists)
      return Error(ErrnoStatus(path.string(), error.value()));
  }
  return Error(Status(StatusCode::kResourceExhausted,
                      (parent / name).string() + ": there are too many folders of this name"));
}

}  // namespace

Result<RunFolder> MakeRunFolder(const Clock& clock, const std::string& directory,
                                const std::string& name) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error && !fs::path(directory).is_absolute())
    return Error(ErrnoStatus("the working directory", error.value()));
  const fs::path parent = here / kFolder;
  const std::string job = NameOfJob();
  if (directory.empty() && name.empty() && job.empty()) {
    const auto now = static_cast<std::time_t>(clock.WallSeconds());
    return MakeNewFolder(parent, fmt::format("{:%Y-%m-%d_%H-%M-%S}", fmt::localtime(now)));
  }
  const bool is_named = !(directory.empty() && name.empty());
  const fs::path path = directory.empty() ? parent / (name.empty() ? job : name) : here / directory;
  if (const Status made = Make(path); !made.ok()) return Error(made);
  return RunFolder{path.lexically_normal().string(), is_named};
}

std::string ConsoleNameOf(std::optional<std::int64_t> rank) {
  return rank ? fmt::format("console-rank{}.log", *rank) : "console.log";
}

std::string ConsoleName() {
  return ConsoleNameOf(WorldSizeOfEnvironment() == 1 ? std::nullopt : RankOfEnvironment());
}

}  // namespace sightline
