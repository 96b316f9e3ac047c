// MemoryFileSystem: the whole FileSystem interface in memory, for tests that must not touch a disk.
//
// It behaves as a POSIX file system does: a missing parent directory is kNotFound, an open file
// outlives its removal and its renaming, and a write after the end fills the gap with zeros. May be
// used from any thread.
//
//   MemoryFileSystem fs;
//   fs.Put("run/events", bytes);                 // Creates the directory too.
//   fs.SetCapacity(100);                         // From here on the disk is full at 100 bytes.
//   EXPECT_EQ(fs.Get("run/events"), bytes);
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline::testing {

class MemoryFileSystem : public FileSystem {
 public:
  // Bytes that all files together may hold; a write that would pass it writes what fits and returns
  // kResourceExhausted, as a full disk does.
  void SetCapacity(std::uint64_t bytes);
  // What FreeBytes answers, whatever the capacity; without it, what the capacity leaves.
  void SetFreeBytes(std::uint64_t bytes);

  // Shortcuts for tests. Put makes the parent directories; Get of a missing file is empty, see
  // Exists.
  void Put(const std::string& path, std::string_view bytes);
  std::string Get(const std::string& path) const;
  bool Exists(const std::string& path) const;
  // Every file below `directory`, with its path, sorted.
  std::vector<std::string> Files(const std::string& directory = ".") const;

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

 private:
  class Reader;
  class Writer;

  // The bytes of one file; shared by its directory entries and by everybody who has it open.
  struct Node {
    std::string bytes;
    double modified = 0;
  };
  // The disk, shared with open files, which may outlive the file system object.
  struct Disk {
    mutable std::mutex mutex;
    std::map<std::string, std::shared_ptr<Node>> files;
    std::set<std::string> directories = {".", "/"};
    std::uint64_t capacity = std::numeric_limits<std::uint64_t>::max();
    std::optional<std::uint64_t> free_bytes;
    double now = 0;  // Counts modifications: later means larger.

    bool HasParent(const std::string& path) const;
    bool IsTaken(const std::string& path) const;
    std::uint64_t Used(const Node* without = nullptr) const;
    Status Resize(Node& node, std::uint64_t size, const std::string& path);
  };

  Status Move(const std::string& from, const std::string& to, bool exclusive);

  std::shared_ptr<Disk> disk_ = std::make_shared<Disk>();
};

}  // namespace sightline::testing
