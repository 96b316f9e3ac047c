// RunGroup: the runs in and below some directories, opened on all cores, filtered and sorted.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(FileSystem::Local(), {"output"}));
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup good, group.Where("lr > 0.01 and last('loss') < 0.5"));
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto by_rate, group.GroupedBy("lr", now));
//
// A value that shares its immutable runs: cheap to copy. One thread at a time; any thread may read
// the runs. To follow the runs, call Refresh from time to time:
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto changes, group.Refresh());
//   for (const RunChange& change : changes) Show(change);
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/band.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/query/query.h"
#include "sightline/runs/run_changes.h"
#include "sightline/runs/run_follower.h"

namespace sightline {

struct RunDirectory;
struct RunsOfOneKey;
class RunIndex;

struct RunGroupOptions {
  unsigned threads = 0;  // 0: as many as the machine has cores.
  // The folder that keeps what was read, in one file for each root, so that the next opening reads
  // only what is new (docs/runs.md, "Index"). Empty: it is not kept.
  std::string index_folder = {};
  // Lists records of 64 KiB and more without reading them whole (RunFile::unchecked).
  bool leave_large_unchecked = false;
};

// ${XDG_CACHE_HOME:-~/.cache}/sightline/index; empty if neither XDG_CACHE_HOME nor HOME is an
// absolute path.
std::string DefaultIndexFolder();

class RunGroup {
 public:
  // Opens the runs: every directory in and below the roots that holds event files is one. A run's
  // name is its path below the root; with several roots, the root precedes it. A run in several
  // roots is there once. An error if a root cannot be listed.
  static Result<RunGroup> Open(FileSystem& file_system, const std::vector<std::string>& roots,
                               const RunGroupOptions& options = {});
  // The same for callers that look at each run once: calls show(run) for all runs, in the order of
  // their names within each root, and keeps none. The returned group has no runs; it is for
  // WriteIndex.
  static Result<RunGroup> Visit(FileSystem& file_system, const std::vector<std::string>& roots,
                                const RunGroupOptions& options,
                                const std::function<void(const std::shared_ptr<const Run>&)>& show);
  explicit RunGroup(std::vector<std::shared_ptr<const Run>> runs) : runs_(std::move(runs)) {}

  // Looks at the directories again, reads what was appended to runs whose files or journals changed
  // (run_follower.h), and returns the changes, ordered by name. Runs that did not change stay the
  // same objects; each costs a look at its directory. kFailedPrecondition for a group that Where,
  // Sorted or GroupedBy returned, or that was made from runs.
  Result<std::vector<RunChange>> Refresh();

  // Makes Refresh cheap for callers that refresh often. The next Refresh starts to watch the
  // directories with inotify. Later ones look only at directories that the system reports as
  // changed, and at those whose changes it does not report: with the journal of a living recorder,
  // on a network file system, or beyond the system's number of watches. If a run in one of the
  // latter two is no longer being recorded, only every eighth Refresh looks at it.
  void Watch();
  // A file descriptor that becomes readable (poll, select) when Refresh may have something to
  // report. It does not show what is recorded into a journal. The group owns it. -1 if nothing is
  // watched.
  int news_descriptor() const;

  // Writes what was read into the index. If you opened the group with an index, call this when
  // nobody waits for the runs any more. Returns a line for each index that could not be used, which
  // says why; usually none.
  std::vector<std::string> WriteIndex();

  std::span<const std::shared_ptr<const Run>> runs() const { return runs_; }
  // Null if there is none.
  std::shared_ptr<const Run> Find(std::string_view name) const;

  // The runs for which a query (docs/query.md) is true. kInvalidArgument, with the column, if
  // `text` is no query.
  Result<RunGroup> Where(std::string_view text, double now) const;
  // The runs sorted by the value of an expression (docs/query.md), those without a value last.
  // `descending` reverses the order of the others. Runs with equal values keep their order.
  Result<RunGroup> Sorted(std::string_view text, bool descending, double now) const;
  // Groups of the runs for which an expression has the same value, in the order of the values; runs
  // without a value last.
  Result<std::vector<RunsOfOneKey>> GroupedBy(std::string_view text, double now) const;

 private:
  struct Found;
  struct Watched;
  // One follower for each run. A copy of a group starts without them, so that two threads may use
  // the two groups.
  struct Followers {
    Followers();
    Followers(const Followers& other);
    Followers& operator=(const Followers& other);
    Followers(Followers&& other) noexcept;
    Followers& operator=(Followers&& other) noexcept;
    ~Followers();
    std::map<std::string, RunFollower, std::less<>> by_directory;
    std::unique_ptr<Watched> watched;  // Null if nothing is watched.
  };

  static RunGroup Of(FileSystem& file_system, const std::vector<std::string>& roots,
                     const RunGroupOptions& options);
  Result<std::vector<Found>> FindAll();
  Result<std::vector<Found>> FindChanged();
  bool IsLive(const std::string& directory) const;
  void ReadRuns(std::span<const Found> directories);

  FileSystem* file_system_ = nullptr;  // Null if there are no roots.
  std::vector<std::string> roots_;
  RunGroupOptions options_;
  std::vector<std::shared_ptr<const Run>> runs_;
  Followers followers_;
  std::vector<std::shared_ptr<RunIndex>> indexes_;        // One for each root, or none.
  std::vector<std::set<std::string, std::less<>>> keys_;  // The runs' keys, for each index.
};

struct RunsOfOneKey {
  QueryValue key;
  RunGroup runs;
};

// The spread of those values that are numbers.
Spread SpreadOf(const std::vector<QueryValue>& values);

}  // namespace sightline
