#include "sightline/runs/source/run_finder.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

namespace sightline {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShortestPause = 1;
constexpr double kLongestPause = 5;
constexpr double kDirectoriesPerSecond = 100;  // If there are more, they are due less often.
// Links from each of many directories to all others make endless folders; no tree of runs has this
// many.
constexpr std::size_t kMaxDirectories = 1'000'000;

// If a file is a link, its directory's watch does not report what is written to the target.
bool HasLinks(FileSystem& file_system, const RunDirectory& directory) {
  return std::any_of(directory.sources.begin(), directory.sources.end(), [&](const auto& source) {
    std::error_code error;
    const auto path = file_system.MappablePath(source.path);
    return path && std::filesystem::is_symlink(*path, error);
  });
}

// Whether it is W&B's link to the newest run, which is there under its own name, too.
bool IsLatestLink(FileSystem& file_system, std::string_view name, const std::string& path) {
  if (name != "latest-run") return false;
  std::error_code error;
  const auto real = file_system.MappablePath(path);
  return real && std::filesystem::is_symlink(*real, error);
}

// Whether an export or an import writes it, or was killed while it did
// (export/runs/export_target.h): it is not complete.
bool IsUnfinished(std::string_view name) {
  return name.starts_with('.') && name.find(".sightline-") != name.npos && name.ends_with(".tmp");
}

bool IsSameDirectory(FileSystem& file_system, const std::string& a, const std::string& b) {
  const auto real_a = file_system.MappablePath(a);
  const auto real_b = file_system.MappablePath(b);
  std::error_code error;
  return real_a && real_b && std::filesystem::equivalent(*real_a, *real_b, error);
}

// Erases the entries of a path and of all paths below it. Calls `each` with every entry before.
template <typename Map, typename Each>
void EraseFrom(Map& by_path, const std::string& path, const Each& each) {
  const auto erase = [&](auto at) {
    each(*at);
    return by_path.erase(at);
  };
  if (const auto at = by_path.find(path); at != by_path.end()) erase(at);
  const std::string below = path + "/";
  for (auto at = by_path.lower_bound(below); at != by_path.end() && at->first.starts_with(below);)
    at = erase(at);
}

}  // namespace

RunFinder::RunFinder(FileSystem& file_system, std::vector<std::string> roots, bool back_off,
                     const Clock& clock)
    : file_system_(file_system), roots_(std::move(roots)), back_off_(back_off), clock_(clock) {}

void RunFinder::Watch() {
  if (watch_ != nullptr) return;
  watch_ = std::make_unique<DirectoryWatch>();
  for (auto& [path, directory] : directories_) SetDue(directory, 0);
}

RunFinder::News RunFinder::Find() {
  now_ = clock_.WallSeconds();
  TakeEvents();
  News news;
  Walk(TakeDue(), news);
  // A root that disappeared may come back. One within another root is found there.
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const auto [root, is_new] = directories_.try_emplace(roots_[i]);
    if (!is_new) continue;
    root->second.key = {i, "."};
    Walk({roots_[i]}, news);
  }
  std::sort(news.listed.begin(), news.listed.end(),
            [](const Found& a, const Found& b) { return a.key < b.key; });
  return news;
}

// Large trees are mostly not due: they are not gone through each time.
std::vector<std::string> RunFinder::TakeDue() {
  std::vector<std::string> due;
  if (next_due_ > now_) return due;
  next_due_ = kNever;
  for (const auto& [path, directory] : directories_) {
    next_due_ = std::min(next_due_, directory.due);
    if (directory.due <= now_) due.push_back(path);
  }
  return due;
}

void RunFinder::SetDue(Directory& directory, double due) {
  directory.due = due;
  next_due_ = std::min(next_due_, due);
}

void RunFinder::Walk(std::vector<std::string> paths, News& news) {
  while (!paths.empty()) {
    const std::string path = std::move(paths.back());
    paths.pop_back();
    Look(path, paths, news);
  }
}

void RunFinder::Look(const std::string& path, std::vector<std::string>& paths, News& news) {
  const auto at = directories_.find(path);
  if (at == directories_.end()) return;  // It disappeared with its parent.
  Directory& directory = at->second;
  if (watch_ != nullptr && !directory.watched) directory.watched = WatchDirectory(path);
  const bool was_run = directory.is_run;
  const Status listed = List(path, directory, paths, news);
  const bool missing = listed.code() == StatusCode::kNotFound;
  const bool expected = missing || listed.code() == StatusCode::kPermissionDenied;
  if (!listed.ok() && news.status.ok() && (!expected || directory.depth == 0)) news.status = listed;
  if (missing) return Forget(path, news);
  if (expected) directory.is_run = false;
  if (was_run && !directory.is_run) news.gone.push_back(directory.key);
  if (directory.is_run) {
    SetDue(directory, directory.due);  // Until Reschedule.
  } else {
    Schedule(directory);
  }
}

