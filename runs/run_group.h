// RunGroup: the runs in and below some directories, opened on all cores, filtered and sorted.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(FileSystem::Local(), {"output"}));
//   SIGHTLINE_ASSIGN_OR_RETURN(RunGroup good, group.Where("lr > 0.01 and last('loss') < 0.5"));
//
// A value of shared, immutable runs: cheap to copy. One thread at a time; its runs any. Whoever
// follows runs calls Refresh from time to time:
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto changes, group.Refresh());
//   for (const RunChange& change : changes) Show(change);
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_changes.h"
#include "sightline/runs/run_follower.h"

namespace sightline {

struct RunDirectory;

struct RunGroupOptions {
  unsigned threads = 0;  // 0: as many as the machine has cores.
};

class RunGroup {
 public:
  // Every directory in and below the roots that holds event files is a run. Runs are named by their
  // path below the root; with several roots the root stands before it. Runs in several roots are
  // there once. Errors: a root that cannot be listed.
  static Result<RunGroup> Open(FileSystem& file_system, const std::vector<std::string>& roots,
                               const RunGroupOptions& options = {});
  explicit RunGroup(std::vector<std::shared_ptr<const Run>> runs) : runs_(std::move(runs)) {}

  // Looks at the directories again, reads what was appended to the runs whose files or journals
  // changed (run_follower.h), and says what changed, in the order of names. Runs that did not
  // change stay the same objects and cost a look at their directory. Of a group made by Where,
  // Sorted or from runs: kFailedPrecondition.
  Result<std::vector<RunChange>> Refresh();

  std::span<const std::shared_ptr<const Run>> runs() const { return runs_; }
  // Null where there is none.
  std::shared_ptr<const Run> Find(std::string_view name) const;

  // The runs that a query (docs/query.md) holds for. kInvalidArgument, with the column, for text
  // that is no query.
  Result<RunGroup> Where(std::string_view text, double now) const;
  // By the value of an expression (docs/query.md), runs without one last; `descending` turns the
  // others round. Runs that are equal stay in their order.
  Result<RunGroup> Sorted(std::string_view text, bool descending, double now) const;

 private:
  // One a run. A copy of a group begins with none, so that two may be used by two threads.
  struct Followers {
    Followers() = default;
    Followers(const Followers& /*other*/) {}
    Followers& operator=(const Followers& /*other*/) {
      by_directory.clear();
      return *this;
    }
    Followers(Followers&&) = default;
    Followers& operator=(Followers&&) = default;
    ~Followers() = default;
    std::map<std::string, RunFollower, std::less<>> by_directory;
  };

  void ReadRuns(const std::vector<RunDirectory>& directories);

  FileSystem* file_system_ = nullptr;  // Null where there are no roots.
  std::vector<std::string> roots_;
  RunGroupOptions options_;
  std::vector<std::shared_ptr<const Run>> runs_;
  Followers followers_;
};

}  // namespace sightline
