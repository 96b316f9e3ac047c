#include "sightline/profiler/import/ascend_db/analysis_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sightline/profiler/import/ascend/communication_files.h"

namespace sightline::profiler {
namespace {

constexpr double kMicrosecond = 1e3;  // Nanoseconds.
constexpr double kMillisecond = 1e6;
constexpr double kMegabyte = 1e6;

// A duration in units of `unit` nanoseconds; no value if it is impossible.
std::optional<std::int64_t> DurationIn(const SqliteRow& row, std::size_t column, double unit) {
  const auto number = row.Number(column);
  if (!number || !(*number >= 0) || *number * unit >= static_cast<double>(kMaxTime))
    return std::nullopt;
  return std::llround(*number * unit);
}

std::string RowOf(std::string_view table, std::string_view lacks) {
  return "a row of " + std::string(table) + " without " + std::string(lacks);
}

bool IsSum(std::string_view name) { return name.starts_with("Total Op Info"); }

// The columns that name an operator, the first ones of the tables below.
std::string NameIn(const SqliteRow& row) {
  return std::string(row.Text(0)) + '@' + std::string(row.Text(1));
}

void AddPackets(const SqliteRow& row, CommunicationUse& use) {
  const double bytes = row.Number(7).value_or(0) * kMegabyte;
  const auto count = row.Integer(8);
  const auto time = DurationIn(row, 9, kMillisecond);
  if (!(bytes > 0) || !count || *count <= 0 || !time) return;
  use.packets.push_back(
      {std::string(row.Text(4)), bytes, static_cast<std::uint64_t>(*count), *time});
}

// The size and the time are those of the transport, in each of its rows.
void AddLink(std::string_view transport, double bytes, std::int64_t time, CommunicationUse& use) {
  const bool is_known = std::any_of(use.links.begin(), use.links.end(), [&](const LinkUse& link) {
    return link.transport == transport;
  });
  if (!is_known && (bytes > 0 || time > 0))
    use.links.push_back({"", std::string(transport), bytes, time});
}

}  // namespace

std::optional<DeviceStep> StepIn(const SqliteRow& row) {
  const auto computing = DurationIn(row, 1, kMicrosecond);
  const auto communication = DurationIn(row, 2, kMicrosecond);
  if (!computing || !communication) return std::nullopt;
  DeviceStep step;
  step.number = row.Integer(0);
  step.computing = *computing;
  step.communication = *communication;
  step.communication_alone = DurationIn(row, 3, kMicrosecond).value_or(0);
  step.idle = DurationIn(row, 4, kMicrosecond).value_or(0);
  step.preparing = DurationIn(row, 6, kMicrosecond).value_or(0);
  if (const auto others = DurationIn(row, 5, kMicrosecond))
    step.receive_alone = std::max<std::int64_t>(step.communication_alone - *others, 0);
  return step;
}

Status OperatorRows::ReadTimes(std::string_view table) {
  const auto read = [&](const SqliteRow& row) {
    if (IsSum(row.Text(0))) return;
    CommunicationUse use;
    use.name = NameIn(row);
    const auto transit = DurationIn(row, 4, kMillisecond);
    const auto wait = DurationIn(row, 5, kMillisecond);
    if (!transit || !wait) return builder_.NotUnderstand(RowOf(table, "times"), use.name);
    const std::int64_t rank = row.Integer(3).value_or(kNoRank);
    use.step = StepOfKey(row.Text(2));
    // Only the tables of a rank have the type.
    use.point_to_point = row.Text(9).empty() ? IsPointToPoint(use.name) : row.Text(9) == "p2p";
    use.transit = *transit;
    use.wait = *wait;
    use.elapsed =
        DurationIn(row, 6, kMillisecond).value_or(DurationIn(row, 7, kMillisecond).value_or(0));
    use.start = DurationIn(row, 8, kMicrosecond).value_or(0);
    std::vector<CommunicationUse>& uses = operators_[rank];
    places_.emplace(Key(rank, use.name, row.Text(2)), uses.size());
    uses.push_back(std::move(use));
    builder_.CountEvent();
  };
  return file_.Scan(table,
                    {"hccl_op_name", "group_name", "step", "rank_id", "transit_time", "wait_time",
                     "elapse_time", "elapsed_time", "start_timestamp", "type"},
                    read);
}

Status OperatorRows::ReadBandwidths(std::string_view table) {
  const auto read = [&](const SqliteRow& row) {
    if (IsSum(row.Text(0))) return;
    const std::int64_t rank = row.Integer(3).value_or(kNoRank);
    const Key key(rank, NameIn(row), row.Text(2));
    const auto place = places_.find(key);
    const auto time = DurationIn(row, 6, kMillisecond);
    const double bytes = row.Number(5).value_or(0) * kMegabyte;
    if (place == places_.end() || !time || !(bytes >= 0)) {
      return builder_.NotUnderstand(RowOf(table, "an operator, size and time"), std::get<1>(key));
    }
    builder_.CountEvent();
    CommunicationUse& use = operators_[rank][place->second];
    AddPackets(row, use);
    AddLink(row.Text(4), bytes, *time, use);
  };
  // What is the transport in the tables of a rank is the band in those of a cluster.
  const bool is_cluster = table.starts_with("Cluster");
  return file_.Scan(
      table,
      {"hccl_op_name", "group_name", "step", "rank_id", is_cluster ? "band_type" : "transport_type",
       "transit_size", "transit_time", "package_size", "count", "total_duration"},
      read);
}

OperatorRows::ByRank OperatorRows::Take() && {
  for (auto& [rank, uses] : operators_) {
    for (CommunicationUse& use : uses) {
      LeaveOutSums(use.links);
      LeaveOutSums(use.packets);
    }
  }
  return std::move(operators_);
}

Status ReadLinkRows(SqliteFile& file, std::string_view table, ModelBuilder& builder,
                    const std::function<void(LinkRow)>& use) {
  return file.Scan(table,
                   {"hccl_op_name", "group_name", "step", "src_rank", "dst_rank", "transport_type",
                    "transit_size", "transit_time"},
                   [&](const SqliteRow& row) {
                     const auto time = DurationIn(row, 7, kMillisecond);
                     const double bytes = row.Number(6).value_or(0) * kMegabyte;
                     if (!time || !(bytes >= 0))
                       return builder.NotUnderstand(RowOf(table, "size and time"), row.Text(0));
                     builder.CountEvent();
                     if (!row.Text(0).ends_with("-total")) return;
                     // Some tables have them as floats.
                     const auto end = [&](std::size_t column) {
                       const auto number = row.Integer(column);
                       return number ? std::to_string(*number) : std::string(row.Text(column));
                     };
                     use({.group = std::string(row.Text(1)),
                          .from = row.Integer(3),
                          .link = {end(3) + '-' + end(4), std::string(row.Text(5)), bytes, *time}});
                   });
}

}  // namespace sightline::profiler
