#include "sightline/runs/followed_runs.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/base/parallel.h"

namespace sightline {
namespace {

constexpr std::size_t kRunsOfAPart = 64;
constexpr double kReadingShare = 10;  // With back_off, a run is read for a tenth of the time.

// The run above one that is a part of it: Keras records the metrics of a training in directories
// below that of its parameters.
std::optional<RunFinder::Key> RunAbove(const RunFinder::Key& key) {
  const std::string_view part = BaseName(key.name);
  if (part != "train" && part != "validation") return std::nullopt;
  return RunFinder::Key{key.root, DirectoryOf(key.name)};
}

RunChange::Kind KindOf(const Run* before, const Run& run) {
  if (before == nullptr) return RunChange::Kind::kAppeared;
  const bool replaced = before->files()[0].path != run.files()[0].path;
  return replaced ? RunChange::Kind::kReplaced : RunChange::Kind::kChanged;
}

// The last `count` parts of a path.
std::string LastParts(const std::string& path, std::size_t count) {
  std::size_t at = path.size();
  for (; count > 0 && at != 0 && at != std::string::npos; --count) at = path.rfind('/', at - 1);
  return at == std::string::npos ? path : path.substr(at == 0 ? 0 : at + 1);
}

// The shortest ends of the roots' paths that differ from each other.
std::vector<std::string> FolderNames(FileSystem& file_system,
                                     const std::vector<std::string>& roots) {
  std::vector<std::string> paths;
  for (const std::string& root : roots) {
    const std::filesystem::path path(file_system.AbsolutePath(root));
    std::string normal = path.lexically_normal().string();
    while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
    paths.push_back(std::move(normal));
  }
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    std::size_t parts = 1;
    const auto is_other = [&](const std::string& other) {
      return other != path && LastParts(other, parts) == LastParts(path, parts);
    };
    while (std::any_of(paths.begin(), paths.end(), is_other)) ++parts;
    names.push_back(LastParts(path, parts));
  }
  return names;
}

}  // namespace

FollowedRuns::FollowedRuns(const std::vector<std::string>& roots,
                           const FollowedRunsOptions& options)
    : options_(options),
      roots_(roots),
      root_names_(options.number_roots ? FolderNames(*options.file_system, roots) : roots),
      finder_(*options.file_system, roots, options.back_off, *options.clock) {
  if (!options.index_folder) return;
  for (const std::string& root : roots)
    indexes_.push_back(RunIndex::Open(*options.file_system, *options.index_folder, root));
}

FollowedRuns::Member& FollowedRuns::MemberOf(const RunFinder::Found& found) {
  const RunFinder::Key& key = found.key;
  if (const auto known = members_.find(key); known != members_.end()) return known->second;
  RunOptions options;
  options.name = key.name;
  const std::string& root_name = root_names_[key.root];
  if (roots_.size() > 1) options.name = key.name == "." ? root_name : JoinPath(root_name, key.name);
  std::string name = options_.number_roots && roots_.size() > 1
                         ? std::to_string(key.root) + ":" + key.name
                         : options.name;
  options.file_system = options_.file_system;
  options.leave_large_unchecked = options_.leave_large_unchecked;
  FollowedRun followed(found.directory.path, options);
  if (!indexes_.empty()) followed.UseIndex(indexes_[key.root], key.name);
  return members_.emplace(key, Member{std::move(followed), std::move(name)}).first->second;
}

// As many runs as are read together: their files are not larger than the options allow.
std::size_t FollowedRuns::CountOfPart(std::span<const RunFinder::Found> runs) const {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (; count < std::min(runs.size(), kRunsOfAPart); ++count) {
    for (const StampedSource& source : runs[count].directory.sources) bytes += source.stamp.bytes;
    if (count > 0 && options_.bytes_at_once && bytes > *options_.bytes_at_once) break;
  }
  return count;
}

void FollowedRuns::Read(const RunFinder::News& news, const Show& show) {
  for (const RunFinder::Found& found : news.listed)
    if (auto above = RunAbove(found.key)) above_.try_emplace(*std::move(above));
  std::vector<RunChange> changes;
  for (const RunFinder::Key& key : news.gone) {
    const auto member = members_.extract(key);
    if (member.empty()) continue;
    if (const auto& run = member.mapped().shown)
      changes.push_back({RunChange::Kind::kGone, member.mapped().name, nullptr, run});
  }
  std::span<const RunFinder::Found> rest = news.listed;
  do {
    const auto part = rest.first(CountOfPart(rest));
    rest = rest.subspan(part.size());
    ReadPart(part, changes);
    if (!changes.empty() && !show(changes)) return;
    changes.clear();
  } while (!rest.empty());
}

