// Reads cluster_analysis.db, which `msprof-analyze cluster` writes in place of the texts of
// cluster_analysis_output/ if the profiles are databases: the sums of all ranks of a training.
//
// The tables are those that msprof-analyze 26.2.0 wrote of real profiles: ClusterStepTraceTime,
// ClusterCommunicationTime, -Bandwidth and -Matrix, CommunicationGroupMapping, RankDeviceMap,
// HostInfo, ClusterBaseInfo.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/import/ascend/cluster_output.h"
#include "sightline/profiler/import/ascend_db/analysis_rows.h"
#include "sightline/profiler/import/ascend_db/database_target.h"

namespace sightline::profiler {

struct ClusterTables {
  struct Origin {
    std::optional<std::int64_t> device;
    std::string host_uid;
    std::string host;
  };

  ClusterSteps steps;
  std::vector<ClusterGroupRow> groups;
  OperatorRows::ByRank communication;
  // Those that begin at the rank. Their ends are ranks of the training.
  std::map<std::int64_t, std::vector<LinkUse>> links;
  std::map<std::int64_t, Origin> origins;
  std::optional<std::int64_t> world_size;  // Of the training.
};

// Rows that are not understood count as events; the others are counted where a rank takes them.
Status ReadClusterTables(DatabaseTarget& target, ClusterTables& tables);

}  // namespace sightline::profiler
