// RunIndex: keeps what was read of the runs below one root in the user's cache folder, so that the
// next opening reads only what is new. A run comes from the index at once if its files look as they
// did: the same size, times and inode, and the same last bytes where a file changed just before it
// was read. Its points follow when they are asked for. Of a run that grew, only what is new is
// read.
//
// It is a cache: nothing depends on it, and it returns what reading the files would return.
// docs/runs.md describes its contents. Callable from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sightline/runs/index/index_file.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/run_stamp.h"
#include "sightline/runs/reading/file_contents.h"

namespace sightline {

// What was read of one event file.
struct ReadFile {
  std::string path;
  std::optional<RunStamp::File> stamp;  // Taken before it was read.
  FileContentsReader reader;
  // What may not be a complete record yet, or comes from a journal: it is read again each time.
  std::optional<FileContentsReader> behind;
  std::string last_bytes;  // The bytes before reader.position(), when it was reached.
};

// The bytes before `end`: at least the checksum of the last record.
std::string BytesBefore(const ReadableFile& file, std::uint64_t end);

class RunIndex : public std::enable_shared_from_this<RunIndex> {
 public:
  // Opens the index of `root` in `folder`. Once a day this also removes the indexes in `folder`
  // that nobody used for 30 days.
  static std::shared_ptr<RunIndex> Open(FileSystem& file_system, const std::string& folder,
                                        const std::string& root);

  // The run in `directory`, known as `key` below the root; null if anything changed. `read` is the
  // same run as it was read from its files; as long as somebody holds it, the points are taken from
  // it.
  std::shared_ptr<const Run> Find(const std::string& key, const std::string& directory,
                                  const std::string& name, const RunStamp& stamp,
                                  std::weak_ptr<const Run> read = {});
  // What was read of the run's files before, in their order. The files may have changed since.
  std::vector<ReadFile> Files(const std::string& key, const std::string& directory);
  void EndReading() { file_.EndReading(); }

  // Remembers what was read. Runs are written in batches; Write writes the rest. Runs with files
  // that could not be read are not remembered.
  void Put(const std::string& key, std::shared_ptr<const Run> run, std::vector<ReadFile> files);
  // Writes what Put remembered. True if anything was written since the index was opened.
  bool Write();
  // Forgets all runs except these.
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
  // Like Files, but returns nothing unless the rows have the number `number`. All rows of one Put
  // share a number; without `number`, this accepts any.
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