void FollowedRuns::ReadPart(std::span<const RunFinder::Found> part,
                            std::vector<RunChange>& changes) {
  std::vector<Member*> members;
  std::vector<std::shared_ptr<const Run>> before;
  for (const RunFinder::Found& found : part) {
    members.push_back(&MemberOf(found));
    before.push_back(members.back()->followed.run());
  }
  // If there are few runs, several threads read the files of each.
  const auto count = static_cast<unsigned>(std::max<std::size_t>(1, part.size()));
  const unsigned threads_a_run =
      std::max(1U, (options_.threads == 0 ? CoreCount() : options_.threads) / count);
  const double now = options_.clock->WallSeconds();
  ForEachInParallel(part.size(), options_.threads, [&](std::size_t i) {
    if (now < members[i]->next_read) return;
    const std::int64_t start = options_.clock->MonotonicNanos();
    members[i]->followed.Refresh(part[i].directory, threads_a_run);
    const auto nanos = static_cast<double>(options_.clock->MonotonicNanos() - start);
    if (options_.back_off) members[i]->next_read = now + kReadingShare * nanos * 1e-9;
  });
  for (const auto& index : indexes_) index->EndReading();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::string& path = part[i].directory.path;
    const std::shared_ptr<const Run>& run = members[i]->followed.run();
    const bool changed = run != before[i];
    finder_.Reschedule(path, changed,
                       run->signs().journal_held || (finder_.MissesChanges(path) && IsLive(*run)));
    if (!changed) continue;
    auto shown_before = std::move(members[i]->shown);
    const auto& shown = members[i]->shown = ShownRun(part[i].key, run);
    if (shown != nullptr) {
      const RunChange::Kind kind = KindOf(shown_before.get(), *shown);
      changes.push_back({kind, members[i]->name, shown, std::move(shown_before)});
    } else if (shown_before != nullptr) {
      changes.push_back(
          {RunChange::Kind::kGone, members[i]->name, nullptr, std::move(shown_before)});
    }
  }
}

// Null for a directory that holds only foreign files, which is not a run.
std::shared_ptr<const Run> FollowedRuns::ShownRun(const RunFinder::Key& key,
                                                  const std::shared_ptr<const Run>& run) const {
  if (!run->has_event_files()) return nullptr;
  const auto above = run->lineage().empty() ? RunAbove(key) : std::nullopt;
  if (!above) return run;
  const auto member = members_.find(*above);
  const auto forgotten = above_.find(*above);
  const RunLineage* lineage = nullptr;
  if (member != members_.end() && member->second.followed.run() != nullptr) {
    lineage = &member->second.followed.run()->lineage();
  } else if (forgotten != above_.end()) {
    lineage = &forgotten->second;
  }
  return lineage == nullptr || lineage->empty() ? run : run->WithLineage(*lineage);
}

void FollowedRuns::Clear() {
  for (auto& [key, lineage] : above_) {
    const auto member = members_.find(key);
    if (member != members_.end()) lineage = member->second.followed.run()->lineage();
  }
  members_.clear();
}

bool FollowedRuns::IsLive(const Run& run) const {
  const RunState state = run.State(*options_.clock);
  return state == RunState::kRunning || state == RunState::kStalled;
}

std::vector<std::shared_ptr<const Run>> FollowedRuns::runs() const {
  std::vector<std::shared_ptr<const Run>> runs;
  runs.reserve(members_.size());
  for (const auto& [key, member] : members_)
    if (member.shown != nullptr) runs.push_back(member.shown);
  return runs;
}

std::vector<std::string> FollowedRuns::WriteIndex() {
  for (auto& [key, member] : members_)
    if (member.followed.grows() && !IsLive(*member.followed.run())) member.followed.EndGrowth();
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    if (indexes_[i]->Write()) indexes_[i]->KeepOnly(finder_.Names(i));
    if (std::string note = indexes_[i]->note(); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::map<std::string, std::shared_ptr<const Run>> FollowedRuns::ReleasePoints() {
  std::map<std::string, std::shared_ptr<const Run>> released;
  for (auto& [key, member] : members_) {
    if (member.followed.ReleasePoints() && member.shown != nullptr) {
      member.shown = ShownRun(key, member.followed.run());
      released.emplace(member.name, member.shown);
    }
  }
  return released;
}

bool FollowedRuns::CheckLargeRecords(const Run& run) {
  for (auto& [key, member] : members_) {
    if (member.followed.run()->directory() != run.directory()) continue;
    finder_.LookAt(run.directory());
    member.next_read = 0;
    return member.followed.CheckLargeRecords();
  }
  return false;
}

}  // namespace sightline
