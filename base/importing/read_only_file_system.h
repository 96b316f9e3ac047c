// ReadOnlyFileSystem: a FileSystem that refuses every call that writes with kPermissionDenied.
// Subclasses implement the reading calls.
#pragma once

#include <memory>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

class ReadOnlyFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& /*path*/,
                                                     OpenMode /*mode*/) final {
    return Error(Refuse());
  }
  Status CreateDirectories(const std::string& /*path*/) final { return Refuse(); }
  Status Remove(const std::string& /*path*/) final { return Refuse(); }
  Status Rename(const std::string& /*from*/, const std::string& /*to*/) final { return Refuse(); }
  Status RenameExclusive(const std::string& /*from*/, const std::string& /*to*/) final {
    return Refuse();
  }
  Status Link(const std::string& /*from*/, const std::string& /*to*/) final { return Refuse(); }
  Result<std::uint64_t> FreeBytes(const std::string& /*path*/) final { return Error(Refuse()); }
  Status SyncDirectory(const std::string& /*path*/) final { return Refuse(); }

 private:
  static Status Refuse() { return {StatusCode::kPermissionDenied, "this file system only reads"}; }
};

}  // namespace sightline
