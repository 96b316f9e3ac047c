// RunGroup: the runs in and below some directories, opened on all cores, filtered and sorted.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(FileSystem::Local(), {"output"}));
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup good, group.Where("lr > 0.01 and last('loss') < 0.5"));
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto by_rate, group.GroupedBy("lr", now));
//
// A value of shared, immutable runs: cheap to copy. One thread at a time; its runs any. Whoever
// follows runs calls Refresh from time to time:
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
#include "sightline/runs/band.h"
#include "sightline/runs/query.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_changes.h"
#include "sightline/runs/run_follower.h"

namespace sightline {

struct RunDirectory;
struct RunsOfOneKey;
class RunIndex;

struct RunGroupOptions {
  unsigned threads = 0;  // 0: as many as the machine has cores.
  // Where what was read is kept, one file a root, so that the next opening reads only what is new
  // (docs/runs.md, "Index"); empty: nowhere.
  std::string index_folder = {};
  // Records of 64 KiB and more are listed without being read whole (RunFile::unchecked).
  bool leave_large_unchecked = false;
};

// ${XDG_CACHE_HOME:-~/.cache}/sightline/index; empty where neither variable is set.
std::string DefaultIndexFolder();

class RunGroup {
 public:
  // Every directory in and below the roots that holds event files is a run. Runs are named by their
  // path below the root; with several roots the root stands before it. Runs in several roots are
  // there once. Errors: a root that cannot be listed.
  static Result<RunGroup> Open(FileSystem& file_system, const std::vector<std::string>& roots,
                               const RunGroupOptions& options = {});
  // The same for whoever looks at each run once: calls show(run) for them in the order of their
  // names, and keeps none. The group that it returns has no runs; it serves WriteIndex.
  static Result<RunGroup> Visit(FileSystem& file_system, const std::vector<std::string>& roots,
                                const RunGroupOptions& options,
                                const std::function<void(const std::shared_ptr<const Run>&)>& show);
  explicit RunGroup(std::vector<std::shared_ptr<const Run>> runs) : runs_(std::move(runs)) {}

  // Looks at the directories again, reads what was appended to the runs whose files or journals
  // changed (run_follower.h), and says what changed, in the order of names. Runs that did not
  // change stay the same objects and cost a look at their directory. Of a group made by Where,
  // Sorted or from runs: kFailedPrecondition.
  Result<std::vector<RunChange>> Refresh();

  // From the second Refresh on only that is looked at of which the system says that it changed
  // (inotify), and what it does not tell of: journals of living recorders, network file systems,
  // directories beyond its watches. For whoever refreshes often.
  void Watch();
  // A file descriptor that can be read (poll, select) once Refresh may have something to tell; what
  // is recorded into a journal does not show there. The group's; -1 where nothing is watched.
  int news_descriptor() const;

  // Writes what was read since into the index. Whoever opened a group with one calls this when
  // nobody waits any more. What could not be used of it, and why: lines to tell; as a rule none.
  std::vector<std::string> WriteIndex();

  std::span<const std::shared_ptr<const Run>> runs() const { return runs_; }
  // Null where there is none.
  std::shared_ptr<const Run> Find(std::string_view name) const;

  // The runs that a query (docs/query.md) holds for. kInvalidArgument, with the column, for text
  // that is no query.
  Result<RunGroup> Where(std::string_view text, double now) const;
  // By the value of an expression (docs/query.md), runs without one last; `descending` turns the
  // others round. Runs that are equal stay in their order.
  Result<RunGroup> Sorted(std::string_view text, bool descending, double now) const;
  // The runs for which an expression has one value, group by group: in the order of the values,
  // runs without one last.
  Result<std::vector<RunsOfOneKey>> GroupedBy(std::string_view text, double now) const;

 private:
  struct Found;
  struct Watched;
  // One a run. A copy of a group begins with none, so that two may be used by two threads.
  struct Followers {
    Followers();
    Followers(const Followers& other);
    Followers& operator=(const Followers& other);
    Followers(Followers&& other) noexcept;
    Followers& operator=(Followers&& other) noexcept;
    ~Followers();
    std::map<std::string, RunFollower, std::less<>> by_directory;
    std::unique_ptr<Watched> watched;  // Null where nothing is watched.
  };

  static RunGroup Of(FileSystem& file_system, const std::vector<std::string>& roots,
                     const RunGroupOptions& options);
  Result<std::vector<Found>> FindAll();
  Result<std::vector<Found>> FindChanged();
  bool IsLive(const std::string& directory) const;
  void ReadRuns(std::span<const Found> directories);

  FileSystem* file_system_ = nullptr;  // Null where there are no roots.
  std::vector<std::string> roots_;
  RunGroupOptions options_;
  std::vector<std::shared_ptr<const Run>> runs_;
  Followers followers_;
  std::vector<std::shared_ptr<RunIndex>> indexes_;        // One a root, or none.
  std::vector<std::set<std::string, std::less<>>> keys_;  // Of the runs, for each index.
};

struct RunsOfOneKey {
  QueryValue key;
  RunGroup runs;
};

// Of the numbers among them.
Spread SpreadOf(const std::vector<QueryValue>& values);

}  // namespace sightline
