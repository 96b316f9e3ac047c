#include "sightline/profiler/import/folder/cluster_folder.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "sightline/profiler/import/ascend/cluster_output.h"
#include "sightline/profiler/import/ascend/communication_files.h"
#include "sightline/profiler/import/folder/source_folder.h"

namespace sightline::profiler {
namespace {

std::set<std::int64_t> RanksOf(const ClusterSteps& steps) {
  std::set<std::int64_t> ranks;
  for (const auto& [rank, its_steps] : steps.of_ranks) ranks.insert(rank);
  return ranks;
}

std::set<std::int64_t> RanksOf(const std::vector<ClusterGroupRow>& groups) {
  std::set<std::int64_t> ranks;
  for (const ClusterGroupRow& group : groups) ranks.insert(group.ranks.begin(), group.ranks.end());
  return ranks;
}

// Which of these ranks the profile is of.
Status Choose(const std::set<std::int64_t>& ranks, std::optional<std::int64_t> wanted,
              Profile& profile) {
  if (ranks.empty()) return {StatusCode::kNotFound, "none of its files has the number of a rank"};
  profile.ranks.assign(ranks.begin(), ranks.end());
  profile.rank = wanted.value_or(profile.ranks.front());
  if (!ranks.contains(*profile.rank)) {
    return {StatusCode::kNotFound,
            "the folder has nothing of rank " + std::to_string(*profile.rank)};
  }
  return {};
}

// Moves the steps of the profile's rank into it. Each counts as one event.
void TakeSteps(const ImportTarget& target, ClusterSteps& steps) {
  const auto found = steps.of_ranks.find(*target.profile.rank);
  if (found == steps.of_ranks.end()) return;
  target.profile.device_steps = std::move(found->second);
  for (std::size_t i = 0; i < target.profile.device_steps.size(); ++i) target.builder.CountEvent();
}

}  // namespace

Status ReadClusterFolder(const ImportTarget& target, const std::string& path,
                         std::optional<std::int64_t> rank) {
  SourceFolder folder(target, path);
  Profile& profile = target.profile;
  std::vector<ClusterGroupRow> rows;
  folder.Text("communication_group.json", [&](std::string_view text) {
    rows = ClusterGroupsIn(text);
    return Status();
  });
  Status chosen = Choose(RanksOf(rows), rank, profile);
  ClusterSteps steps;
  folder.Lines("cluster_step_trace_time.csv", [&](ByteWindow& window) {
    ReadClusterStepTimes(window, target.builder, steps);
    if (!steps.of_ranks.empty()) chosen = Choose(RanksOf(steps), rank, profile);
    if (chosen.ok()) TakeSteps(target, steps);
  });
  ParallelGroups groups;
  folder.Text("cluster_communication.json", [&](std::string_view text) {
    if (profile.ranks.empty()) chosen = Choose(RanksInKeys(text), rank, profile);
    if (!chosen.ok()) return chosen;
    groups = GroupsOf(*profile.rank, rows);
    profile.groups = groups.All();
    std::string own;
    const Status status = CommunicationOfRank(text, *profile.rank, own);
    const Status read = ReadCommunication(own, groups, target.builder, profile);
    return status.ok() ? read : status;
  });
  SIGHTLINE_RETURN_IF_ERROR(chosen);
  folder.Text("cluster_communication_matrix.json", [&](std::string_view text) {
    std::string own;
    const Status status = LinksOfRank(text, *profile.rank, own);
    // Its links are numbered by the ranks of the training already.
    const Status read = ReadCommunicationMatrix(own, ParallelGroups(), target.builder, profile);
    return status.ok() ? read : status;
  });
  profile.stage = steps.StageOf(*profile.rank);
  if (!profile.stage) profile.stage = groups.Stage();
  folder.ListUnread([](std::string_view name) {
    // Other files may lie beside one that was named.
    return !name.starts_with("cluster_") && !name.starts_with("communication_");
  });
  return {};
}

}  // namespace sightline::profiler
