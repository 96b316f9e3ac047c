// FaultyFileSystem: passes every call to another FileSystem, counts it, and fails those that a test
// chose.
//
//   FaultyFileSystem fs(memory);
//   fs.FailCall(7, StatusCode::kIoError);                                        // The 7th call
//   from now. fs.FailEvery(FileOperation::kWriteAt, "_lineage", StatusCode::kResourceExhausted);
//   fs.KeepOfFailedWrites(5);                                                    // Torn writes.
//
// "At every call site" is a loop: run the scenario with FailCall(n) for n = 1, 2, ... until fired()
// stays 0. May be used from any thread; the files it opened may outlive it, the wrapped file system
// must not be gone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline::testing {

// Calls on open files belong to the path that the file was opened under.
enum class FileOperation : std::uint8_t {
  kOpenForRead,
  kOpenForWrite,
  kReadAt,
  kReadSize,
  kWriteAt,
  kTruncate,
  kWriteSize,
  kSync,
  kClose,
  kStat,
  kList,
  kCreateDirectories,
  kRemove,
  kRename,
  kRenameExclusive,
  kLink,
  kFreeBytes,
  kSyncDirectory,
  kMappablePath,
};
inline constexpr std::size_t kFileOperationCount = 19;

std::string_view FileOperationName(FileOperation operation);

class FaultyFileSystem : public FileSystem {
 public:
  // `inner` must outlive this object and the files opened through it.
  explicit FaultyFileSystem(FileSystem& inner);

  // The n-th call from now, of any operation, fails once; 1 is the next.
  void FailCall(std::uint64_t n, StatusCode code);
  // The n-th call from now and all that follow fail.
  void FailFrom(std::uint64_t n, StatusCode code);
  // Every call of `operation` whose path (of renames: either) contains `path_part` fails; the first
  // `skip` such calls pass. An empty part matches all.
  void FailEvery(FileOperation operation, std::string path_part, StatusCode code,
                 std::uint64_t skip = 0);
  // A failing WriteAt writes that many of its bytes first; 0 (the default): none.
  void KeepOfFailedWrites(std::size_t bytes);
  // From here on every call passes. Counters keep their values.
  void Heal();

  // Calls so far, and how many of them failed by injection.
  std::uint64_t calls() const;
  std::uint64_t calls(FileOperation operation) const;
  std::uint64_t fired() const;

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
  class Reader;
  class Writer;

  struct Rule {
    FileOperation operation;
    std::string path_part;
    StatusCode code;
    std::uint64_t skip;
  };
  // Shared with open files, which may outlive the file system object.
  struct Plan {
    mutable std::mutex mutex;
    std::uint64_t calls = 0;
    std::uint64_t fired = 0;
    std::array<std::uint64_t, kFileOperationCount> calls_by_operation{};
    std::uint64_t fail_first = 0;  // Numbers of calls, counted from 1; 0: none.
    std::uint64_t fail_last = 0;
    StatusCode fail_code = StatusCode::kOk;
    std::vector<Rule> rules;
    std::size_t keep = 0;

    // Counts the call; an error when it is one that must fail.
    Status Call(FileOperation operation, const std::string& path);
  };

  FileSystem& inner_;
  std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
};

}  // namespace sightline::testing
