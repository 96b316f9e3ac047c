// RunWatch: looks at the runs below some directories again and again, and says when a rule begins
// to hold and when it is over.
//
//   RunWatch watch({.roots = {"/home/u/output"}, .rules = rules}, *state);
//   watch.WatchDirectories();
//   for (;;) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto events, watch.Poll());
//     for (const WatchEvent& event : events) Show(event);
//     Sleep(1);
//   }
//
// Rules are asked about runs that are recorded while the watch looks; a run that ended before says
// nothing. Of a run that was recorded already when the watch first saw it, only what holds then
// counts. What was said is in the state, so that a watch that starts again does not repeat it, and
// says what happened in between to the runs that grew.
//
// One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/followed_runs.h"
#include "sightline/runs/query/query.h"
#include "sightline/watch/rules/rule.h"
#include "sightline/watch/watch_state.h"

namespace sightline::watch {

struct WatchOptions {
  std::vector<std::string> roots;
  std::vector<std::shared_ptr<const Rule>> rules;
  std::optional<Query> where = std::nullopt;               // Only runs of which it is true.
  FileSystem* file_system = &FileSystem::Local();          // It must outlive the watch.
  const Clock* clock = &Clock::System();                   // The same.
  std::optional<std::string> index_folder = std::nullopt;  // RunGroupOptions
  bool join = true;
};

// A rule began to hold, or does not hold any more.
struct WatchEvent {
  std::string id;   // The same for both, and for no other cause: 16 hexadecimal digits.
  double time = 0;  // When the watch saw it: seconds since the Unix epoch.
  bool over = false;
  std::string rule;       // As it was given.
  std::string run;        // Its name; for a rule about a disk, the root.
  std::string directory;  // Of the run, absolute.
  Cause cause;            // With `over`: id and text only, as they were.
};

class RunWatch {
 public:
  // `state` must outlive the watch, which keeps there what it has said; it does not save it.
  RunWatch(WatchOptions options, WatchState& state);

  // Makes looks cheap for callers that look often: see RunGroup::Watch.
  void WatchDirectories() { followed_.finder().Watch(); }

  // Reads what was recorded since the last look, and asks the rules. An error if a root cannot be
  // listed; the other roots were looked at.
  Result<std::vector<WatchEvent>> Poll();
  // How many runs there are, and how many of them are being watched since they grow.
  std::size_t runs() const { return names_.size(); }
  std::size_t growing() const { return growing_.size(); }
  // The tags of rules that no run has, of those that were read so far.
  std::set<std::string> MissingTags() const;

 private:
  // A run that grows.
  struct Growing {
    std::shared_ptr<const Run> run;
    std::string directory;
    std::vector<std::unique_ptr<RuleInRun>> rules;  // As in the options; null if not about runs.
    bool changed = true;
    bool history = false;
    bool chosen = true;                                  // By the query.
    std::optional<std::size_t> recorded = std::nullopt;  // See ValuesOfTraining.
    std::int64_t grew_at = 0;                            // On the monotonic clock.
  };

  void Note(const RunChange& change);
  void Begin(const RunChange& change, bool history);
  bool IsLive(const Run& run) const;
  // Asks the rules about a run. False if it needs to be looked at no more.
  bool Ask(Growing& growing, std::vector<WatchEvent>& events);
  void AskDisks(std::vector<WatchEvent>& events);
  // Compares what holds with what held, and makes events of the difference.
  void Tell(const Rule& rule, const std::string& run, const std::string& directory,
            std::vector<Cause> holding, std::vector<WatchEvent>& events);
  void Forget(const std::string& directory);
  void ForgetMissing();
  void ReleasePoints();

  const WatchOptions options_;
  WatchState& state_;
  FollowedRuns followed_;
  std::vector<std::shared_ptr<const Rule>> rules_of_disks_;
  double patience_ = 0;  // The longest of the rules.
  double started_ = 0;
  bool first_ = true;      // Before the end of the first look.
  bool any_read_ = false;  // Since points were last released.
  std::int64_t release_at_ = 0;
  std::set<std::string> tags_;                // Those of the rules that some run has.
  std::map<std::string, std::string> names_;  // The directories of all runs, by RunChange::name.
  std::map<std::string, Growing> growing_;    // By RunChange::name.
};

}  // namespace sightline::watch
