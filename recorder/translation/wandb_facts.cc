#include "sightline/recorder/translation/wandb_facts.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sightline/base/pattern/secrets.h"
#include "sightline/base/text/shell_word.h"
#include "sightline/base/wire.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

void AddNumber(const char* name, std::uint64_t number, Translation& translation) {
  if (number != 0) translation.settings.push_back({name, fmt::to_string(number)});
}

void AddGit(std::string_view git, Translation& translation) {
  Field field;
  for (Scanner scan(git); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) translation.AddText("run.git.remote", HideSecrets(field.bytes));
    if (field.number == 2) translation.AddText("run.git.commit", field.bytes);
  }
}

// A number of a message that has nothing else of interest.
std::uint64_t NumberIn(std::string_view message, std::uint32_t number) {
  std::uint64_t value = 0;
  Field field;
  for (Scanner scan(message); scan.Next(field);)
    if (field.number == number && field.type == WireType::kVarint) value = field.number_value;
  return value;
}

const char* RunFactNamed(std::uint32_t number) {
  switch (number) {
    case 1:
      return "run.id";
    case 2:
      return "run.entity";
    case 3:
      return "run.project";
    case 6:
      return "run.group";
    case 7:
      return "run.job_type";
    case 8:
      return "run.name";
    case 9:
      return "run.notes";
    case 12:
      return "run.sweep";
    case 13:
      return "run.host";
    default:
      return nullptr;
  }
}

const char* EnvironmentFactNamed(std::uint32_t number) {
  switch (number) {
    case 1:
      return "run.system";
    case 2:
      return "run.python.version";
    case 11:
      return "run.directory";
    case 12:
      return "run.host";
    case 14:
      return "run.python.path";
    case 25:
      return "run.cuda";
    default:
      return nullptr;
  }
}

}  // namespace

void AddRunFacts(std::string_view run, Translation& translation) {
  std::string tags;
  Field field;
  for (Scanner scan(run); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (const char* const name = RunFactNamed(field.number)) translation.AddText(name, field.bytes);
    if (field.number == 10) tags += (tags.empty() ? "" : ", ") + std::string(field.bytes);
    if (field.number == 21) AddGit(field.bytes, translation);
  }
  translation.AddText("run.tags", tags);
}

void AddEnvironmentFacts(std::string_view environment, Translation& translation) {
  std::vector<std::string> command(1);
  std::string device;
  std::uint64_t devices = 0;
  Field field;
  for (Scanner scan(environment); scan.Next(field);) {
    if (field.type == WireType::kVarint) {
      if (field.number == 17) AddNumber("run.cpus", field.number_value, translation);
      if (field.number == 19) devices = field.number_value;
    }
    if (field.type != WireType::kBytes) continue;
    if (const char* const name = EnvironmentFactNamed(field.number))
      translation.AddText(name, field.bytes);
    if (field.number == 5) command.emplace_back(field.bytes);
    if (field.number == 6) command.front() = field.bytes;
    if (field.number == 9) AddGit(field.bytes, translation);
    if (field.number == 18) device = field.bytes;
    if (field.number == 21) AddNumber("run.memory_bytes", NumberIn(field.bytes, 1), translation);
  }
  if (!command.front().empty()) {
    std::string line;
    for (const std::string& word : HideSecretsOfCommand(command))
      line += (line.empty() ? "" : " ") + ShellWord(word);
    translation.AddText("run.command", line);
  }
  if (devices != 0) translation.AddText("run.devices", fmt::format("{} x {}", devices, device));
}

}  // namespace sightline
