// Catalog: the runs beneath the served directories, and what became of them since. A poll looks at
// each directory's and file's time and size - often where something grows, seldom where nothing
// does - and reads what was appended when something changed (run_follower.h).
//
// Records of 64 KiB and more are listed at once and unchecked (RunFollower::LeaveLargeUnchecked);
// later polls read them whole, one run at a time.
//
// With an index folder (runs/run_index.h) what was read is kept there: the next start reads only
// what is new, and runs that grow no more have no points in memory until they are asked for.
// Without a bound, points that were just read stay for a minute, 256 MB of them: they are looked at
// next.
//
//   Catalog catalog(file_system, {"/home/u/output"}, {.index_folder = DefaultIndexFolder()});
//   catalog.Start([&](const CatalogChanges& changes) { Tell(changes); });
//   for (const CatalogRun& run : catalog.snapshot()->runs) Show(run.id, *run.run);
//
// snapshot() may be called from any thread; what it gives is immutable. Poll from one at a time,
// and not once Start was called.
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
#include "sightline/dashboard/run_cache.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_follower.h"

namespace sightline::dashboard {

struct CatalogRun {
  std::string id;  // Its path below the root; with several roots "<root's number>:<path>".
  std::shared_ptr<const Run> run;
  RunState state = RunState::kEnded;
  std::uint64_t points = 0;     // Of all series.
  std::uint64_t nonfinite = 0;  // NaN and infinities of all scalars.
  std::uint64_t damage = 0;     // Regions skipped, and files that could not be read to their end.
  std::uint64_t unchecked = 0;  // Large records that the catalog has not read whole yet.
  std::string objective;        // The tag of its loss; empty where nothing is called so.
  RunSource source;             // Of its points, where `run` has none of its own.
};

struct CatalogSnapshot {
  std::uint64_t generation = 0;
  bool loading = true;
  std::vector<CatalogRun> runs;  // By id.
  std::shared_ptr<RunCache> cache = std::make_shared<RunCache>(0);

  const CatalogRun* Find(std::string_view id) const;
  // For whoever needs points: those of `run.run` itself are kept as long as it is listed.
  std::shared_ptr<const Run> Open(const CatalogRun& run) const {
    return cache->Open(run.run, run.source);
  }
};

struct CatalogOptions {
  std::string index_folder = {};    // Empty: everything is read at each start, and held.
  std::uint64_t points_bytes = 0;   // Of the runs that came from the index; 0: no bound.
  std::uint64_t reading_bytes = 0;  // Of event files that are read at a time; 0: no bound.
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

  // Looks at what is due at `now` (seconds since the Unix epoch). The listener hears of each
  // snapshot that differs from the one before; while much is opened for the first time there are
  // several.
  void Poll(double now, const Listener& listener);

  // Polls from a thread of its own, every second, until Stop, and calls `each_second` there.
  // kResourceExhausted where the system has no thread to give.
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
    double open_seconds = 0;  // What opening its run took the last time.
    bool dirty = false;       // Changed, to be opened once `next_open` is there.
    std::string stamp;        // Names, sizes and times of the files that make up the run.
    std::uint64_t bytes = 0;  // Of these files.
    std::vector<std::string> files;
    bool check = false;                   // Its large records are read whole.
    std::optional<RunFollower> follower;  // Of its run, once one was found.
  };

  // Its points serve those who ask for the stored run's.
  struct ReadRun {
    double since = 0;
    std::uint64_t bytes = 0;
    std::shared_ptr<const Run> run;
  };

  void Look(const std::string& path, Directory& directory, double now);
  // `children`: also directories that are new.
  void ListDirectory(const std::string& path, Directory& directory, bool children, double now);
  std::string StampOf(const std::string& path, Directory& directory, double& newest) const;
  struct Job;
  // False where it was stopped before all were opened.
  bool OpenDirty(double now, const Listener& listener);
  // How many of the jobs from `begin` on are done together.
  std::size_t Together(const std::vector<Job>& jobs, std::size_t begin) const;
  void Open(std::vector<Job>& jobs, std::size_t begin, std::size_t end, double now);
  void Note(Job& job, double now, CatalogChanges& changes);
  // Writes what was read into the index, and lets go of the points of runs that grow no more.
  void Store(double now);
  // Whether any of what was read was still held, and is not any more.
  bool LetGoOfRead(double now);
  // Has the next run with unchecked records read whole by the next poll.
  void CheckOne();
  // The index keeps what is listed only.
  void ForgetOthers();
  std::shared_ptr<CatalogSnapshot> Snapshot(bool loading) const;
  void Show(std::shared_ptr<const CatalogSnapshot> snapshot);
  RunSource SourceOf(const Directory& directory) const;
  void NoteStates(double now, CatalogChanges& changes);
  void Publish(CatalogChanges& changes, bool loading, const Listener& listener);

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  const CatalogOptions options_;
  const std::shared_ptr<RunCache> cache_;           // Of all snapshots.
  std::vector<std::shared_ptr<RunIndex>> indexes_;  // One a root, or none.
  std::vector<std::string> unstored_;               // Directories that were read since Store.
  bool stored_ = false;                             // Runs let go of their points since shown.
  std::deque<ReadRun> read_;                        // The oldest in front.
  std::uint64_t read_bytes_ = 0;
  std::map<std::string, Directory> directories_;  // By path.
  std::vector<std::string> removed_;
  std::vector<std::string> ended_;      // Directories whose run grows no more since the last poll.
  std::vector<std::string> unchecked_;  // Directories whose run has unchecked records.
  std::map<std::string, CatalogRun> runs_;  // By id.
  std::uint64_t generation_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<const CatalogSnapshot> snapshot_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::dashboard
