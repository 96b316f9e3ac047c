// Rows of what an analysis computed of a profile. The tables of one rank (StepTraceTime,
// CommAnalyzer*) and of a cluster (ClusterStepTraceTime, ClusterCommunication*) have the same
// columns; those of a cluster have the number of the rank as well.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sightline/base/sqlite/sqlite_file.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Of a rank's own database, in which no row has the number of a rank.
inline constexpr std::int64_t kNoRank = -1;

// The columns of a step, for SqliteFile::Scan.
inline const std::vector<std::string_view> kStepColumns = {
    "step",          "computing",
    "communication", "communication_not_overlapped",
    "free",          "communication_not_overlapped_and_exclude_receive",
    "preparing"};
// The step of a row that begins with them; no value if it lacks computing or communication.
std::optional<DeviceStep> StepIn(const SqliteRow& row);

// Collects communication operators by rank, as communication.json has them. CommunicationUse::group
// is left empty.
class OperatorRows {
 public:
  using ByRank = std::map<std::int64_t, std::vector<CommunicationUse>>;

  OperatorRows(SqliteFile& file, ModelBuilder& builder) : file_(file), builder_(builder) {}

  // CommAnalyzerTime or ClusterCommunicationTime. Each row counts as one event.
  Status ReadTimes(std::string_view table);
  // CommAnalyzerBandwidth or ClusterCommunicationBandwidth: a row for each size of packets.
  Status ReadBandwidths(std::string_view table);
  ByRank Take() &&;

 private:
  // Rank, name, step as written.
  using Key = std::tuple<std::int64_t, std::string, std::string>;

  SqliteFile& file_;
  ModelBuilder& builder_;
  ByRank operators_;
  std::map<Key, std::size_t> places_;  // In the vector of the rank.
};

// The sum of a link over the operators of one kind and group.
struct LinkRow {
  std::string group;  // As communication files write it after the "@".
  std::optional<std::int64_t> from;
  LinkUse link;
};
// CommAnalyzerMatrix or ClusterCommunicationMatrix. Each row counts as one event; `use` gets the
// sums only ("allreduce-total"), not the examples ("-top1", "-middle", "-bottom1").
Status ReadLinkRows(SqliteFile& file, std::string_view table, ModelBuilder& builder,
                    const std::function<void(LinkRow)>& use);

}  // namespace sightline::profiler
