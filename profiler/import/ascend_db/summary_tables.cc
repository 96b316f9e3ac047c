#include "sightline/profiler/import/ascend_db/summary_tables.h"

#include <cmath>
#include <map>
#include <utility>

#include "sightline/profiler/import/ascend/communication_files.h"

namespace sightline::profiler {
namespace {

constexpr double kMicrosecond = 1e3;  // Nanoseconds.
constexpr double kMillisecond = 1e6;
constexpr double kMegabyte = 1e6;
constexpr std::size_t kMaxAttribute = 4096;

// A duration in units of `unit` nanoseconds; no value if it is impossible.
std::optional<std::int64_t> DurationIn(const SqliteRow& row, std::size_t column, double unit) {
  const auto number = row.Number(column);
  if (!number || !(*number >= 0) || *number * unit >= static_cast<double>(kMaxTime))
    return std::nullopt;
  return std::llround(*number * unit);
}

using OperatorKey = std::pair<std::string, std::string>;  // Its name, and its step as written.
using Places = std::map<OperatorKey, std::size_t>;        // In Profile::communication.

OperatorKey KeyIn(const SqliteRow& row) {
  return {std::string(row.Text(0)) + '@' + std::string(row.Text(1)), std::string(row.Text(2))};
}

Status ReadTimes(DatabaseTarget& target, Places& places) {
  const auto read = [&](const SqliteRow& row) {
    const OperatorKey key = KeyIn(row);
    if (key.first.starts_with("Total Op Info")) return;  // The sum of the others.
    const auto transit = DurationIn(row, 4, kMillisecond);
    const auto wait = DurationIn(row, 5, kMillisecond);
    if (!transit || !wait)
      return target.builder.NotUnderstand("a row of CommAnalyzerTime without times", key.first);
    CommunicationUse use;
    use.name = key.first;
    use.step = StepOfKey(key.second);
    use.point_to_point = row.Text(3) == "p2p";
    use.transit = *transit;
    use.wait = *wait;
    use.elapsed = DurationIn(row, 6, kMillisecond).value_or(0);
    use.start = DurationIn(row, 7, kMicrosecond).value_or(0);
    const ParallelGroup* group = target.groups.Find(row.Text(1));
    if (group != nullptr) use.group = group->name;
    places.emplace(key, target.profile.communication.size());
    target.profile.communication.push_back(std::move(use));
    target.builder.CountEvent();
  };
  return target.file.Scan("CommAnalyzerTime",
                          {"hccl_op_name", "group_name", "step", "type", "transit_time",
                           "wait_time", "elapse_time", "start_timestamp"},
                          read);
}

void AddPackets(const SqliteRow& row, CommunicationUse& use) {
  const double bytes = row.Number(6).value_or(0) * kMegabyte;
  const auto count = row.Integer(7);
  const auto time = DurationIn(row, 8, kMillisecond);
  if (!(bytes > 0) || !count || *count <= 0 || !time) return;
  use.packets.push_back(
      {std::string(row.Text(3)), bytes, static_cast<std::uint64_t>(*count), *time});
}

// A row for each size of packets; transit_size and transit_time are those of the transport in each.
Status ReadBandwidths(DatabaseTarget& target, const Places& places) {
  Status status = target.file.Scan(
      "CommAnalyzerBandwidth",
      {"hccl_op_name", "group_name", "step", "transport_type", "transit_size", "transit_time",
       "package_size", "count", "total_duration"},
      [&](const SqliteRow& row) {
        const OperatorKey key = KeyIn(row);
        if (key.first.starts_with("Total Op Info")) return;
        const auto place = places.find(key);
        const auto time = DurationIn(row, 5, kMillisecond);
        const double bytes = row.Number(4).value_or(0) * kMegabyte;
        if (place == places.end() || !time || !(bytes >= 0)) {
          return target.builder.NotUnderstand(
              "a row of CommAnalyzerBandwidth without an operator, size and time", key.first);
        }
        target.builder.CountEvent();
        CommunicationUse& use = target.profile.communication[place->second];
        auto& links = use.links;
        AddPackets(row, use);
        const std::string_view transport = row.Text(3);
        const bool is_known = std::any_of(links.begin(), links.end(), [&](const LinkUse& link) {
          return link.transport == transport;
        });
        if (!is_known && (bytes > 0 || *time > 0))
          links.push_back({"", std::string(transport), bytes, *time});
      });
  for (CommunicationUse& use : target.profile.communication) {
    LeaveOutSums(use.links);
    LeaveOutSums(use.packets);
  }
  return status;
}

// Rows "allreduce-total" are the sums of a link; "-top1", "-middle", "-bottom1" are examples.
Status ReadLinks(DatabaseTarget& target) {
  return target.file.Scan(
      "CommAnalyzerMatrix",
      {"hccl_op_name", "group_name", "step", "src_rank", "dst_rank", "transport_type",
       "transit_size", "transit_time"},
      [&](const SqliteRow& row) {
        const auto time = DurationIn(row, 7, kMillisecond);
        const double bytes = row.Number(6).value_or(0) * kMegabyte;
        if (!time || !(bytes >= 0)) {
          return target.builder.NotUnderstand("a row of CommAnalyzerMatrix without size and time",
                                              row.Text(0));
        }
        target.builder.CountEvent();
        if (!row.Text(0).ends_with("-total")) return;
        const std::string link = std::string(row.Text(3)) + '-' + std::string(row.Text(4));
        const ParallelGroup* group = target.groups.Find(row.Text(1));
        target.profile.links.push_back(
            {ParallelGroups::GlobalLink(link, group), std::string(row.Text(5)), bytes, *time});
        if (group == nullptr)
          NoteMembers(row.Text(1), {target.profile.links.back()}, target.profile);
      });
}

Status AddAttributes(DatabaseTarget& target, std::string_view table, std::string_view key,
                     std::string_view value, std::string_view name) {
  return target.file.Scan(table, {key, value}, [&](const SqliteRow& row) {
    const std::string_view text = row.Text(1).substr(0, kMaxAttribute);
    target.builder.AddAttribute(name.empty() ? row.Text(0) : name, text);
  });
}

}  // namespace

Status ReadStepTable(DatabaseTarget& target) {
  return target.file.Scan(
      "StepTraceTime",
      {"step", "computing", "communication", "communication_not_overlapped", "free",
       "communication_not_overlapped_and_exclude_receive", "preparing"},
      [&](const SqliteRow& row) {
        const auto computing = DurationIn(row, 1, kMicrosecond);
        const auto communication = DurationIn(row, 2, kMicrosecond);
        if (!computing || !communication) {
          return target.builder.NotUnderstand(
              "a row of StepTraceTime without computing and communication times", row.Text(0));
        }
        DeviceStep step;
        step.number = row.Integer(0);
        step.computing = *computing;
        step.communication = *communication;
        step.communication_alone = DurationIn(row, 3, kMicrosecond).value_or(0);
        step.idle = DurationIn(row, 4, kMicrosecond).value_or(0);
        step.preparing = DurationIn(row, 6, kMicrosecond).value_or(0);
        if (const auto others = DurationIn(row, 5, kMicrosecond))
          step.receive_alone = std::max<std::int64_t>(step.communication_alone - *others, 0);
        target.profile.device_steps.push_back(step);
        target.builder.CountEvent();
      });
}

Status ReadCommunicationTables(DatabaseTarget& target) {
  Places places;
  Status status = ReadTimes(target, places);
  KeepFirst(status, ReadBandwidths(target, places));
  KeepFirst(status, ReadLinks(target));
  return status;
}

Status ReadOrigin(DatabaseTarget& target) {
  Status status =
      target.file.Scan("RANK_DEVICE_MAP", {"rankId", "deviceId"}, [&](const SqliteRow& row) {
        if (!target.profile.device) target.profile.device = row.Integer(1);
        // A program that is not distributed has the rank -1.
        const auto rank = row.Integer(0);
        if (!target.profile.rank && rank && *rank >= 0) target.profile.rank = rank;
      });
  KeepFirst(status, AddAttributes(target, "HOST_INFO", "hostUid", "hostName", "host"));
  KeepFirst(status, AddAttributes(target, "HOST_INFO", "hostName", "hostUid", "host_uid"));
  KeepFirst(status, AddAttributes(target, "NPU_INFO", "id", "name", "NPU"));
  KeepFirst(status, AddAttributes(target, "META_DATA", "name", "value", ""));
  if (!target.groups.empty()) return status;
  KeepFirst(status, target.file.Scan("META_DATA", {"name", "value"}, [&](const SqliteRow& row) {
    if (row.Text(0) == "parallel_group_info")
      target.groups = ParallelGroups("{\"parallel_group_info\":" + std::string(row.Text(1)) + '}');
  }));
  if (!target.profile.stage) target.profile.stage = target.groups.Stage();
  if (target.profile.groups.empty()) target.profile.groups = target.groups.All();
  return status;
}

}  // namespace sightline::profiler
