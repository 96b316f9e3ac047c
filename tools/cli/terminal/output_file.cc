#include "sightline/tools/cli/terminal/output_file.h"

#include <filesystem>
#include <system_error>

#include "sightline/base/file_system.h"
#include "sightline/base/replace_file.h"
#include "sightline/tools/cli/terminal/remove_on_signal.h"

namespace sightline {

Status WriteOutput(const std::string& path, std::string_view text) {
  FileSystem& files = FileSystem::Local();
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto out, files.OpenForWrite(path, OpenMode::kTruncate));
    SIGHTLINE_RETURN_IF_ERROR(out->WriteAt(0, text));
    return out->Close();
  }
  const std::string temporary = path + ".unfinished";
  const RemoveOnSignal remove(temporary);
  return ReplaceFile(files, path, temporary,
                     [text](WritableFile& out) { return out.WriteAt(0, text); });
}

}  // namespace sightline
