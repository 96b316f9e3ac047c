// Catalog: the runs beneath the served directories, kept up to date. A poll looks at the times and
// sizes of directories and files, often where something grows and seldom elsewhere. If something
// changed, it reads what was appended (run_follower.h).
//
// Records of 64 KiB and more are listed at once, before their checksums are verified
// (RunFollower::LeaveLargeUnchecked). Later polls read and verify them, one run at a time.
//
// With an index folder (runs/index/run_index.h), what was read is kept there. The next start then
// reads only what is new, and a run that no longer grows has no points in memory until they are
// needed. Without a memory limit, up to 256 MB of points that were just read stay for a minute,
// since a view of them comes next.
//
//   Catalog catalog(file_system, {"/home/u/output"}, {.index_folder = DefaultIndexFolder()});
//   catalog.Start([&](const CatalogChanges& changes) { Tell(changes); });
//   for (const CatalogRun& run : catalog.snapshot()->runs) Show(run.id, *run.run);
//
// Any thread may call snapshot(); what it returns is immutable. One thread at a time may call Poll,
// and none after Start.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/dashboard/store/run_cache.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/run_follower.h"

namespace sightline::dashboard {

struct CatalogRun {
  std::string id;  // Its path below the root; with several roots "<root's number>:<path>".
  std::shared_ptr<const Run> run;
  RunState state = RunState::kEnded;
  std::uint64_t points = 0;     // In all series.
  std::uint64_t nonfinite = 0;  // NaN and infinities in all scalars.
  std::uint64_t damage = 0;     // Regions skipped, and files that could not be read to their end.
  std::uint64_t unchecked = 0;  // Large records that the catalog has not verified yet.
  std::string objective;        // The tag of its loss; empty if no tag looks like a loss.
  RunSource source;             // Where its points are, if `run` has none of its own.
};

struct CatalogSnapshot {
  std::uint64_t generation = 0;
  bool loading = true;
  std::vector<CatalogRun> runs;  // By id.
  std::shared_ptr<RunCache> cache = std::make_shared<RunCache>(0);

  const CatalogRun* Find(std::string_view id) const;
  // The run with its points.
  std::shared_ptr<const Run> Open(const CatalogRun& run) const {
    return cache->Open(run.run, run.source);
  }
};

struct CatalogOptions {
  // Empty: everything is read at each start, and stays in memory.
  std::string index_folder = {};
  // Memory for the points of runs that come from the index; 0: unbounded.
  std::uint64_t points_bytes = 0;
  // Size of the event files that are read at the same time; 0: unbounded.
  std::uint64_t reading_bytes = 0;
};

struct CatalogChange {
  enum class What : std::uint8_t { kNew, kGrew, kChanged, kState, kGone };
  std::string id;
  What what = What::kNew;
};
struct CatalogChanges {
  std::uint64_t generation = 0;
  bool loading = false;
  std::vector<CatalogChange> runs;
};

class Catalog {
 public:
  using Listener = std::function<void(const CatalogChanges&)>;

  // `roots` as the file system spells them; it must outlive the catalog.
  Catalog(FileSystem& file_system, std::vector<std::string> roots, CatalogOptions options = {});
  ~Catalog();  // Stops.
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  std::shared_ptr<const CatalogSnapshot> snapshot() const;

  // Looks at what is due at `now` (seconds since the Unix epoch). Calls the listener for each
  // snapshot that differs from the one before; if many runs are opened for the first time, there
  // are several.
  void Poll(double now, const Listener& listener);

  // Polls every second, in a thread of its own, until Stop; calls `each_second` there, too.
  // kResourceExhausted if the system has no thread to give.
  Status Start(
      Listener listener, std::function<void()> each_second = [] {});
  void Stop();

 private:
  struct Directory {
    std::string id;
    std::size_t root = 0;
    int depth = 0;
    double modified = -1;
    double next_look = 0;
    double changed_at = 0;  // When something was last seen to change.
    double next_open = 0;
    double open_seconds = 0;  // How long opening its run took the last time.
    bool dirty = false;       // Something changed; the run is opened again at `next_open`.
    std::string stamp;        // Names, sizes and times of the files that make up the run.
    std::uint64_t bytes = 0;  // Size of these files.
    std::vector<std::string> files;
    bool check = false;                   // The next poll verifies its large records.
    std::optional<RunFollower> follower;  // Reads its run, once one was found.
  };

  // Its points serve those who ask for the stored run's.
  struct ReadRun {
    double since = 0;
    std::uint64_t bytes = 0;
    std::shared_ptr<const Run> run;
  };

  void Look(const std::string& path, Directory& directory, double now);
  // `children`: also adds new directories.
  void ListDirectory(const std::string& path, Directory& directory, bool children, double now);
  std::string StampOf(const std::string& path, Directory& directory, double& newest) const;
  struct Job;
  // False if it was stopped before all were opened.
  bool OpenDirty(double now, const Listener& listener);
  // How many of the jobs from `begin` on are done at the same time.
  std::size_t Together(const std::vector<Job>& jobs, std::size_t begin) const;
  void Open(std::vector<Job>& jobs, std::size_t begin, std::size_t end, double now);
  void Note(Job& job, double now, CatalogChanges& changes);
  // Writes what was read into the index, and frees the points of runs that no longer grow.
  void Store(double now);
  // Frees points of `read_`. True if they were still in memory.
  bool LetGoOfRead(double now);
  // Lets the next poll verify the next run with unchecked records.
  void CheckOne();
  // Removes from the index what is no longer listed.
  void ForgetOthers();
  std::shared_ptr<CatalogSnapshot> Snapshot(bool loading) const;
  void Show(std::shared_ptr<const CatalogSnapshot> snapshot);
  RunSource SourceOf(const Directory& directory) const;
  void NoteStates(double now, CatalogChanges& changes);
  void Publish(CatalogChanges& changes, bool loading, const Listener& listener);

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  const CatalogOptions options_;
  const std::shared_ptr<RunCache> cache_;           // All snapshots share it.
  std::vector<std::shared_ptr<RunIndex>> indexes_;  // One for each root, or empty.
  std::vector<std::string> unstored_;               // Directories that were read since Store.
  bool stored_ = false;                             // Points were freed since the last snapshot.
  std::deque<ReadRun> read_;                        // The oldest first.
  std::uint64_t read_bytes_ = 0;
  std::map<std::string, Directory> directories_;  // By path.
  std::vector<std::string> removed_;
  std::vector<std::string> ended_;          // Directories whose run has ended since the last poll.
  std::vector<std::string> unchecked_;      // Directories whose run has unchecked records.
  std::map<std::string, CatalogRun> runs_;  // By id.
  std::uint64_t generation_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<const CatalogSnapshot> snapshot_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::dashboard
