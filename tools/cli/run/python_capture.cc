#include "sightline/tools/cli/run/python_capture.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/replace_file.h"
#include "sightline/base/system/environment.h"
#include "sightline/tools/cli/run/sitecustomize.h"

namespace sightline {
namespace {

constexpr char kFolder[] = ".sightline-python";

bool IsPython(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // 0 if there is none.
  const std::string_view name = path.substr(0, path.find_last_not_of("0123456789.") + 1);
  return name == "python" || name == "pypy";
}

}  // namespace

std::string OptionWithoutCapture(const std::vector<std::string>& command) {
  if (command.empty() || !IsPython(command.front())) return {};
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if (word == "--check-hash-based-pycs") ++i;
    if (word.starts_with("--")) continue;
    if (word.size() < 2 || word.front() != '-')
      return {};  // The program; options after it are its.
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char letter = word[at];
      if (letter == 'I' || letter == 'E' || letter == 'S') return std::string("-") + letter;
      if (letter == 'c' || letter == 'm') return {};
      if (letter != 'W' && letter != 'X') continue;
      if (at + 1 == word.size()) ++i;  // Its value is the next word.
      break;
    }
  }
  return {};
}

Status CapturePython(const std::string& folder) {
  if (EnvironmentVariable("SIGHTLINE_CAPTURE") == "0") return {};
  FileSystem& files = FileSystem::Local();
  const std::string beside = JoinPath(folder, kFolder);
  const std::string path = JoinPath(beside, "sitecustomize.py");
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(beside));
  // Of the ranks of a job each writes the same.
  const std::string temporary = path + "." + std::to_string(getpid());
  SIGHTLINE_RETURN_IF_ERROR(ReplaceFile(
      files, path, temporary, [](WritableFile& out) { return out.WriteAt(0, kSitecustomize); }));
  const std::string before = EnvironmentVariable("PYTHONPATH");
  setenv("PYTHONPATH", (before.empty() ? beside : beside + ":" + before).c_str(), 1);
  setenv("SIGHTLINE_CAPTURE", "1", 1);
  return {};
}

}  // namespace sightline
