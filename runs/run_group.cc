#include "sightline/runs/run_group.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sightline/runs/parallel.h"
#include "sightline/runs/query.h"
#include "sightline/runs/run_scan.h"

namespace sightline {
namespace {

// The run directories of all roots, named, each once.
Result<std::vector<RunDirectory>> FindAll(FileSystem& file_system,
                                          const std::vector<std::string>& roots) {
  std::vector<RunDirectory> directories;
  std::set<std::string> known;
  for (const std::string& root : roots) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto found, FindRunDirectories(file_system, root));
    for (RunDirectory& directory : found) {
      if (!known.insert(directory.path).second) continue;
      if (roots.size() > 1)
        directory.name = directory.name == "." ? root : JoinPath(root, directory.name);
      directories.push_back(std::move(directory));
    }
  }
  return directories;
}

}  // namespace

Result<RunGroup> RunGroup::Open(FileSystem& file_system, const std::vector<std::string>& roots,
                                const RunGroupOptions& options) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories, FindAll(file_system, roots));
  RunGroup group({});
  group.file_system_ = &file_system;
  group.roots_ = roots;
  group.options_ = options;
  group.ReadRuns(directories);
  return group;
}

void RunGroup::ReadRuns(const std::vector<RunDirectory>& directories) {
  for (const auto& run : runs_)
    followers_.by_directory.try_emplace(run->directory(), *file_system_, run);
  Followers followers;
  std::vector<RunFollower*> of_directory;
  for (const RunDirectory& directory : directories) {
    auto known = followers_.by_directory.extract(directory.path);
    const auto at = known.empty() ? followers.by_directory
                                        .try_emplace(directory.path, *file_system_, directory.path,
                                                     directory.name)
                                        .first
                                  : followers.by_directory.insert(std::move(known)).position;
    of_directory.push_back(&at->second);
  }
  std::vector<std::shared_ptr<const Run>> runs(directories.size());
  // Few runs: several threads read the files of one.
  const auto count = static_cast<unsigned>(std::max<std::size_t>(1, directories.size()));
  const unsigned threads_a_run = std::max(1U, ThreadsOr(options_.threads) / count);
  ForEachInParallel(directories.size(), options_.threads, [&](std::size_t i) {
    runs[i] = of_directory[i]->Refresh(directories[i].sources, threads_a_run);
  });
  followers_ = std::move(followers);
  runs_ = std::move(runs);
}

Result<std::vector<RunChange>> RunGroup::Refresh() {
  if (file_system_ == nullptr)
    return Error(StatusCode::kFailedPrecondition, "a group that was chosen cannot be refreshed");
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories, FindAll(*file_system_, roots_));
  std::map<std::string, std::shared_ptr<const Run>, std::less<>> known;
  for (const auto& run : runs_) known.emplace(run->directory(), run);
  ReadRuns(directories);
  std::vector<RunChange> changes;
  for (const auto& run : runs_) {
    const auto found = known.find(run->directory());
    if (found == known.end()) {
      changes.push_back({RunChange::Kind::kAppeared, run->name(), run, {}});
      continue;
    }
    const std::shared_ptr<const Run> before = std::move(found->second);
    known.erase(found);
    if (before == run) continue;
    const bool replaced = before->files()[0].path != run->files()[0].path;
    changes.push_back({replaced ? RunChange::Kind::kReplaced : RunChange::Kind::kChanged,
                       run->name(), run, SeriesChanges(*before, *run)});
  }
  for (const auto& [directory, run] : known)
    changes.push_back({RunChange::Kind::kGone, run->name(), nullptr, {}});
  std::stable_sort(changes.begin(), changes.end(),
                   [](const RunChange& a, const RunChange& b) { return a.name < b.name; });
  return changes;
}

std::shared_ptr<const Run> RunGroup::Find(std::string_view name) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(),
                                  [&](const auto& run) { return run->name() == name; });
  return found == runs_.end() ? nullptr : *found;
}

Result<RunGroup> RunGroup::Where(std::string_view text, double now) const {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Query query, Query::Parse(text));
  std::vector<std::shared_ptr<const Run>> chosen;
  for (const auto& run : runs_) {
    if (query.Holds(*run, now)) chosen.push_back(run);
  }
  return RunGroup(std::move(chosen));
}

Result<RunGroup> RunGroup::Sorted(std::string_view text, bool descending, double now) const {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Query query, Query::Parse(text));
  std::vector<std::pair<QueryValue, std::shared_ptr<const Run>>> keyed;
  for (const auto& run : runs_) keyed.emplace_back(query.Evaluate(*run, now), run);
  std::stable_sort(keyed.begin(), keyed.end(), [descending](const auto& a, const auto& b) {
    const bool either_missing = a.first.index() == 0 || b.first.index() == 0;
    if (descending && !either_missing) return QueryValueLess(b.first, a.first);
    return QueryValueLess(a.first, b.first);
  });
  std::vector<std::shared_ptr<const Run>> sorted;
  sorted.reserve(keyed.size());
  for (auto& [key, run] : keyed) sorted.push_back(std::move(run));
  return RunGroup(std::move(sorted));
}

}  // namespace sightline
