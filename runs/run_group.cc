#include "sightline/runs/run_group.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/runs/index/run_index.h"
#include "sightline/runs/query/query.h"
#include "sightline/runs/source/directory_watch.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

// Visit reads this many runs at a time: enough for all cores, few enough for little memory.
constexpr std::size_t kVisitedTogether = 256;
// Directories that cannot be watched, with runs that are not being recorded, are looked at in one
// of this many Refreshes.
constexpr std::uint64_t kSeldom = 8;

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// If a file is a link, its directory's watch does not report what is written to the target.
bool HasLinks(FileSystem& file_system, const RunDirectory& directory) {
  return std::any_of(directory.sources.begin(), directory.sources.end(), [&](const auto& source) {
    std::error_code error;
    const auto path = file_system.MappablePath(source.path);
    return path && std::filesystem::is_symlink(*path, error);
  });
}

}  // namespace

struct RunGroup::Found {
  RunDirectory directory;
  std::size_t root = 0;
  std::string key;      // Its name below the root.
  bool changed = true;  // It may have changed.
};

struct RunGroup::Watched {
  DirectoryWatch watch;
  std::vector<Found> found;  // At the last look.
  std::set<std::string, std::less<>> unwatched;
  bool unwatched_without_run = false;
  std::uint64_t rounds = 0;
};

RunGroup::Followers::Followers() = default;
RunGroup::Followers::Followers(const Followers& /*other*/) {}
RunGroup::Followers& RunGroup::Followers::operator=(const Followers& /*other*/) {
  by_directory.clear();
  watched.reset();
  return *this;
}
RunGroup::Followers::Followers(Followers&& other) noexcept = default;
RunGroup::Followers& RunGroup::Followers::operator=(Followers&& other) noexcept = default;
RunGroup::Followers::~Followers() = default;

std::string DefaultIndexFolder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return JoinPath(cache, "sightline/index");
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return JoinPath(home, ".cache/sightline/index");
  return "";
}

// The run directories of all roots, named, each once.
Result<std::vector<RunGroup::Found>> RunGroup::FindAll() {
  std::vector<Found> all;
  std::set<std::string> known;
  keys_.assign(indexes_.size(), {});
  Watched* const watched = followers_.watched.get();
  const auto watch = [&](const std::string& directory) {
    const auto path = file_system_->MappablePath(directory);
    if (!path || !watched->watch.Add(*path)) watched->unwatched.insert(directory);
  };
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(
        auto found,
        FindRunDirectories(*file_system_, roots_[i],
                           watched == nullptr ? std::function<void(const std::string&)>() : watch));
    for (RunDirectory& directory : found) {
      if (!known.insert(directory.path).second) continue;
      std::string key = directory.name;
      if (roots_.size() > 1) {
        directory.name = directory.name == "." ? roots_[i] : JoinPath(roots_[i], directory.name);
      }
      if (!indexes_.empty()) keys_[i].insert(key);
      all.push_back({std::move(directory), i, std::move(key)});
    }
  }
  if (watched == nullptr) return all;
  std::size_t unwatched_runs = 0;
  for (const Found& found : all) {
    const std::string& path = found.directory.path;
    if (HasLinks(*file_system_, found.directory)) watched->unwatched.insert(path);
    unwatched_runs += watched->unwatched.count(path);
  }
  watched->unwatched_without_run = unwatched_runs < watched->unwatched.size();
  watched->found = all;
  return all;
}

bool RunGroup::IsLive(const std::string& directory) const {
  const auto known = followers_.by_directory.find(directory);
  if (known == followers_.by_directory.end() || known->second.run() == nullptr) return true;
  const RunState state = known->second.run()->StateAt(Now());
  return state == RunState::kRunning || state == RunState::kStalled;
}

// The same as FindAll, but looks only at what may have changed.
Result<std::vector<RunGroup::Found>> RunGroup::FindChanged() {
  if (followers_.watched == nullptr) return FindAll();
  Watched& watched = *followers_.watched;
  if (watched.rounds++ == 0) return FindAll();  // This starts to watch.
  const bool seldom = watched.rounds % kSeldom == 0;
  const DirectoryWatch::News news = watched.watch.Take();
  bool everything = news.everything || (seldom && watched.unwatched_without_run);
  std::size_t changed_runs = 0;
  for (Found& found : watched.found) {
    const std::string& path = found.directory.path;
    const auto real = file_system_->MappablePath(path);
    const bool told = real && news.changed.contains(*real);
    changed_runs += static_cast<std::size_t>(told);
    found.changed = told;
    if (!told && watched.unwatched.contains(path)) found.changed = seldom || IsLive(path);
    const auto known = followers_.by_directory.find(path);
    if (!found.changed && known != followers_.by_directory.end() && known->second.run() != nullptr)
      found.changed = known->second.run()->signs().journal_held;
    if (!found.changed) continue;
    auto listed = ListRunDirectory(*file_system_, found.directory.name, path);
    if (!listed || listed->sources.empty()) everything = true;
    if (listed) found.directory = *std::move(listed);
  }
  // A directory that had no event file has one now.
  if (everything || changed_runs < news.changed.size()) {
    watched.unwatched.clear();
    return FindAll();
  }
  return watched.found;
}

