// BeneathFileSystem: gives read access to the files beneath some root directories, and to nothing
// else. A path that leaves its root is kNotFound, whether by ".." or by a link, even one that was
// created just before. The server reads through it, so that nothing in a served directory can make
// it show other files of the machine.
//
// Links within a root are followed. Links that lead out of it are followed only into the
// directories of `follow`. Only regular files are opened, so that no pipe can block a thread.
// Writing is kPermissionDenied. May be called from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/importing/read_only_file_system.h"

namespace sightline::dashboard {

class BeneathFileSystem final : public ReadOnlyFileSystem {
 public:
  // `roots()` are the real paths of the roots; the paths of all later calls must begin with one of
  // them. kNotFound and other errors if a root or a directory of `follow` cannot be opened.
  static Result<std::unique_ptr<BeneathFileSystem>> Open(const std::vector<std::string>& roots,
                                                         const std::vector<std::string>& follow);
  ~BeneathFileSystem() override;
  BeneathFileSystem(const BeneathFileSystem&) = delete;
  BeneathFileSystem& operator=(const BeneathFileSystem&) = delete;

  const std::vector<std::string>& roots() const { return root_paths_; }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<FileInfo> Stat(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& directory) override;
  // The path is checked now, not when it is used. It is for reading locks and sizes.
  Result<std::string> MappablePath(const std::string& path) override;
  std::string AbsolutePath(const std::string& path) override { return path; }

 private:
  struct Place {
    int directory = -1;  // Descriptor of a root.
    std::string path;    // Real, without a slash at its end.
  };

  BeneathFileSystem() = default;
  static Result<Place> OpenPlace(const std::string& path);
  // A descriptor of what `path` names; the caller closes it.
  Result<int> OpenBeneath(const std::string& path, int flags) const;
  static const Place* Find(const std::vector<Place>& places, const std::string& path);

  std::vector<Place> roots_;
  std::vector<Place> follow_;
  std::vector<std::string> root_paths_;
};

}  // namespace sightline::dashboard
