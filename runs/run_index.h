// RunIndex: what was read of the runs below one root, kept in the user's cache folder, so that the
// next opening reads only what is new. A run whose files look as they did - size, times, inode, the
// bytes of their last records - comes from it at once, and brings its points when they are asked
// for; of one that grew, what was read before is taken over.
//
// It is a cache: nothing depends on it, and what it gives is what reading the files would give.
// docs/runs.md says what it holds. Callable from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sightline/runs/file_contents.h"
#include "sightline/runs/index_file.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_look.h"

namespace sightline {

// What was read of one event file.
struct ReadFile {
  std::string path;
  std::optional<RunLook::File> seen;  // Before it was read.
  FileContentsReader reader;
  // What may be no record yet, or comes from a journal: read anew each time.
  std::optional<FileContentsReader> behind;
  std::string last_bytes;  // In front of reader.position(), when that was reached.
};

// The bytes in front of `end`: at least the checksum of the last record.
std::string BytesBefore(const ReadableFile& file, std::uint64_t end);

class RunIndex : public std::enable_shared_from_this<RunIndex> {
 public:
  // The index of `root` in `folder`.
  static std::shared_ptr<RunIndex> Open(FileSystem& file_system, const std::string& folder,
                                        const std::string& root);

  // The run in `directory`, known as `key` below the root, if nothing changed; else null. Its
  // points are those of `read`, the same run as it was read, while somebody holds that one.
  std::shared_ptr<const Run> Find(const std::string& key, const std::string& directory,
                                  const std::string& name, const RunLook& look,
                                  std::weak_ptr<const Run> read = {});
  // What was read of its files before, in their order; they may have changed since.
  std::vector<ReadFile> Files(const std::string& key, const std::string& directory);
  void EndReading() { file_.EndReading(); }

  // Remembers what was read. Small runs are written when many have come together, the rest by
  // Write. Runs with files that cannot be read are not remembered.
  void Put(const std::string& key, std::shared_ptr<const Run> run, std::vector<ReadFile> files);
  // Whether anything was written since it was opened.
  bool Write();
  // Forgets all runs but these.
  void KeepOnly(const std::set<std::string, std::less<>>& keys) { file_.KeepOnly(keys); }

  std::string note() const { return file_.note(); }

 private:
  class StoredPoints;
  struct Unwritten {
    std::string key;
    std::shared_ptr<const Run> run;
    std::vector<ReadFile> files;
  };

  RunIndex(FileSystem& file_system, const std::string& path, const std::string& root)
      : file_system_(file_system), file_(path, root) {}
  // With the number that all rows of one Put share, where it is asked for.
  std::vector<ReadFile> FilesOf(const std::string& key, const std::string& directory,
                                std::optional<std::uint64_t> number);
  void Write(const std::vector<Unwritten>& runs);

  FileSystem& file_system_;
  IndexFile file_;
  std::mutex mutex_;
  std::vector<Unwritten> unwritten_;
  std::uint64_t unwritten_points_ = 0;
  bool written_ = false;
};

}  // namespace sightline
