#include "sightline/runs/followed_runs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/runs/joining/join_plan.h"
#include "sightline/runs/model/joined_run.h"

namespace sightline {
namespace {

constexpr std::size_t kRunsOfAPart = 64;
constexpr double kReadingShare = 10;  // With back_off, a run is read for a tenth of the time.
// Runs that wait to be joined keep the points of event files of this size.
constexpr std::uint64_t kMostWaitingBytes = std::uint64_t{64} << 20U;

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

// Names below a folder follow each other in natural order; the folder itself may lie apart.
RunFinder::Key FirstBelow(const RunFinder::Key& folder) {
  return {folder.root, folder.name == "." ? "" : folder.name + "/"};
}

bool IsBelow(const RunFinder::Key& key, const RunFinder::Key& folder) {
  return key.root == folder.root && (folder.name == "." || key.name.starts_with(folder.name + "/"));
}

std::uint64_t BytesOf(std::span<const RunFinder::Found> runs) {
  std::uint64_t bytes = 0;
  for (const RunFinder::Found& found : runs)
    for (const StampedSource& source : found.directory.sources) bytes += source.stamp.bytes;
  return bytes;
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

std::string FollowedRuns::NameOf(const RunFinder::Key& key) const {
  if (roots_.size() == 1 && !(options_.number_roots && key.name == ".")) return key.name;
  const std::string& root = root_names_[key.root];
  return key.name == "." ? root : JoinPath(root, key.name);
}

std::string FollowedRuns::IdOf(const RunFinder::Key& key) const {
  if (!options_.number_roots) return NameOf(key);
  return roots_.size() > 1 ? std::to_string(key.root) + ":" + key.name : key.name;
}

FollowedRuns::Member& FollowedRuns::MemberOf(const RunFinder::Found& found) {
  const RunFinder::Key& key = found.key;
  if (const auto known = members_.find(key); known != members_.end()) return known->second;
  RunOptions options;
  options.name = NameOf(key);
  options.file_system = options_.file_system;
  options.leave_large_unchecked = options_.leave_large_unchecked;
  FollowedRun followed(found.directory.path, options);
  if (!indexes_.empty()) followed.UseIndex(indexes_[key.root], key.name);
  return members_.emplace(key, Member{std::move(followed)}).first->second;
}

// As many runs as are read together: their files are not larger than the options allow.
std::size_t FollowedRuns::CountOfPart(std::span<const RunFinder::Found> runs) const {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (; count < std::min(runs.size(), kRunsOfAPart); ++count) {
    bytes += BytesOf(runs.subspan(count, 1));
    if (count > 0 && options_.bytes_at_once && bytes > *options_.bytes_at_once) break;
  }
  return count;
}

void FollowedRuns::Read(const RunFinder::News& news, const Show& show) {
  for (const RunFinder::Found& found : news.listed)
    if (auto above = RunAbove(found.key)) above_.try_emplace(*std::move(above));
  for (const RunFinder::Key& key : news.gone) {
    MarkFamily(key);
    members_.erase(key);
  }
  std::vector<RunChange> changes;
  std::span<const RunFinder::Found> rest = news.listed;
  const std::uint64_t total = options_.on_progress ? BytesOf(rest) : 0;
  std::uint64_t done = 0;
  do {
    const auto part = rest.first(CountOfPart(rest));
    rest = rest.subspan(part.size());
    ReadPart(part);
    if (options_.on_progress) options_.on_progress(done += BytesOf(part), total);
    JoinFamilies(rest, changes);
    if (!changes.empty() && !show(changes)) return;
    changes.clear();
  } while (!rest.empty());
}

void FollowedRuns::ReadPart(std::span<const RunFinder::Found> part) {
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
    // A run that is read for the first time changed when its files did, not now.
    finder_.Reschedule(path, changed && before[i] != nullptr,
                       run->signs().journal_held || (finder_.MissesChanges(path) && IsLive(*run)));
    if (members[i]->followed.grows()) growing_.insert(part[i].key);
    if (!changed) continue;
    members[i]->shown = ShownRun(part[i].key, run);
    MarkFamily(part[i].key);
    waiting_bytes_ += BytesOf(part.subspan(i, 1));
  }
}

void FollowedRuns::MarkFamily(const RunFinder::Key& key) {
  if (!options_.join) {
    waiting_.insert(key);
    return;
  }
  // The topmost run in or above which it lies.
  RunFinder::Key above{key.root, "."};
  for (std::size_t end = 0; end != std::string::npos && !members_.contains(above);) {
    end = key.name.find('/', end == 0 ? 0 : end + 1);
    above.name = key.name.substr(0, end);
  }
  const auto member = members_.find(above);
  const Run* const run = member == members_.end() ? nullptr : member->second.followed.run().get();
  waiting_.insert({key.root, FamilyOf(key.name, above.name, run)});
}

void FollowedRuns::JoinFamilies(std::span<const RunFinder::Found> unread,
                                std::vector<RunChange>& changes) {
  const auto is_before = [](const RunFinder::Found& found, const RunFinder::Key& key) {
    return found.key < key;
  };
  for (auto family = waiting_.begin(); family != waiting_.end();) {
    const RunFinder::Key first = FirstBelow(*family);
    const auto next = std::lower_bound(unread.begin(), unread.end(), first, is_before);
    if (options_.join && next != unread.end() && IsBelow(next->key, *family)) {
      ++family;
      continue;
    }
    JoinFamily(*family, changes);
    family = waiting_.erase(family);
  }
  if (waiting_.empty()) waiting_bytes_ = 0;
  if (waiting_bytes_ >= kMostWaitingBytes) ReleaseWaiting();
}

void FollowedRuns::JoinFamily(const RunFinder::Key& family, std::vector<RunChange>& changes) {
  std::map<RunFinder::Key, Joined> planned = PlanFamily(family);
  const auto forget = [&](std::map<RunFinder::Key, Joined>::iterator at) {
    if (!planned.contains(at->first))
      changes.push_back({RunChange::Kind::kGone, IdOf(at->first), nullptr, at->second.run});
    return planned.contains(at->first) ? std::next(at) : joined_.erase(at);
  };
  if (const auto own = joined_.find(family); own != joined_.end()) forget(own);
  if (options_.join) {
    auto at = joined_.lower_bound(FirstBelow(family));
    while (at != joined_.end() && IsBelow(at->first, family)) at = forget(at);
  }
  for (auto& [key, joined] : planned) {
    const auto known = joined_.find(key);
    const bool is_new = known == joined_.end();
    if (!is_new && known->second.parts == joined.parts && IsCurrent(known->second)) continue;
    joined.run = RunOf(key, joined);
    const auto before = is_new ? nullptr : known->second.run;
    changes.push_back({KindOf(before.get(), *joined.run), IdOf(key), joined.run, before});
    joined_.insert_or_assign(key, std::move(joined));
  }
}

// The runs that the members of a family make, without the runs themselves.
std::map<RunFinder::Key, FollowedRuns::Joined> FollowedRuns::PlanFamily(
    const RunFinder::Key& family) const {
  std::vector<JoinCandidate> candidates;
  const auto add = [&](const auto& member) {
    if (member.second.shown != nullptr)
      candidates.push_back({member.first.name, member.second.shown});
  };
  if (const auto own = members_.find(family); own != members_.end()) add(*own);
  if (options_.join) {
    for (auto at = members_.lower_bound(FirstBelow(family));
         at != members_.end() && IsBelow(at->first, family); ++at)
      if (at->first != family) add(*at);
  }
  std::map<RunFinder::Key, Joined> planned;
  if (candidates.size() == 1) {
    const RunFinder::Key key{family.root, candidates[0].name};
    planned[key].parts.push_back({key, std::nullopt, {}});
    return planned;
  }
  for (PlannedRun& run : PlanJoins(candidates)) {
    Joined& joined = planned[{family.root, run.name}];
    for (PlannedPart& part : run.parts) {
      joined.parts.push_back(
          {{family.root, candidates[part.candidate].name}, part.rank, std::move(part.tag)});
    }
  }
  return planned;
}

// Whether its run is made of its members as they are now.
bool FollowedRuns::IsCurrent(const Joined& joined) const {
  for (std::size_t i = 0; i < joined.parts.size(); ++i) {
    const auto& held = joined.is_one() ? joined.run : joined.run->parts()[i].run;
    const auto member = members_.find(joined.parts[i].member);
    if (member == members_.end() || member->second.shown != held) return false;
  }
  return true;
}

std::shared_ptr<const Run> FollowedRuns::RunOf(const RunFinder::Key& key,
                                               const Joined& joined) const {
  if (joined.is_one()) return members_.at(joined.parts[0].member).shown;
  std::vector<RunPart> parts;
  for (const Joined::Part& part : joined.parts)
    parts.push_back({IdOf(part.member), members_.at(part.member).shown, part.rank, part.tag});
  std::string directory = parts[0].run->directory();
  if (parts[0].rank) directory = DirectoryOf(directory);
  return JoinedRun::Make(NameOf(key), std::move(directory), std::move(parts));
}

// The members that wait for others have been read, but nobody asks for their points yet.
void FollowedRuns::ReleaseWaiting() {
  waiting_bytes_ = 0;
  for (const auto& index : indexes_) index->Write();
  for (const RunFinder::Key& family : waiting_) {
    for (auto at = members_.lower_bound(FirstBelow(family));
         at != members_.end() && IsBelow(at->first, family); ++at) {
      if (at->second.followed.ReleasePoints())
        at->second.shown = ShownRun(at->first, at->second.followed.run());
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
  if (!waiting_.empty()) return;
  for (auto& [key, lineage] : above_) {
    const auto member = members_.find(key);
    if (member != members_.end()) lineage = member->second.followed.run()->lineage();
  }
  members_.clear();
  joined_.clear();
}

bool FollowedRuns::IsLive(const Run& run) const {
  const RunState state = run.State(*options_.clock);
  return state == RunState::kRunning || state == RunState::kStalled;
}

std::vector<std::shared_ptr<const Run>> FollowedRuns::runs() const {
  std::vector<std::shared_ptr<const Run>> runs;
  runs.reserve(joined_.size());
  for (const auto& [key, joined] : joined_) runs.push_back(joined.run);
  return runs;
}

void FollowedRuns::EndGrowth() {
  for (auto key = growing_.begin(); key != growing_.end();) {
    const auto member = members_.find(*key);
    const bool grows = member != members_.end() && member->second.followed.grows();
    const bool lives = grows && IsLive(*member->second.followed.run());
    if (grows && !lives) member->second.followed.EndGrowth();
    key = lives ? std::next(key) : growing_.erase(key);
  }
}

std::vector<std::string> FollowedRuns::WriteIndex() {
  EndGrowth();
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    indexes_[i]->Write();
    if (indexes_[i]->TakeAnyWritten()) indexes_[i]->KeepOnly(finder_.Names(i));
    if (std::string note = indexes_[i]->note(); !note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::map<std::string, std::shared_ptr<const Run>> FollowedRuns::ReleasePoints() {
  for (auto& [key, member] : members_) {
    if (member.followed.ReleasePoints() && member.shown != nullptr)
      member.shown = ShownRun(key, member.followed.run());
  }
  std::map<std::string, std::shared_ptr<const Run>> released;
  for (auto& [key, joined] : joined_) {
    // A member that is gone is taken out by the next Read.
    const bool all_there =
        std::all_of(joined.parts.begin(), joined.parts.end(),
                    [&](const Joined::Part& part) { return members_.contains(part.member); });
    if (!all_there || IsCurrent(joined)) continue;
    joined.run = RunOf(key, joined);
    released.emplace(IdOf(key), joined.run);
  }
  return released;
}

bool FollowedRuns::CheckLargeRecords(const Run& run) {
  const auto parts = run.parts();
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [](const RunPart& one) { return one.run->unchecked() > 0; });
  const Run& wanted = part == parts.end() ? run : *part->run;
  for (auto& [key, member] : members_) {
    if (member.followed.run()->directory() != wanted.directory()) continue;
    finder_.LookAt(wanted.directory());
    member.next_read = 0;
    return member.followed.CheckLargeRecords();
  }
  return false;
}

}  // namespace sightline
