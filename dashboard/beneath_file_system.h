// BeneathFileSystem: the files beneath some roots, to be read, and nothing else. A path that leaves
// its root - by "..", by a link, by a link that was made a moment ago - is kNotFound. The server
// reads through it, so that no directory that it is given can show it the rest of the machine.
//
// Links that stay in the root are followed; those out of it only into the directories of `follow`.
// Only regular files are opened (no pipe keeps a thread waiting). Writing is kPermissionDenied.
// Callable from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline::dashboard {

class BeneathFileSystem final : public FileSystem {
 public:
  // The roots' real paths are `roots()`; all paths given later begin with one. kNotFound and others
  // where a root or a directory of `follow` is none.
  static Result<std::unique_ptr<BeneathFileSystem>> Open(const std::vector<std::string>& roots,
                                                         const std::vector<std::string>& follow);
  ~BeneathFileSystem() override;
  BeneathFileSystem(const BeneathFileSystem&) = delete;
  BeneathFileSystem& operator=(const BeneathFileSystem&) = delete;

  const std::vector<std::string>& roots() const { return root_paths_; }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<FileInfo> Stat(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& directory) override;
  // Checked when it is asked for, not when it is used: for what looks at locks and sizes.
  Result<std::string> MappablePath(const std::string& path) override;
  std::string AbsolutePath(const std::string& path) override { return path; }

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override;
  Status CreateDirectories(const std::string& path) override;
  Status Remove(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status RenameExclusive(const std::string& from, const std::string& to) override;
  Status Link(const std::string& from, const std::string& to) override;
  Result<std::uint64_t> FreeBytes(const std::string& path) override;
  Status SyncDirectory(const std::string& path) override;

 private:
  struct Place {
    int directory = -1;  // Descriptor of a root.
    std::string path;    // Real, without a slash at its end.
  };

  BeneathFileSystem() = default;
  static Result<Place> OpenPlace(const std::string& path);
  // A descriptor of what `path` names; its caller closes it.
  Result<int> OpenBeneath(const std::string& path, int flags) const;
  static const Place* Find(const std::vector<Place>& places, const std::string& path);

  std::vector<Place> roots_;
  std::vector<Place> follow_;
  std::vector<std::string> root_paths_;
};

}  // namespace sightline::dashboard
