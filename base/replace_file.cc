#include "sightline/base/replace_file.h"

#include <memory>

namespace sightline {
namespace {

// A new file, whatever has the name: a killed process may have left it, and another user may have
// put a link there that leads to somebody's file.
Result<std::unique_ptr<WritableFile>> MakeNew(FileSystem& files, const std::string& path) {
  auto made = files.OpenForWrite(path, OpenMode::kCreateNew);
  if (made || made.error().code() != StatusCode::kAlreadyExists) return made;
  SIGHTLINE_RETURN_IF_ERROR(files.Remove(path));
  return files.OpenForWrite(path, OpenMode::kCreateNew);
}

}  // namespace

Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& temporary,
                   const std::function<Status(WritableFile&)>& write) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto out, MakeNew(files, temporary));
  Status status = write(*out);
  // Before it is removed, too: NFS keeps a file that is open under another name.
  const Status closed = out->Close();
  if (status.ok()) status = closed;
  if (status.ok()) status = files.Rename(temporary, path);
  if (!status.ok()) (void)files.Remove(temporary);
  return status;
}

}  // namespace sightline
