#include "sightline/profiler/import/ascend_db/cluster_tables.h"

#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/chrome/json_cursor.h"

namespace sightline::profiler {
namespace {

Status ReadSteps(DatabaseTarget& target, ClusterSteps& steps) {
  std::vector<std::string_view> columns = kStepColumns;
  const std::size_t type = columns.size();
  columns.insert(columns.end(), {"type", "index", "pp_index"});
  return target.file.Scan("ClusterStepTraceTime", columns, [&](const SqliteRow& row) {
    if (row.Text(type) == "stage") return steps.AddStage(row.Text(type + 1));
    const auto rank = row.Integer(type + 1);
    const auto step = StepIn(row);
    if (!rank || *rank < 0 || !step) {
      return target.builder.NotUnderstand(
          "a row of ClusterStepTraceTime without a rank, computing and communication times",
          row.Text(type + 1));
    }
    steps.of_ranks[*rank].push_back(*step);
    if (const auto stage = row.Integer(type + 2)) steps.stages[*rank] = *stage;
  });
}

Status ReadGroups(DatabaseTarget& target, std::vector<ClusterGroupRow>& groups) {
  return target.file.Scan("CommunicationGroupMapping", {"group_name", "pg_name", "rank_set"},
                          [&](const SqliteRow& row) {
                            groups.push_back({std::string(row.Text(0)), std::string(row.Text(1)),
                                              RanksInTuple(row.Text(2))});
                          });
}

Status ReadOrigins(DatabaseTarget& target, ClusterTables& tables) {
  std::map<std::string, std::string, std::less<>> names;
  Status status = target.file.Scan("HostInfo", {"hostUid", "hostName"}, [&](const SqliteRow& row) {
    names.emplace(row.Text(0), row.Text(1));
  });
  const auto read = [&](const SqliteRow& row) {
    const auto rank = row.Integer(0);
    if (!rank || *rank < 0) return;
    const auto name = names.find(row.Text(2));
    tables.origins[*rank] = {row.Integer(1), std::string(row.Text(2)),
                             name == names.end() ? std::string() : name->second};
  };
  KeepFirst(status, target.file.Scan("RankDeviceMap", {"rankId", "deviceId", "hostUid"}, read));
  return status;
}

// {"world_size": 4, ...} in the row "distributed_args".
Status ReadWorldSize(DatabaseTarget& target, std::optional<std::int64_t>& world_size) {
  return target.file.Scan("ClusterBaseInfo", {"key", "value"}, [&](const SqliteRow& row) {
    if (row.Text(0) == "distributed_args")
      world_size = ParseNumber<std::int64_t>(JsonField(row.Text(1), "world_size"));
  });
}

}  // namespace

Status ReadClusterTables(DatabaseTarget& target, ClusterTables& tables) {
  // Each rank counts its own rows.
  ModelBuilder uncounted;
  Status status = ReadSteps(target, tables.steps);
  KeepFirst(status, ReadGroups(target, tables.groups));
  KeepFirst(status, ReadOrigins(target, tables));
  KeepFirst(status, ReadWorldSize(target, tables.world_size));
  OperatorRows rows(target.file, uncounted);
  KeepFirst(status, rows.ReadTimes("ClusterCommunicationTime"));
  KeepFirst(status, rows.ReadBandwidths("ClusterCommunicationBandwidth"));
  tables.communication = std::move(rows).Take();
  tables.communication.erase(kNoRank);
  KeepFirst(status,
            ReadLinkRows(target.file, "ClusterCommunicationMatrix", uncounted, [&](LinkRow row) {
              if (row.from && *row.from >= 0)
                tables.links[*row.from].push_back(std::move(row.link));
            }));
  for (const NotUnderstood& one : std::move(uncounted).Finish().not_understood)
    target.builder.NotUnderstand(one.reason, one.example, one.count);
  return status;
}

}  // namespace sightline::profiler
