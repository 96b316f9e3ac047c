#include "sightline/ir/replace_file.h"

namespace sightline::ir {

std::string TemporaryPath(const std::string& path) { return path + ".tmp"; }

Status ReplaceFile(FileSystem& files, const std::string& path,
                   const std::function<Status(WritableFile&)>& write) {
  const std::string temporary = TemporaryPath(path);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto out, files.OpenForWrite(temporary, OpenMode::kTruncate));
  Status status = write(*out);
  if (status.ok()) status = out->Close();
  if (status.ok()) status = files.Rename(temporary, path);
  if (!status.ok()) (void)files.Remove(temporary);
  return status;
}

}  // namespace sightline::ir