Status RunFinder::List(const std::string& path, Directory& directory,
                       std::vector<std::string>& paths, News& news) {
  const FileStamp stamp = StampOf(file_system_, path);
  const bool same = directory.stamp == stamp;
  const bool searched = same && directory.stamp.settled;
  if (searched && !directory.is_run) return {};
  if (IsOwnAncestor(path, stamp)) {
    directory.stamp = stamp;
    directory.is_run = false;
    return {};
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto entries, file_system_.List(path));
  SIGHTLINE_ASSIGN_OR_RETURN(RunDirectory listed,
                             ListRunDirectory(file_system_, directory.key.name, path, entries));
  double newest = stamp.modified_seconds;
  for (const StampedSource& source : listed.sources)
    newest = std::max(newest, source.stamp.modified_seconds);
  if (!same && directory.stamp.exists) newest = now_;
  directory.changed_at = std::max(directory.changed_at, std::min(now_, newest));
  Status added;
  if (!searched) added = AddChildren(path, entries, listed, paths);
  directory.stamp = stamp;
  directory.is_run = !listed.sources.empty();
  if (!directory.is_run) return added;
  if (directory.watched && HasLinks(file_system_, listed)) directory.watched = false;
  news.listed.push_back({directory.key, std::move(listed)});
  return added;
}

// Through a link, or a mount. The stamps of the ancestors were taken when they were listed.
bool RunFinder::IsOwnAncestor(const std::string& path, const FileStamp& stamp) const {
  if (stamp.inode == 0) return false;
  std::string above = path;
  for (auto at = directories_.find(path); at != directories_.end() && at->second.depth > 0;) {
    above = DirectoryOf(above);
    at = directories_.find(above);
    if (at != directories_.end() && at->second.stamp.inode == stamp.inode &&
        IsSameDirectory(file_system_, above, path))
      return true;
  }
  return false;
}

Status RunFinder::AddChildren(const std::string& path, const std::vector<std::string>& entries,
                              const RunDirectory& listed, std::vector<std::string>& paths) {
  const Directory& parent = directories_.at(path);
  if (parent.depth == kMaxRunDepth) return {};
  std::set<std::string_view> files;
  for (const StampedSource& source : listed.sources) files.insert(source.path);
  for (const std::string& entry : entries) {
    if (entry == kTrashFolder) continue;
    std::string child = JoinPath(path, entry);
    if (IsUnfinished(entry) || directories_.contains(child) || files.contains(child)) continue;
    const auto info = file_system_.Stat(child);
    if (!info || !info->is_directory || IsLatestLink(file_system_, entry, child)) continue;
    if (directories_.size() == kMaxDirectories) {
      return Status(StatusCode::kResourceExhausted,
                    path + ": more than 1,000,000 folders; give a folder closer to the runs");
    }
    const std::string& name = parent.key.name;
    Directory below;
    below.key = {parent.key.root, name == "." ? entry : JoinPath(name, entry)};
    below.depth = parent.depth + 1;
    directories_.emplace(child, std::move(below));
    paths.push_back(std::move(child));
  }
  return {};
}

void RunFinder::Forget(const std::string& path, News& news) {
  EraseFrom(directories_, path, [&](const auto& entry) {
    if (entry.second.is_run) news.gone.push_back(entry.second.key);
  });
}

void RunFinder::Schedule(Directory& directory) {
  if (directory.watched) {
    SetDue(directory, kNever);
  } else if (back_off_ || watch_ != nullptr) {
    const double longest =
        std::max(kLongestPause, static_cast<double>(directories_.size()) / kDirectoriesPerSecond);
    SetDue(directory,
           now_ + std::clamp((now_ - directory.changed_at) / 10, kShortestPause, longest));
  } else {
    SetDue(directory, 0);
  }
}

void RunFinder::Reschedule(const std::string& path, bool changed, bool recording) {
  const auto at = directories_.find(path);
  if (at == directories_.end()) return;
  if (changed) at->second.changed_at = now_;
  SetDue(at->second, 0);
  if (!recording) Schedule(at->second);
}

void RunFinder::LookAt(const std::string& path) {
  if (const auto at = directories_.find(path); at != directories_.end()) SetDue(at->second, 0);
}

bool RunFinder::MissesChanges(const std::string& path) const {
  const auto at = directories_.find(path);
  return watch_ != nullptr && at != directories_.end() && !at->second.watched;
}

std::set<std::string, std::less<>> RunFinder::Names(std::size_t root) const {
  std::set<std::string, std::less<>> names;
  for (const auto& [path, directory] : directories_)
    if (directory.is_run && directory.key.root == root) names.insert(directory.key.name);
  return names;
}

bool RunFinder::WatchDirectory(const std::string& path) {
  const auto watched = file_system_.MappablePath(path);
  if (!watched || !watch_->Add(*watched)) return false;
  watched_paths_.insert_or_assign(*watched, path);
  return true;
}

void RunFinder::TakeEvents() {
  if (watch_ == nullptr) return;
  const DirectoryWatch::News news = watch_->Take();
  for (const std::string& watched : news.changed) {
    if (const auto path = watched_paths_.find(watched); path != watched_paths_.end())
      LookAt(path->second);
  }
  const auto unwatch = [&](Directory& directory) {
    directory.watched = false;
    SetDue(directory, 0);
  };
  for (const std::string& watched : news.gone) {
    EraseFrom(watched_paths_, watched, [&](const auto& entry) {
      if (const auto at = directories_.find(entry.second); at != directories_.end())
        unwatch(at->second);
    });
  }
  if (!news.everything) return;
  watched_paths_.clear();
  for (auto& [path, directory] : directories_) unwatch(directory);
}

}  // namespace sightline
