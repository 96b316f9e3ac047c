#include "sightline/collectors/facts/run_facts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/descriptor.h"
#include "sightline/base/file_system.h"
#include "sightline/base/pattern/secrets.h"
#include "sightline/base/system/write_all.h"
#include "sightline/base/text/shell_word.h"
#include "sightline/base/utf8.h"
#include "sightline/collectors/facts/code_facts.h"
#include "sightline/collectors/facts/machine_facts.h"

namespace sightline {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kLauncherNames = std::to_array<std::string_view>(
    {"RANK", "LOCAL_RANK", "GROUP_RANK", "NODE_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "RANK_ID",
     "RANK_SIZE", "RANK_TABLE_FILE", "DEVICE_ID"});
constexpr auto kLauncherPrefixes = std::to_array<std::string_view>(
    {"SLURM_JOB", "SLURM_STEP", "SLURM_PROC", "SLURM_NODE", "SLURM_NTASKS", "SLURM_NNODES",
     "SLURM_LOCAL", "OMPI_COMM_WORLD_", "PMI_", "TORCHELASTIC_", "CUDA_", "ASCEND_", "NCCL_",
     "HCCL_", "OMP_", "MASTER_", "MS_"});

bool IsOfLauncher(std::string_view name) {
  if (std::find(kLauncherNames.begin(), kLauncherNames.end(), name) != kLauncherNames.end())
    return true;
  const bool is_word = std::all_of(name.begin(), name.end(),
                                   [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
  return is_word && std::any_of(kLauncherPrefixes.begin(), kLauncherPrefixes.end(),
                                [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string Shown(std::string_view text) { return ToUtf8(HideSecrets(text)); }

std::string CommandLine(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& argument : HideSecretsOfCommand(command))
    line += (line.empty() ? "" : " ") + ShellWord(argument);
  return ToUtf8(line);
}

}  // namespace

Json RunFacts(const std::string& working_directory, const std::vector<std::string>& command,
              const RunFactsOptions& options) {
  Json facts = {{"directory", Shown(working_directory)}};
  if (!command.empty()) facts["command"] = CommandLine(command);
  if (Json code = CodeFacts(working_directory, options); !code.is_null())
    facts["git"] = std::move(code);
  AddMachineFacts(options.root, facts);
  return facts;
}

Json LauncherVariables(const std::vector<std::string>& variables) {
  std::vector<std::string> sorted = variables;
  std::sort(sorted.begin(), sorted.end());
  Json kept = Json::object();
  for (const std::string_view variable : sorted) {
    const std::size_t sign = variable.find('=');
    const std::string_view name = variable.substr(0, sign);
    if (sign != variable.npos && IsOfLauncher(name) && !IsSecretName(name))
      kept[std::string(name)] = Shown(variable.substr(sign + 1));
  }
  return kept;
}

Json SessionFacts(const std::string& working_directory, const std::vector<std::string>& command,
                  const std::vector<std::string>& variables, const RunFactsOptions& options) {
  Json facts = RunFacts(working_directory, command, options);
  if (Json launched = LauncherVariables(variables); !launched.empty())
    facts["env"] = std::move(launched);
  return facts;
}

Status KeepRunFacts(const std::string& directory, const std::string& session_id,
                    std::string_view facts) {
  const std::string path = JoinPath(directory, fmt::format(".sightline-run-{}.json", session_id));
  const std::string unfinished = fmt::format("{}.{}", path, getpid());
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  const int descriptor = open(unfinished.c_str(), kNew, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return ErrnoStatus(unfinished, errno);
  const Descriptor file(descriptor);
  Status kept;
  if (!WriteAll(descriptor, facts)) {
    kept = ErrnoStatus(unfinished, errno);
  } else {
    kept = FileSystem::Local().RenameExclusive(unfinished, path);
  }
  if (!kept.ok()) unlink(unfinished.c_str());
  return kept;
}

}  // namespace sightline
