#include "sightline/profiler/import/folder/cluster_folder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sightline/profiler/import/ascend/communication_files.h"
#include "sightline/profiler/import/folder/source_folder.h"

namespace sightline::profiler {
namespace {

constexpr char kSteps[] = "cluster_step_trace_time.csv";
constexpr char kCommunication[] = "cluster_communication.json";
constexpr char kLinks[] = "cluster_communication_matrix.json";
constexpr char kDatabase[] = "cluster_analysis.db";

// Each member of a group gets the list of all members: at most so many numbers in all.
constexpr std::uint64_t kMostMembers = std::uint64_t{1} << 25U;

// Lets `read` add to the profile, and counts its events as those of the file of this name.
template <typename Read>
void ReadOf(std::string_view name, const ImportTarget& target, Read read) {
  const std::uint64_t events = target.builder.events_in();
  const std::uint64_t modelled = target.builder.events_modelled();
  const Status status = read();
  for (SourceFile& file : target.profile.files) {
    if (BaseName(file.path) != name) continue;
    file.events += target.builder.events_in() - events;
    file.modelled += target.builder.events_modelled() - modelled;
    if (file.status.ok()) file.status = status;
  }
}

template <typename Value>
const Value* Find(const std::map<std::int64_t, Value>& values, std::int64_t rank) {
  const auto found = values.find(rank);
  return found == values.end() ? nullptr : &found->second;
}

std::string_view GroupIn(std::string_view name) { return name.substr(name.rfind('@') + 1); }

}  // namespace

ClusterFolder::ClusterFolder(FileSystem& file_system, const std::string& path) {
  ModelBuilder builder;
  Profile shared;
  const ImportTarget target{file_system, builder, shared};
  SourceFolder folder(target, path);
  folder.Text("communication_group.json", [&](std::string_view text) {
    groups_ = ClusterGroupsIn(text);
    return Status();
  });
  folder.Lines(kSteps, [&](ByteWindow& window) { ReadClusterStepTimes(window, builder, steps_); });
  folder.Text(kCommunication, [&](std::string_view text) {
    return communication_.ReadCommunication(std::string(text));
  });
  folder.Text(kLinks, [&](std::string_view text) { return links_.ReadLinks(std::string(text)); });
  folder.ClusterDatabase(kDatabase, tables_);
  folder.ListUnread([](std::string_view name) {
    // Other files may lie beside one that was named.
    return !name.starts_with("cluster_") && !name.starts_with("communication_");
  });
  has_step_text_ = !steps_.of_ranks.empty();
  if (!has_step_text_) steps_ = std::move(tables_.steps);
  if (groups_.empty()) groups_ = std::move(tables_.groups);
  FindRanks();
  LeaveOutGroups();
  files_ = std::move(shared.files);
  not_understood_ = std::move(builder).Finish().not_understood;
}

void ClusterFolder::FindRanks() {
  std::set<std::int64_t> ranks;
  for (const auto& [rank, steps] : steps_.of_ranks) ranks.insert(rank);
  if (ranks.empty()) {
    for (const ClusterGroupRow& group : groups_)
      ranks.insert(group.ranks.begin(), group.ranks.end());
  }
  if (ranks.empty()) {
    for (const std::int64_t rank : communication_.ranks()) ranks.insert(rank);
    for (const auto& [rank, uses] : tables_.communication) ranks.insert(rank);
  }
  ranks_.assign(ranks.begin(), ranks.end());
}

// msprof-analyze lists of a group without a name only the members whose profiles it was given. So
// its members are known only if these are all ranks of the training.
void ClusterFolder::LeaveOutGroups() {
  const bool is_whole =
      tables_.world_size && ranks_.size() == static_cast<std::size_t>(*tables_.world_size);
  std::uint64_t members = 0;
  std::erase_if(groups_, [&](const ClusterGroupRow& group) {
    if (group.name.empty() && !is_whole) return true;
    const std::uint64_t size = group.ranks.size();
    return size > kMostMembers || (members += size * size) > kMostMembers;
  });
}

Status ClusterFolder::ReadRank(const ImportTarget& target, std::optional<std::int64_t> rank) const {
  Profile& profile = target.profile;
  profile.files = files_;
  for (const NotUnderstood& one : not_understood_)
    target.builder.NotUnderstand(one.reason, one.example, one.count);
  if (ranks_.empty()) return {StatusCode::kNotFound, "none of its files has the number of a rank"};
  const std::int64_t own = rank.value_or(ranks_.front());
  if (!std::binary_search(ranks_.begin(), ranks_.end(), own))
    return {StatusCode::kNotFound, "the folder has nothing of rank " + std::to_string(own)};
  profile.rank = own;
  profile.ranks = ranks_;
  const ParallelGroups groups = GroupsOf(own, groups_);
  profile.groups = groups.All();
  ReadOf(has_step_text_ ? kSteps : kDatabase, target, [&] {
    TakeSteps(target);
    return Status();
  });
  ReadTexts(target, groups);
  ReadOf(kDatabase, target, [&] {
    TakeRows(target, groups);
    return Status();
  });
  // The links tell no members: those to ranks without a profile are left out.
  profile.groups = groups.All();
  profile.stage = steps_.StageOf(own);
  if (!profile.stage) profile.stage = groups.Stage();
  return {};
}

void ClusterFolder::ReadTexts(const ImportTarget& target, const ParallelGroups& groups) const {
  Profile& profile = target.profile;
  ReadOf(kCommunication, target, [&] {
    return ReadCommunication(communication_.Of(*profile.rank), groups, target.builder, profile);
  });
  ReadOf(kLinks, target, [&] {
    // Its links are numbered by the ranks of the training already.
    return ReadCommunicationMatrix(links_.Of(*profile.rank), ParallelGroups(), target.builder,
                                   profile);
  });
}

void ClusterFolder::TakeSteps(const ImportTarget& target) const {
  if (const auto* steps = Find(steps_.of_ranks, *target.profile.rank)) {
    target.profile.device_steps = *steps;
    target.builder.CountEvent(steps->size());
  }
}

void ClusterFolder::TakeRows(const ImportTarget& target, const ParallelGroups& groups) const {
  Profile& profile = target.profile;
  if (const auto* uses = Find(tables_.communication, *profile.rank);
      uses != nullptr && profile.communication.empty()) {
    profile.communication = *uses;
    for (CommunicationUse& use : profile.communication) {
      const ParallelGroup* group = groups.Find(GroupIn(use.name));
      if (group != nullptr) use.group = group->name;
    }
    target.builder.CountEvent(uses->size());
  }
  if (const auto* links = Find(tables_.links, *profile.rank);
      links != nullptr && profile.links.empty()) {
    profile.links = *links;
    target.builder.CountEvent(links->size());
  }
  if (const auto* origin = Find(tables_.origins, *profile.rank)) {
    profile.device = origin->device;
    if (!origin->host.empty()) target.builder.AddAttribute("host", origin->host);
    if (!origin->host_uid.empty()) target.builder.AddAttribute("host_uid", origin->host_uid);
  }
}

}  // namespace sightline::profiler
