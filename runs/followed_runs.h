// FollowedRuns: the runs in and below some directories, read again and again (RunGroup). Private to
// this folder. One thread at a time; any thread may read the runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/runs/followed_run.h"
#include "sightline/runs/index/run_index.h"
#include "sightline/runs/run_changes.h"
#include "sightline/runs/run_group.h"
#include "sightline/runs/source/run_finder.h"

namespace sightline {

struct FollowedRunsOptions : RunGroupOptions {
  // The size of the event files that are read at the same time; without it, it has no bound.
  std::optional<std::uint64_t> bytes_at_once = std::nullopt;
  // With several roots, RunChange::name is "<root's number>:<path below>", which stays the same
  // when the folders are renamed. A run is then called by the name of its root's folder and the
  // path below, not by the root as it was given. Roots whose folders have the same name are called
  // by as much of their paths as it takes to tell them apart. With one root, the run in the root
  // itself has the name of its folder, too.
  bool number_roots = false;
};

class FollowedRuns {
 public:
  FollowedRuns(const std::vector<std::string>& roots, const FollowedRunsOptions& options);

  RunFinder& finder() { return finder_; }
  // Reads the runs that Find just returned, in parts. Calls show after each part that changed, and
  // goes on if it returns true. `show` may call the functions below. Runs that were not read stay
  // due.
  using Show = std::function<bool(const std::vector<RunChange>&)>;
  void Read(const RunFinder::News& news, const Show& show);

  // By root and name.
  std::vector<std::shared_ptr<const Run>> runs() const;
  // See RunGroup.
  std::vector<std::string> WriteIndex();
  // Frees the points that the index has: replaces the runs that do not grow by ones that load their
  // points from there when they are asked for. Returns the new runs, by RunChange::name.
  std::map<std::string, std::shared_ptr<const Run>> ReleasePoints();
  // With leave_large_unchecked: lets the next Read read this run whole. False if this was called
  // before.
  bool CheckLargeRecords(const Run& run);
  // Forgets all runs, except while some wait for others that may be joined with them. The index
  // still has them.
  void Clear();

 private:
  struct Member {
    FollowedRun followed;
    std::shared_ptr<const Run> shown = nullptr;  // The run, with the lineage of the run above.
    double next_read = 0;                        // It is not read again before.
  };
  // A run as callers see it: one member, or several that were joined.
  struct Joined {
    struct Part {
      RunFinder::Key member;
      std::optional<std::int32_t> rank;
      std::string tag;
      bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    std::shared_ptr<const Run> run;
    bool is_one() const { return parts.size() == 1 && !parts[0].rank && parts[0].tag.empty(); }
  };

  Member& MemberOf(const RunFinder::Found& found);
  std::size_t CountOfPart(std::span<const RunFinder::Found> runs) const;
  void ReadPart(std::span<const RunFinder::Found> part);
  std::string NameOf(const RunFinder::Key& key) const;
  std::string IdOf(const RunFinder::Key& key) const;
  void MarkFamily(const RunFinder::Key& key);
  // Joins the members of the families that changed, unless one of `unread` may belong to them.
  void JoinFamilies(std::span<const RunFinder::Found> unread, std::vector<RunChange>& changes);
  void JoinFamily(const RunFinder::Key& family, std::vector<RunChange>& changes);
  std::map<RunFinder::Key, Joined> PlanFamily(const RunFinder::Key& family) const;
  bool IsCurrent(const Joined& joined) const;
  std::shared_ptr<const Run> RunOf(const RunFinder::Key& key, const Joined& joined) const;
  void ReleaseWaiting();
  // Of the members that grew and are not live any more.
  void EndGrowth();
  bool IsLive(const Run& run) const;
  std::shared_ptr<const Run> ShownRun(const RunFinder::Key& key,
                                      const std::shared_ptr<const Run>& run) const;

  const FollowedRunsOptions options_;
  const std::vector<std::string> roots_;
  const std::vector<std::string> root_names_;
  RunFinder finder_;
  std::vector<std::shared_ptr<RunIndex>> indexes_;  // One for each root, or none.
  std::map<RunFinder::Key, Member> members_;
  // Members that may grow. The others, which may be many, are not looked at each second.
  std::set<RunFinder::Key> growing_;
  std::map<RunFinder::Key, Joined> joined_;
  // The folders with members that changed since they were joined (FamilyOf).
  std::set<RunFinder::Key> waiting_;
  std::uint64_t waiting_bytes_ = 0;  // Of the event files that were read while some waited.
  // The runs above those that Keras records into train/ and validation/, and the lineage of the
  // ones that were forgotten.
  std::map<RunFinder::Key, RunLineage> above_;
};

}  // namespace sightline
