#include "sightline/tools/cli/run/run_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sightline/base/ascii.h"
#include "sightline/base/file_system.h"
#include "sightline/base/process_rank.h"
#include "sightline/base/system/environment.h"
#include "sightline/runs/console/console_files.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = "sightline_runs";

// As a part of a file's name.
std::string AsName(std::string text) {
  constexpr std::string_view kOthers = "-_.";
  for (char& c : text) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    if (is_ascii && !IsLetter(c) && !IsDigit(c) && kOthers.find(c) == kOthers.npos) c = '_';
  }
  return text;
}

// What is the same for all processes of a job, and differs between jobs; empty if there is none.
std::string NameOfJob() {
  const std::string job = EnvironmentVariable("SLURM_JOB_ID");
  const std::string step = EnvironmentVariable("SLURM_STEP_ID");
  if (!job.empty()) return AsName("slurm_" + job + (step.empty() ? "" : "_" + step));
  const std::string torch = EnvironmentVariable("TORCHELASTIC_RUN_ID");
  if (!torch.empty() && torch != "none") return AsName("torch_" + torch);
  for (const char* const name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"}) {
    const std::string mpi = EnvironmentVariable(name);
    if (!mpi.empty()) return AsName("mpi_" + mpi);
  }
  return {};
}

Result<RunFolder> MakeNewFolder(const fs::path& parent, const std::string& name) {
  constexpr int kMostOfOneName = 10'000;
  SIGHTLINE_RETURN_IF_ERROR(FileSystem::Local().CreateDirectories(parent));
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
  SIGHTLINE_RETURN_IF_ERROR(FileSystem::Local().CreateDirectories(path));
  return RunFolder{path.lexically_normal().string(), is_named};
}

std::string ConsoleNameOfProcess() {
  return ConsoleName(WorldSizeOfEnvironment() == 1 ? std::nullopt : RankOfEnvironment());
}

}  // namespace sightline
