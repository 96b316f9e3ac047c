// RunIndex: stores the runs below one root in the user's cache folder, so that the next opening
// reads only new data. A run comes from the index if its files have the same stamps as before, and
// the same last bytes where a file changed just before it was read. Its points are loaded when they
// are asked for. If a run grew, only its new part is read.
//
// It is a cache: nothing depends on it, and it returns what reading the files would return.
// docs/runs.md describes its contents. Callable from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sightline/runs/index/index_file.h"
#include "sightline/runs/index/packed_series.h"
#include "sightline/runs/index/stored_points.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/run_stamp.h"
#include "sightline/runs/reading/file_contents.h"

namespace sightline {

// The contents of one event file, and how far it was read.
struct ReadFile {
  std::string path;
  std::optional<RunStamp::File> stamp;  // Taken before it was read.
  FileContentsReader reader;
  // What follows: it may not be a complete record yet, or comes from a journal, so it is read again
  // each time.
  std::optional<FileContentsReader> rest;
  std::string last_bytes;  // The bytes before reader.position(), when it was reached.
};

// A file in the index, without those of its series that are in parts (packed_series.h).
struct IndexedFile {
  ReadFile file;  // Without series, as is its rest.
  std::vector<NamedSeries> series;
  std::vector<NamedSeries> rest_series;
  std::uint32_t parts = 0;
};

// The bytes before `end`: at least the checksum of the last record.
std::string BytesBefore(const ReadableFile& file, std::uint64_t end);

class RunIndex : public std::enable_shared_from_this<RunIndex> {
 public:
  // Opens the index of `root` in `folder`. Once a day this also removes the indexes in `folder`
  // that were not used for 30 days.
  static std::shared_ptr<RunIndex> Open(FileSystem& file_system, const std::string& folder,
                                        const std::string& root);

  // The run in `directory`, known as `key` below the root; null if anything changed.
  std::shared_ptr<const Run> Find(const std::string& key, const std::string& directory,
                                  const std::string& name, const RunStamp& stamp);
  // The contents of the run's files, in their order; the files may have changed since.
  std::vector<ReadFile> Files(const std::string& key, const std::string& directory);
  // The same in two steps, for one series. All rows of one Put share a number: nothing is returned
  // for rows of another Put. Call EndReading afterwards.
  std::vector<IndexedFile> FilesInParts(const std::string& key, std::uint64_t number);
  std::vector<NamedSeries> PartWith(std::uint32_t name, const std::string& key,
                                    std::uint64_t number, std::uint32_t file);
  void EndReading() { file_.EndReading(); }

  // Stores a run, and returns where its points can be loaded from once they are written. Runs are
  // written in batches; Write writes the rest. A run with a file that could not be read is not
  // stored: null.
  std::shared_ptr<StoredPoints> Put(const std::string& key, std::shared_ptr<const Run> run,
                                    std::vector<ReadFile> files);
  // Writes the runs of Put.
  void Write();
  // Whether there were any since the last call.
  bool TakeAnyWritten();
  // Forgets all runs except these.
  void KeepOnly(const std::set<std::string, std::less<>>& keys) { file_.KeepOnly(keys); }

  std::string note() const { return file_.note(); }
  FileSystem& file_system() const { return file_system_; }

 private:
  struct Unwritten {
    std::string key;
    std::uint64_t number = 0;
    std::shared_ptr<const Run> run;
    std::vector<ReadFile> files;
    std::weak_ptr<StoredPoints> points;  // Weak, since they hold the index.
  };

  RunIndex(FileSystem& file_system, const std::string& path, const std::string& root)
      : file_system_(file_system), file_(path, root) {}
  std::vector<IndexedFile> FilesInParts(const std::string& key,
                                        std::optional<std::uint64_t>& number);
  bool AddParts(const std::string& key, std::uint64_t number, IndexedFile& file);
  void Write(const std::vector<Unwritten>& runs);

  FileSystem& file_system_;
  IndexFile file_;
  std::mutex mutex_;  // For all below.
  std::random_device random_;
  std::vector<Unwritten> unwritten_;
  std::uint64_t unwritten_points_ = 0;
  bool any_written_ = false;
};

}  // namespace sightline
