// LosingFileSystem: a file system that loses data that was not synced. It passes every call on to
// another one and remembers which bytes and names were made durable. So it can tell what a disk may
// hold when the power fails at an instant: all that was synced, and of the rest any part, each page
// and each name at an age of its own.
//
//   LosingFileSystem files(FileSystem::Local(), dir.path());
//   files.AtEachCall([&] { disks.push_back(files.Disk()); });
//   ... record ...
//   disks[7].AfterPowerLoss(random).WriteTo(other.path());
//
// Files that are mapped (FileSystem::MappablePath) are looked at when Disk() is called: every page
// that was seen then is an age of that page. Nobody syncs a mapped file, so all of them are
// possible.
//
// May be used from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline::testing {

// The content of a directory: the paths below it, and the bytes of the files.
struct Contents {
  std::set<std::string> directories;
  std::map<std::string, std::string> files;

  // Into an empty directory of the real file system.
  void WriteTo(const std::string& directory) const;
};

// A disk at an instant.
class LosingDisk {
 public:
  // As the kernel has it: the files that a process leaves if it is killed at this instant.
  Contents AfterKill() const;
  // A content that may be left if the power fails at this instant.
  Contents AfterPowerLoss(std::mt19937& random) const;

 private:
  friend class LosingFileSystem;

  // A file or directory. The durable version is first, the newest last.
  struct Node {
    bool is_directory = false;
    std::vector<std::shared_ptr<const std::string>> versions;            // Of a file written to.
    std::vector<std::vector<std::shared_ptr<const std::string>>> pages;  // Of a mapped file.
  };
  using Pick = std::function<std::size_t(std::size_t ages)>;

  Contents Choose(const Pick& name_age, const Pick& page_age) const;
  static std::string BytesOf(const Node& node, const Pick& page_age);

  // The nodes that each path below the directory has named; null if it named none.
  std::map<std::string, std::vector<std::shared_ptr<Node>>> names_;
};

class LosingFileSystem : public FileSystem {
 public:
  // The present content of `directory` is durable. `inner` must outlive this object.
  LosingFileSystem(FileSystem& inner, std::string directory);
  ~LosingFileSystem() override;

  // Called before and after every call that changes something, on its thread.
  void AtEachCall(std::function<void()> hook) { hook_ = std::move(hook); }
  LosingDisk Disk();

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override;
  Result<FileInfo> Stat(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& directory) override;
  Status CreateDirectories(const std::string& path) override;
  Status Remove(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status RenameExclusive(const std::string& from, const std::string& to) override;
  Status Link(const std::string& from, const std::string& to) override;
  Result<std::uint64_t> FreeBytes(const std::string& path) override;
  Status SyncDirectory(const std::string& path) override;
  Result<std::string> MappablePath(const std::string& path) override;
  std::string AbsolutePath(const std::string& path) override { return inner_.AbsolutePath(path); }

 private:
  class Writer;
  using Node = LosingDisk::Node;

  void Find(const std::string& directory);
  bool IsBelow(const std::string& path) const { return path.starts_with(directory_ + "/"); }
  // Calls with mutex_ held.
  void Name(const std::string& path, std::shared_ptr<Node> node);
  std::shared_ptr<Node> NodeAt(const std::string& path) const;
  void LookAtMapped(const std::string& path);

  // Makes the call between two looks at the disk.
  template <typename Call>
  auto Watched(Call&& call);

  FileSystem& inner_;
  const std::string directory_;
  std::function<void()> hook_;
  std::mutex mutex_;
  LosingDisk disk_;
  std::set<std::string> mapped_;
};

}  // namespace sightline::testing
