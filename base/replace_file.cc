#include "sightline/base/replace_file.h"

namespace sightline {

Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& temporary,
                   const std::function<Status(WritableFile&)>& write) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto out, files.OpenForWrite(temporary, OpenMode::kTruncate));
  Status status = write(*out);
  // Before it is removed, too: NFS keeps a file that is open under another name.
  const Status closed = out->Close();
  if (status.ok()) status = closed;
  if (status.ok()) status = files.Rename(temporary, path);
  if (!status.ok()) (void)files.Remove(temporary);
  return status;
}

}  // namespace sightline
