// ImportFiles: the file system that one import reads through. It counts the bytes that were read,
// fails every read once the import is cancelled, and notes the files and directories that were
// read, so that Changed() can compare them later.
//
// May be used from several threads, since an import may have helpers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_stamp.h"
#include "sightline/base/importing/read_only_file_system.h"

namespace sightline {

struct ImportProgress {
  std::uint64_t bytes = 0;  // Read so far; compressed files count as they are on disk.
  std::uint64_t total = 0;  // In all files that the import is known to read; it may still grow.
};

// The progress of two imports that one request waits for.
inline ImportProgress Sum(const ImportProgress& a, const ImportProgress& b) {
  return {a.bytes + b.bytes, a.total + b.total};
}

class ImportFiles final : public ReadOnlyFileSystem {
 public:
  // `base` must outlive this object. `is_cancelled` is called before each piece of a read, on the
  // reading thread.
  ImportFiles(FileSystem& base, std::function<bool()> is_cancelled)
      : base_(base), is_cancelled_(std::move(is_cancelled)) {}

  // Adds the size of a file to the total, and the file to those that Changed() compares.
  // OpenForRead does it, too, and each file counts once: call it for files that will be read later.
  void Expect(const std::string& path);
  // For a file that is not read: Changed() compares it, too.
  void Watch(const std::string& path) { Note(path); }

  ImportProgress progress() const;
  // kUnavailable once the import is cancelled; long computations may ask between their steps.
  Status CheckCancelled() const;
  // Whether a file or directory has changed since the import. Call it after the import.
  bool Changed() const;

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<FileInfo> Stat(const std::string& path) override { return base_.Stat(path); }
  Result<std::vector<std::string>> List(const std::string& directory) override;
  Result<std::string> MappablePath(const std::string& path) override;

 private:
  class CountingFile;

  // The stamp, and whether the path was not noted before.
  std::pair<FileStamp, bool> Note(const std::string& path);

  FileSystem& base_;
  const std::function<bool()> is_cancelled_;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> total_{0};
  mutable std::mutex mutex_;                // Guards the members below.
  std::map<std::string, FileStamp> files_;  // When they were noted first.
  std::map<std::string, std::vector<std::string>> directories_;
};

}  // namespace sightline
