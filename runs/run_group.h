// RunGroup: the runs in and below some directories, opened on all cores, filtered and sorted.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open({"output"}));
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup good, group.Where("lr > 0.01 and last('loss') < 0.5"));
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto by_rate, group.GroupedBy("lr"));
//
// A value that shares its immutable runs: cheap to copy. One thread at a time; any thread may read
// the runs. To follow the runs, call Refresh from time to time:
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto changes, group.Refresh());
//   for (const RunChange& change : changes) Show(change);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/band.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/query/query.h"
#include "sightline/runs/run_changes.h"

namespace sightline {

class FollowedRuns;
struct RunsOfOneKey;

struct RunGroupOptions {
  FileSystem* file_system = &FileSystem::Local();  // It must outlive the runs.
  const Clock* clock = &Clock::System();           // It must outlive the group.
  unsigned threads = 0;                            // 0: as many as the machine has cores.
  // The folder of the index, which has one file for each root. With it, the next opening reads only
  // new data (docs/runs.md, "Index").
  std::optional<std::string> index_folder = std::nullopt;
  // Joins directories that are parts of one training into one run (docs/ranks.md).
  bool join = true;
  // Lists records of 64 KiB and more without reading them whole (RunFile::unchecked).
  bool leave_large_unchecked = false;
  // Refresh looks less often where nothing changes: at a directory that changed t seconds ago each
  // t / 10 seconds, but at least every 5 s; with more than 500 directories, at 100 of them each
  // second. It reads a run for a tenth of the time at most.
  bool back_off = false;
  // Called while runs are read, in the thread that opens or refreshes the group: how many bytes of
  // the event files that are due have been read, and how many there are.
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress = nullptr;
};

// ${XDG_CACHE_HOME:-~/.cache}/sightline/index; nothing if neither XDG_CACHE_HOME nor HOME is an
// absolute path.
std::optional<std::string> DefaultIndexFolder();

class RunGroup {
 public:
  // Opens the runs: every directory in and below the roots that holds event files is one, or with
  // RunGroupOptions::join a part of one. A run's name is its path below the root, that of a joined
  // run the path of the folder of its ranks; with several roots, the root precedes it. A run in
  // several roots is there once. An error if a directory cannot be listed, except those below a
  // root that may not be read.
  static Result<RunGroup> Open(const std::vector<std::string>& roots,
                               const RunGroupOptions& options = {});
  // Calls show(run) for all runs, in the order of their names within each root, and keeps none, for
  // callers that need each run once. The returned group has no runs; it is for WriteIndex. Errors
  // as of Open.
  static Result<RunGroup> Visit(const std::vector<std::string>& roots,
                                const RunGroupOptions& options,
                                const std::function<void(const std::shared_ptr<const Run>&)>& show);
  explicit RunGroup(std::vector<std::shared_ptr<const Run>> runs);
  RunGroup(const RunGroup& other);
  RunGroup& operator=(const RunGroup& other);
  RunGroup(RunGroup&& other) noexcept;
  RunGroup& operator=(RunGroup&& other) noexcept;
  ~RunGroup();

  // Looks at the directories again, reads what was appended to runs whose files or journals changed
  // (run_follower.h), and returns the changes, ordered by name. Runs that did not change stay the
  // same objects. A run whose directory disappeared is gone; one that cannot be listed stays.
  // kFailedPrecondition for a group that was copied, made from runs, or returned by Where, Sorted
  // or GroupedBy.
  Result<std::vector<RunChange>> Refresh();

  // Makes Refresh cheap for callers that refresh often. The next Refresh starts to watch the
  // directories with inotify. Later ones look only at directories that the system reports as
  // changed, and at those whose changes it does not report: with the journal of a living recorder,
  // on a network file system, or beyond the system's number of watches. If a run in one of the
  // latter two is no longer being recorded, Refresh looks at it as with back_off.
  void Watch();
  // A file descriptor that becomes readable (poll, select) when Refresh may have something to
  // report. It does not show what is recorded into a journal. The group owns it. -1 if nothing is
  // watched.
  int news_descriptor() const;

  // Writes into the index what was read since the last call. If you opened the group with an index,
  // call this after you have shown the runs. Returns a line for each index that could not be used,
  // which says why; usually none.
  std::vector<std::string> WriteIndex();

  std::span<const std::shared_ptr<const Run>> runs() const { return runs_; }
  // The run with this name, or the part of a run that would have it as a run of its own. Null if
  // there is none.
  std::shared_ptr<const Run> Find(std::string_view name) const;

  // The runs for which a query (docs/query.md) is true. kInvalidArgument, with the column, if
  // `text` is not a query.
  Result<RunGroup> Where(std::string_view text, const Clock& clock = Clock::System()) const;
  // The runs sorted by the value of an expression (docs/query.md), those without a value last.
  // `descending` reverses the order of the others. Runs with equal values keep their order.
  Result<RunGroup> Sorted(std::string_view text, bool descending = false,
                          const Clock& clock = Clock::System()) const;
  // Groups of the runs for which an expression has the same value, in the order of the values; runs
  // without a value last.
  Result<std::vector<RunsOfOneKey>> GroupedBy(std::string_view text,
                                              const Clock& clock = Clock::System()) const;

 private:
  RunGroup(const std::vector<std::string>& roots, const RunGroupOptions& options);

  std::vector<std::shared_ptr<const Run>> runs_;
  std::unique_ptr<FollowedRuns> followed_;  // Null if the group cannot be refreshed.
};

struct RunsOfOneKey {
  QueryValue key;
  RunGroup runs;
};

// The spread of those values that are numbers.
Spread SpreadOf(const std::vector<QueryValue>& values);

}  // namespace sightline
