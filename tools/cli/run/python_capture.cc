#include "sightline/tools/cli/run/python_capture.h"

#include <unistd.h>

#include <cstdlib>

#include "sightline/base/file_system.h"
#include "sightline/base/replace_file.h"
#include "sightline/base/system/environment.h"
#include "sightline/tools/cli/run/sitecustomize.h"

namespace sightline {
namespace {

constexpr char kFolder[] = ".sightline-python";

}  // namespace

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
