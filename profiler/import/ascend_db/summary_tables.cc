#include "sightline/profiler/import/ascend_db/summary_tables.h"

#include <string_view>
#include <utility>

#include "sightline/profiler/import/ascend/communication_files.h"
#include "sightline/profiler/import/ascend_db/analysis_rows.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kMaxAttribute = 4096;

// Rows "allreduce-total" are the sums of a link.
Status ReadLinks(DatabaseTarget& target) {
  return ReadLinkRows(target.file, "CommAnalyzerMatrix", target.builder, [&](LinkRow row) {
    const ParallelGroup* group = target.groups.Find(row.group);
    row.link.link = ParallelGroups::GlobalLink(row.link.link, group);
    if (group == nullptr) NoteMembers(row.group, {row.link}, target.profile);
    target.profile.links.push_back(std::move(row.link));
  });
}

// What the operator's group is for.
std::string_view GroupOf(const CommunicationUse& use, const ParallelGroups& groups) {
  const std::string_view name = use.name;
  const ParallelGroup* group = groups.Find(name.substr(name.rfind('@') + 1));
  if (group == nullptr) return {};
  return group->name;
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
  return target.file.Scan("StepTraceTime", kStepColumns, [&](const SqliteRow& row) {
    const auto step = StepIn(row);
    if (!step) {
      return target.builder.NotUnderstand(
          "a row of StepTraceTime without computing and communication times", row.Text(0));
    }
    target.profile.device_steps.push_back(*step);
    target.builder.CountEvent();
  });
}

Status ReadCommunicationTables(DatabaseTarget& target) {
  OperatorRows rows(target.file, target.builder);
  Status status = rows.ReadTimes("CommAnalyzerTime");
  KeepFirst(status, rows.ReadBandwidths("CommAnalyzerBandwidth"));
  for (auto& [rank, uses] : std::move(rows).Take()) {
    for (CommunicationUse& use : uses) {
      use.group = GroupOf(use, target.groups);
      target.profile.communication.push_back(std::move(use));
    }
  }
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
