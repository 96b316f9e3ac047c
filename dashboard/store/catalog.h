// Catalog: the runs beneath the served directories, kept up to date. A poll looks often where
// something grows and seldom elsewhere (RunGroupOptions::back_off), and reads what was appended.
//
// Records of 64 KiB and more are listed at once, before their checksums are verified. Later polls
// read and verify them, one run at a time.
//
// With an index folder (docs/runs.md, "Index"), what was read is stored there. The next start then
// reads only what is new, and the points of a run that does not grow are in memory only once they
// were asked for. Points that were just read stay for a minute if they take at most 256 MB, since
// usually a page asks for them next.
//
//   Catalog catalog({"/home/u/output"}, {.index_folder = DefaultIndexFolder()});
//   catalog.Start([&](const CatalogChanges& changes) { Send(changes); });
//   for (const CatalogRun& run : catalog.snapshot()->runs) Show(run.id, *run.run);
//
// Any thread may call snapshot(); what it returns is immutable. One thread at a time may call Poll,
// and none after Start.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/dashboard/store/series_cache.h"
#include "sightline/runs/followed_runs.h"
#include "sightline/runs/keeping/run_id.h"  // IWYU pragma: export
#include "sightline/runs/model/run.h"

namespace sightline::dashboard {

struct CatalogRun {
  // Its path below the root; with several roots "<root's number>:<path>". See RunId.
  std::string id;
  // As people call it: with several roots the root's folder and the path; "." is never one.
  std::string name;
  std::shared_ptr<const Run> run;
  RunState state = RunState::kEnded;
  std::int64_t first_step = 0;  // Of all series; 0 without any.
  std::int64_t last_step = 0;
  std::map<std::string_view, std::uint64_t> kinds;  // Series, by ContentKindName.
  std::set<std::int32_t> ranks;                     // Of its series.
  std::uint64_t points = 0;                         // In all series.
  std::uint64_t nonfinite = 0;                      // NaN and infinities in all scalars.
  std::uint64_t damage = 0;     // Regions skipped, and files that could not be read to their end.
  std::uint64_t unchecked = 0;  // Large records that the catalog has not verified yet.
  std::string objective;        // The tag of its loss; empty if no tag looks like a loss.
};

struct CatalogSnapshot;

// The parts of joined runs that were asked for: one by its own id, or all. Any thread.
class CatalogParts {
 public:
  explicit CatalogParts(const Clock& clock) : clock_(clock) {}
  // Null if no run of `runs` has such a part. What it returns lives as long as this object.
  const CatalogRun* Find(const std::vector<CatalogRun>& runs, std::string_view id);
  // See CatalogSnapshot::Separate.
  std::shared_ptr<const CatalogSnapshot> Separate(const CatalogSnapshot& joined);

 private:
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, CatalogRun, std::less<>> found_;
  std::shared_ptr<const CatalogSnapshot> separate_;
};

struct CatalogSnapshot {
  std::uint64_t generation = 0;
  bool loading = true;
  std::vector<CatalogRun> runs;  // By id.
  std::shared_ptr<SeriesCache> cache = std::make_shared<SeriesCache>(0);
  std::shared_ptr<CatalogParts> parts = std::make_shared<CatalogParts>(Clock::System());

  // The run, or the part of a joined run (Run::parts), with this id. Null if there is none.
  const CatalogRun* Find(std::string_view id) const;
  // The same runs, but the parts of joined runs as runs of their own. Made once, when it is asked
  // for.
  std::shared_ptr<const CatalogSnapshot> Separate() const { return parts->Separate(*this); }
  // A series of the run with its points; null for null.
  std::shared_ptr<const Series> Open(const CatalogRun& run, const Series* series) const {
    return cache->Open(run.run, series);
  }
};

struct CatalogOptions {
  FileSystem* file_system = &FileSystem::Local();  // It must outlive the catalog.
  const Clock* clock = &Clock::System();           // The same.
  // Without it, everything is read at each start, and stays in memory.
  std::optional<std::string> index_folder = std::nullopt;
  // Memory for the points of runs that come from the index; 0: unbounded.
  std::uint64_t points_bytes = 0;
  bool join = true;  // See RunGroupOptions.
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

  explicit Catalog(const std::vector<std::string>& roots, const CatalogOptions& options = {});
  ~Catalog();  // Stops.
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  std::shared_ptr<const CatalogSnapshot> snapshot() const;

  // Looks at what is due. Calls the listener for each snapshot that differs from the one before; if
  // many runs are opened for the first time, there are several.
  void Poll(const Listener& listener);

  // Polls every second, in a thread of its own, until Stop; calls `each_second` there, too.
  // kResourceExhausted if the system has no thread to give.
  Status Start(
      Listener listener, std::function<void()> each_second = [] {});
  void Stop();

 private:
  void Note(const std::vector<RunChange>& part, CatalogChanges& changes);
  void NoteStates(CatalogChanges& changes);
  // Writes new runs into the index, and frees the points that the index has. True if it freed any.
  bool Store();
  // Lets the next poll verify the next run with unchecked records.
  void CheckOne();
  std::shared_ptr<CatalogSnapshot> Snapshot(bool loading) const;
  void Show(std::shared_ptr<const CatalogSnapshot> snapshot);
  void Publish(CatalogChanges& changes, bool loading, const Listener& listener);
  bool stopping() const;

  const CatalogOptions options_;
  const std::shared_ptr<SeriesCache> cache_;  // All snapshots share it.
  FollowedRuns followed_;
  std::map<std::string, CatalogRun, std::less<>> runs_;  // By id.
  std::vector<std::string> unchecked_;                   // Ids of runs with unchecked records.
  bool any_read_ = false;                                // Since the last call of Store.
  // When points that were read are freed; none if there are none.
  std::optional<double> free_at_;
  std::uint64_t read_bytes_ = 0;  // The memory of the points of new runs.
  std::uint64_t generation_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<const CatalogSnapshot> snapshot_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::dashboard
