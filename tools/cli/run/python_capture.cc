#include "sightline/tools/cli/run/python_capture.h"

#include <cstdlib>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/replace_file.h"
#include "sightline/tools/cli/run/sitecustomize.h"

namespace sightline {
namespace {

constexpr char kFolder[] = ".sightline-python";

}  // namespace

Status CapturePython(const std::string& folder) {
  const char* const capture = std::getenv("SIGHTLINE_CAPTURE");  // NOLINT(concurrency-mt-unsafe)
  if (capture != nullptr && std::string_view(capture) == "0") return {};
  FileSystem& files = FileSystem::Local();
  const std::string beside = JoinPath(folder, kFolder);
  const std::string path = JoinPath(beside, "sitecustomize.py");
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(beside));
  // Of the ranks of a job each writes the same.
  const std::string temporary = path + "." + std::to_string(getpid());
  SIGHTLINE_RETURN_IF_ERROR(ReplaceFile(
      files, path, temporary, [](WritableFile& out) { return out.WriteAt(0, kSitecustomize); }));
  const char* const before = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe)
  const std::string paths = before == nullptr || *before == '\0' ? beside : beside + ":" + before;
  setenv("PYTHONPATH", paths.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  setenv("SIGHTLINE_CAPTURE", "1", 1);     // NOLINT(concurrency-mt-unsafe)
  return {};
}

}  // namespace sightline