void RunGroup::Watch() {
  if (file_system_ != nullptr && followers_.watched == nullptr)
    followers_.watched = std::make_unique<Watched>();
}

int RunGroup::news_descriptor() const {
  return followers_.watched == nullptr ? -1 : followers_.watched->watch.descriptor();
}

RunGroup RunGroup::Of(FileSystem& file_system, const std::vector<std::string>& roots,
                      const RunGroupOptions& options) {
  RunGroup group({});
  group.file_system_ = &file_system;
  group.roots_ = roots;
  group.options_ = options;
  if (options.index_folder.empty()) return group;
  for (const std::string& root : roots)
    group.indexes_.push_back(RunIndex::Open(file_system, options.index_folder, root));
  return group;
}

Result<RunGroup> RunGroup::Open(FileSystem& file_system, const std::vector<std::string>& roots,
                                const RunGroupOptions& options) {
  RunGroup group = Of(file_system, roots, options);
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories, group.FindAll());
  group.ReadRuns(directories);
  return group;
}

Result<RunGroup> RunGroup::Visit(
    FileSystem& file_system, const std::vector<std::string>& roots, const RunGroupOptions& options,
    const std::function<void(const std::shared_ptr<const Run>&)>& show) {
  RunGroup group = Of(file_system, roots, options);
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories, group.FindAll());
  for (std::size_t begin = 0; begin < directories.size(); begin += kVisitedTogether) {
    const std::size_t count = std::min(kVisitedTogether, directories.size() - begin);
    group.ReadRuns(std::span(directories).subspan(begin, count));
    for (const auto& run : group.runs_) show(run);
    group.runs_.clear();
    group.followers_ = {};
  }
  return group;
}

void RunGroup::ReadRuns(std::span<const Found> directories) {
  for (const auto& run : runs_)
    followers_.by_directory.try_emplace(run->directory(), *file_system_, run);
  Followers followers;
  followers.watched = std::move(followers_.watched);
  std::vector<RunFollower*> of_directory;
  for (const auto& [directory, root, key, changed] : directories) {
    auto known = followers_.by_directory.extract(directory.path);
    const auto at = known.empty() ? followers.by_directory
                                        .try_emplace(directory.path, *file_system_, directory.path,
                                                     directory.name)
                                        .first
                                  : followers.by_directory.insert(std::move(known)).position;
    if (!indexes_.empty()) at->second.UseIndex(indexes_[root], key);
    if (options_.leave_large_unchecked) at->second.LeaveLargeUnchecked();
    of_directory.push_back(&at->second);
  }
  std::vector<std::shared_ptr<const Run>> runs(directories.size());
  // If there are few runs, several threads read the files of each.
  const auto count = static_cast<unsigned>(std::max<std::size_t>(1, directories.size()));
  const unsigned threads_a_run = std::max(1U, ThreadsOr(options_.threads) / count);
  ForEachInParallel(directories.size(), options_.threads, [&](std::size_t i) {
    RunFollower& follower = *of_directory[i];
    runs[i] = directories[i].changed || follower.run() == nullptr
                  ? follower.Refresh(directories[i].directory, threads_a_run)
                  : follower.run();
  });
  for (const auto& index : indexes_) index->EndReading();
  followers_ = std::move(followers);
  runs_ = std::move(runs);
}

std::vector<std::string> RunGroup::WriteIndex() {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    const auto& index = indexes_[i];
    if (index->Write()) index->KeepOnly(keys_[i]);
    if (std::string note = index->note(); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

Result<std::vector<RunChange>> RunGroup::Refresh() {
  if (file_system_ == nullptr)
    return Error(StatusCode::kFailedPrecondition, "a group that was chosen cannot be refreshed");
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto directories, FindChanged());
  const bool any = std::any_of(directories.begin(), directories.end(),
                               [](const Found& found) { return found.changed; });
  if (!any && directories.size() == runs_.size()) return std::vector<RunChange>();
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

Result<std::vector<RunsOfOneKey>> RunGroup::GroupedBy(std::string_view text, double now) const {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Query query, Query::Parse(text));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const RunGroup sorted, Sorted(text, false, now));
  std::vector<RunsOfOneKey> groups;
  for (const auto& run : sorted.runs_) {
    QueryValue key = query.Evaluate(*run, now);
    const bool is_new = groups.empty() || QueryValueLess(groups.back().key, key) ||
                        QueryValueLess(key, groups.back().key);
    if (is_new) groups.push_back({std::move(key), RunGroup({})});
    groups.back().runs.runs_.push_back(run);
  }
  return groups;
}

Spread SpreadOf(const std::vector<QueryValue>& values) {
  std::vector<double> numbers;
  for (const QueryValue& value : values) {
    if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
  }
  return SpreadOfNumbers(numbers);
}

}  // namespace sightline
