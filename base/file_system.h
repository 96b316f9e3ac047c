// The file system. Everything that touches a disk goes through FileSystem, so that tests can run in
// memory (tests/support/memory_file_system.h) and make any call fail
// (tests/support/faulty_file_system.h).
//
// Paths are UTF-8 strings with '/' as separator. Errors name the path. A FileSystem may be used
// from any thread; a file object by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;

  // Reads up to `buffer.size()` bytes at `offset`; fewer only at the end of the file, 0 at or
  // after its end.
  virtual Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const = 0;

  // The size now; a file that is still being written grows.
  virtual Result<std::uint64_t> Size() const = 0;
};

class WritableFile {
 public:
  virtual ~WritableFile() = default;

  // Writes all of `bytes` at `offset`; on error a part of it may have been written.
  virtual Status WriteAt(std::uint64_t offset, std::string_view bytes) = 0;
  virtual Status Truncate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> Size() const = 0;
  // Returns when the file's bytes survive a power loss.
  virtual Status Sync() = 0;
  // Idempotent; the destructor closes too, but cannot report.
  virtual Status Close() = 0;
};

enum class OpenMode {
  kCreateNew,     // kAlreadyExists when there is one (O_EXCL).
  kOpenExisting,  // kNotFound when there is none. No link, which may lead to somebody's file.
  kTruncate,      // Created, or emptied.
};

struct FileInfo {
  std::uint64_t size = 0;
  double modified_seconds = 0;  // Since the Unix epoch.
  bool is_directory = false;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) = 0;
  virtual Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                             OpenMode mode) = 0;

  virtual Result<FileInfo> Stat(const std::string& path) = 0;
  // Names (no path) of a directory's entries, sorted by bytes, without "." and "..".
  virtual Result<std::vector<std::string>> List(const std::string& directory) = 0;
  // With all its parents; OK if it exists already.
  virtual Status CreateDirectories(const std::string& path) = 0;
  virtual Status Remove(const std::string& path) = 0;
  // Replaces `to` atomically.
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  // Gives the finished file `from` the name `to` in one step; kAlreadyExists, with nothing changed,
  // if `to` exists. If two processes try the same name, one of them gets it.
  virtual Status RenameExclusive(const std::string& from, const std::string& to) = 0;
  // Gives the file `from` the further name `to` (a hard link); kAlreadyExists, with nothing
  // changed, if `to` exists; kUnimplemented if the file system has no hard links.
  virtual Status Link(const std::string& from, const std::string& to) = 0;
  // Bytes that an unprivileged process may still write where `path` is.
  virtual Result<std::uint64_t> FreeBytes(const std::string& path) = 0;
  // Makes a directory's entries (new names) durable.
  virtual Status SyncDirectory(const std::string& path) = 0;
  // The path of a real file that can be mapped; kUnimplemented if there is none (in memory).
  virtual Result<std::string> MappablePath(const std::string& path) = 0;
  // A path that still names the same file after the process changed its working directory; `path`
  // itself if there is none, or if it cannot be found out.
  virtual std::string AbsolutePath(const std::string& path) { return path; }

  // The operating system's; lives forever.
  static FileSystem& Local();
};

// "a" + "b" -> "a/b"; an empty directory is the current one.
std::string JoinPath(std::string_view directory, std::string_view name);
// "a/b/c" -> "a/b"; "c" -> ".".
std::string DirectoryOf(std::string_view path);
// "a/b/c" -> "c".
std::string_view BaseName(std::string_view path);
// kInvalidArgument unless `path` can be a path of this machine: it must not be a URL
// ("s3://bucket/run" would become a folder called "s3:") nor contain a NUL byte. The message calls
// the path `name`.
Status CheckLocalPath(std::string_view name, std::string_view path);

}  // namespace sightline
