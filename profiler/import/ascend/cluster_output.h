// Reads the texts of cluster_analysis_output/, which `msprof-analyze cluster` writes: the sums of
// all ranks of a training. Of each file, what belongs to one rank is taken out.
//
// The files were read by their real form (two ranks and eight of torch_npu). Nothing here keeps
// more than one rank's part of a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/profiler/import/ascend/parallel_groups.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// cluster_step_trace_time.csv, or the table ClusterStepTraceTime.
struct ClusterSteps {
  std::map<std::int64_t, std::vector<DeviceStep>> of_ranks;
  std::map<std::int64_t, std::int64_t> stages;  // Of ranks, if the source numbers them.
  std::set<std::vector<std::int64_t>> sets;     // The ranks of each row of the type "stage".

  // Adds the ranks of a stage: "(0, 1, 2)".
  void AddStage(std::string_view index);
  // The stage of a rank: its number in the source, or else the place of its set among several that
  // share no rank. No value if there is one stage only, or they cannot be told apart.
  std::optional<std::int64_t> StageOf(std::int64_t rank) const;
};

// The ranks in "(0, 1, 2)" or "[0, 1]", in its order; empty if it is not such a list.
std::vector<std::int64_t> RanksInTuple(std::string_view text);

// A group of communication_group.json or CommunicationGroupMapping.
struct ClusterGroupRow {
  std::string hash;  // What communication files write after the "@".
  std::string name;  // "dp", "pp"; empty if the source does not tell.
  std::vector<std::int64_t> ranks;
};
std::vector<ClusterGroupRow> ClusterGroupsIn(std::string_view text);
// Those of them that a rank is in, by what communication files call them.
ParallelGroups GroupsOf(std::int64_t rank, const std::vector<ClusterGroupRow>& rows);

// The ranks in the keys of cluster_communication.json, {"(0, 1)": {...}}.
std::set<std::int64_t> RanksInKeys(std::string_view text);

// The part of a rank in cluster_communication.json, {"(0, 1)": {"step1": {"<operator>@<group>":
// {"0": {...}, "1": {...}}}}}, in the form of communication.json. An operator is point to point if
// its name says that it sends or receives. kDataLoss if the file is damaged; `out` then has less.
Status CommunicationOfRank(std::string_view text, std::int64_t rank, std::string& out);
// The same for cluster_communication_matrix.json, {"(0, 1)": {"step1": {"<operator>@<group>":
// {"0-1": {...}}}}}: the links that begin at the rank. Their ends are ranks of the training.
Status LinksOfRank(std::string_view text, std::int64_t rank, std::string& out);

}  // namespace sightline::profiler
