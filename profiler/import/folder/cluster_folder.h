// ClusterFolder: the folder cluster_analysis_output of `msprof-analyze cluster`, as texts or as
// cluster_analysis.db. It is read once; then the part of each rank is taken out of it.
//
//   const ClusterFolder folder(file_system, path);
//   for (const std::int64_t rank : folder.ranks())
//     Status status = folder.ReadRank(target, rank);
//
// Needs the memory of the folder's texts and rows. Any thread may read ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/ascend/cluster_output.h"
#include "sightline/profiler/import/ascend_db/cluster_tables.h"
#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

class ClusterFolder {
 public:
  // What cannot be read is in the files of each rank.
  ClusterFolder(FileSystem& file_system, const std::string& path);

  // In ascending order.
  const std::vector<std::int64_t>& ranks() const { return ranks_; }

  // Fills the files, steps, collectives and links of one rank, and profile.ranks with all. `rank`:
  // default: the lowest. kNotFound if the folder does not have it.
  Status ReadRank(const ImportTarget& target, std::optional<std::int64_t> rank) const;

 private:
  void FindRanks();
  void LeaveOutGroups();
  void TakeSteps(const ImportTarget& target) const;
  void ReadTexts(const ImportTarget& target, const ParallelGroups& groups) const;
  // What no text has, and the origin of the rank.
  void TakeRows(const ImportTarget& target, const ParallelGroups& groups) const;

  std::vector<SourceFile> files_;
  std::vector<NotUnderstood> not_understood_;
  ClusterSteps steps_;
  bool has_step_text_ = false;  // Else they are of the database.
  std::vector<ClusterGroupRow> groups_;
  TextOfRanks communication_;
  TextOfRanks links_;
  ClusterTables tables_;
  std::vector<std::int64_t> ranks_;
};

}  // namespace sightline::profiler
