// Reads the texts of cluster_analysis_output/, which `msprof-analyze cluster` writes: the sums of
// all ranks of a training. Of each file, what belongs to one rank is taken out; a file is read once
// for all of them.
//
// The files were read by their real form (two ranks and eight of torch_npu).
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

// Whether the name of an operator says that it sends or receives, as msprof-analyze tells them
// apart.
bool IsPointToPoint(std::string_view name);

// Where the part of each rank is in the text of one of the two files, which it keeps.
class TextOfRanks {
 public:
  TextOfRanks() = default;
  ~TextOfRanks() = default;
  TextOfRanks(const TextOfRanks&) = delete;
  TextOfRanks& operator=(const TextOfRanks&) = delete;

  // cluster_communication.json, {"(0, 1)": {"step1": {"<operator>@<group>": {"0": {...},
  // "1": {...}}}}}. kDataLoss if the file is damaged; then a part of it is there.
  Status ReadCommunication(std::string text);
  // cluster_communication_matrix.json, {"(0, 1)": {"step1": {"<operator>@<group>": {"0-1": {...},
  // "1-0": {...}}}}}. A link belongs to the rank where it begins.
  Status ReadLinks(std::string text);

  // In ascending order.
  std::vector<std::int64_t> ranks() const;
  // What belongs to this rank, in the form of communication.json or communication_matrix.json; "{}"
  // if nothing does. The ends of links are ranks of the training.
  std::string Of(std::int64_t rank) const;

 private:
  // The bytes of a rank in the text: the object of an operator, or a link with its key.
  struct Piece {
    std::int64_t rank = 0;
    std::uint32_t operator_number = 0;  // In operators_.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct Operator {
    std::string_view step;
    std::string_view name;
  };
  class Reader;

  std::string text_;
  bool has_links_ = false;
  std::vector<Operator> operators_;
  std::vector<Piece> pieces_;  // By rank.
};

}  // namespace sightline::profiler
