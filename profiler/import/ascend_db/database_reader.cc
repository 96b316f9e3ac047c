#include "sightline/profiler/import/ascend_db/database_reader.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "sightline/profiler/import/ascend_db/counter_tables.h"
#include "sightline/profiler/import/ascend_db/device_tasks.h"
#include "sightline/profiler/import/ascend_db/host_calls.h"
#include "sightline/profiler/import/ascend_db/memory_tables.h"
#include "sightline/profiler/import/ascend_db/summary_tables.h"

namespace sightline::profiler {
namespace {

// The bytes of a row of the smallest events.
constexpr std::uint64_t kSmallRow = 60;

// Tables that hold nothing of their own: ranges and texts of other tables, their sums, and what
// MindStudio Insight keeps for itself. Then those that are only read if no other file has the same.
constexpr std::array<std::string_view, 14> kKnownTables = {
    "SESSION_TIME_INFO",     "NPU_OP_MEM",        "TASK_PMU_INFO",       "OVERLAP_ANALYSIS",
    "status_info",           "connectionCats",    "ENUM_HCCL_RDMA_TYPE", "ENUM_MSTX_EVENT_TYPE",
    "MEMORY_RECORD",         "OP_MEMORY",         "StepTraceTime",       "CommAnalyzerTime",
    "CommAnalyzerBandwidth", "CommAnalyzerMatrix"};

// Columns that repeat others, or number what other columns name.
struct KnownColumns {
  std::string_view table;
  std::string_view columns;  // With a blank before and after each.
};
constexpr std::array<KnownColumns, 20> kKnownColumns = {{
    {"TASK", " globalPid contextId taskId modelId depth "},
    {"COMPUTE_TASK_INFO", " mixBlockDim attrInfo waitNs "},
    {"COMMUNICATION_TASK_INFO", " name notifyId rdmaType dataType opId "},
    {"COMMUNICATION_OP", " opId relay retry opType waitNs deviceId "},
    {"CANN_API", " depth "},
    {"PYTORCH_API", " depth sequenceNumber fwdThreadId "},
    {"MSTX_EVENTS", " eventType rangeId category endGlobalTid depth "},
    {"RANK_DEVICE_MAP", " deviceId "},
    {"MEMORY_RECORD", " streamPtr "},
    {"OP_MEMORY",
     " activeReleaseTime duration activeDuration allocationTotalAllocated allocationTotalReserved "
     "allocationTotalActive releaseTotalAllocated releaseTotalReserved releaseTotalActive "
     "streamPtr "
     "deviceId "},
    {"StepTraceTime", " deviceId overlapped stage bubble "},
    {"CommAnalyzerTime", " start_timestamp synchronization_time idle_time "},
    {"CommAnalyzerBandwidth",
     " bandwidth large_packet_ratio package_size count total_duration type "},
    {"CommAnalyzerMatrix", " bandwidth type op_name "},
    {"ClusterStepTraceTime", " overlapped stage bubble dp_index tp_index "},
    {"ClusterCommunicationTime",
     " synchronization_time idle_time synchronization_time_ratio wait_time_ratio "},
    {"ClusterCommunicationBandwidth", " bandwidth large_packet_ratio "},
    {"ClusterCommunicationMatrix", " bandwidth op_name "},
    {"CommunicationGroupMapping", " type group_id "},
    {"RankDeviceMap", " profilePath "},
}};

bool IsKnown(std::string_view table, std::string_view column) {
  if (column.empty())
    return std::find(kKnownTables.begin(), kKnownTables.end(), table) != kKnownTables.end();
  const std::string word = ' ' + std::string(column) + ' ';
  return std::any_of(kKnownColumns.begin(), kKnownColumns.end(), [&](const KnownColumns& known) {
    return known.table == table && known.columns.find(word) != std::string_view::npos;
  });
}

void ReadTimeline(DatabaseTarget& target, const DatabaseParts& wanted, Status& status) {
  OperatorList operators;
  KernelList kernels;
  if (wanted.timeline) KeepFirst(status, ReadConnections(target));
  if (wanted.timeline || wanted.operators) {
    KeepFirst(status,
              ReadDeviceTasks(target, {.timeline = wanted.timeline, .operators = wanted.operators},
                              operators, kernels));
    if (wanted.operators) kernels.TakeInto(target.profile);
  }
  if (!operators.empty()) {
    target.profile.operators = std::move(operators).Take();
    target.profile.operator_source = OperatorSource::kKernelDetails;
  }
  if (!wanted.timeline) return;
  KeepFirst(status, ReadHostCalls(target));
  KeepFirst(status, ReadCounterTables(target));
}

// Counts the rows of tables that are not known, and names these and columns that are not known.
std::string NameUnknown(DatabaseTarget& target, Status& status) {
  std::string unknown;
  for (const SqliteFile::Unread& name : target.file.Unasked()) {
    if (IsKnown(name.table, name.column)) continue;
    unknown += (unknown.empty() ? "" : ", ") + name.table;
    if (!name.column.empty()) {
      unknown += '.' + name.column;
      continue;
    }
    const auto rows = target.file.Count(name.table);
    if (!rows) {
      KeepFirst(status, rows.error());
    } else if (*rows > 0) {
      target.builder.NotUnderstand("rows of tables that are not known", name.table, *rows);
    }
  }
  return unknown.empty() ? unknown : "tables and columns that are not known: " + unknown;
}

bool IsEverything(const DatabaseParts& wanted) {
  return wanted.timeline && wanted.operators && wanted.steps && wanted.communication &&
         wanted.memory && wanted.allocations;
}

Status ReadTables(const ImportTarget& import, SqliteFile& file, const DatabaseParts& wanted,
                  ParallelGroups& groups, std::string& note) {
  DatabaseTarget target{file, import.builder, import.profile, groups};
  Status status;
  // Sums and origins have texts of their own.
  const bool has_names = wanted.timeline || wanted.operators || wanted.memory || wanted.allocations;
  if (has_names) status = target.names.Read(file, target.builder);
  ReadTimeline(target, wanted, status);
  if (wanted.memory) KeepFirst(status, ReadMemoryTables(target));
  if (wanted.allocations) KeepFirst(status, ReadAllocationTable(target));
  if (wanted.steps) KeepFirst(status, ReadStepTable(target));
  KeepFirst(status, ReadOrigin(target));
  if (wanted.communication) KeepFirst(status, ReadCommunicationTables(target));
  if (wanted.timeline) note = NameUnknown(target, status);
  return status;
}

Status NothingIn(const SqliteFile& file) {
  std::string names;
  for (const auto& [name, columns] : file.tables()) {
    if (names.size() > 200) {
      names += ", ...";
      break;
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  return {StatusCode::kInvalidArgument,
          names.empty() ? "a database without tables"
                        : "nothing of an Ascend profile is in the database; its tables: " + names};
}

void NameJournals(const ImportTarget& target, const std::string& path) {
  for (const char* end : {"-wal", "-journal"}) {
    const auto info = target.file_system.Stat(path + end);
    if (!info || info->is_directory || info->size == 0) continue;
    SourceFile file;
    file.path = path + end;
    file.bytes = info->size;
    file.unread =
        "changes that are not in the database yet; open it with the program that wrote it, and "
        "close it there";
    target.profile.files.push_back(std::move(file));
  }
}

// Opens the database, lets `read` read it, and adds it to the profile's files.
template <typename Read>
Status ReadFile(const ImportTarget& target, const std::string& path, Read read) {
  SourceFile source;
  source.path = path;
  if (const auto info = target.file_system.Stat(path)) source.bytes = info->size;
  const std::uint64_t events = target.builder.events_in();
  const std::uint64_t modelled = target.builder.events_modelled();
  const auto file = SqliteFile::Open(target.file_system, path);
  source.status = file ? read(**file, source) : file.error();
  source.events = target.builder.events_in() - events;
  source.modelled = target.builder.events_modelled() - modelled;
  target.profile.files.push_back(source);
  NameJournals(target, path);
  return source.status;
}

}  // namespace

Status ReadDatabase(const ImportTarget& target, const std::string& path,
                    const DatabaseParts& wanted, ParallelGroups& groups) {
  const bool is_first = target.builder.events_in() == 0;
  return ReadFile(target, path, [&](SqliteFile& file, SourceFile& source) {
    if (wanted.timeline && is_first) target.builder.ReserveSpans(source.bytes / kSmallRow);
    const std::uint64_t modelled = target.builder.events_modelled();
    Status status = ReadTables(target, file, wanted, groups, source.note);
    if (status.ok() && target.builder.events_modelled() == modelled && IsEverything(wanted))
      return NothingIn(file);
    return status;
  });
}

Status ReadClusterDatabase(const ImportTarget& target, const std::string& path,
                           ClusterTables& tables) {
  return ReadFile(target, path, [&](SqliteFile& file, SourceFile& source) {
    ParallelGroups groups;
    DatabaseTarget database{file, target.builder, target.profile, groups};
    Status status = ReadClusterTables(database, tables);
    source.note = NameUnknown(database, status);
    return status;
  });
}

std::optional<DatabaseKind> KindOfDatabase(std::string_view name) {
  if (!name.ends_with(".db")) return std::nullopt;
  if (name == "analysis.db" || name == "communication_analyzer.db") return DatabaseKind::kSums;
  for (const std::string_view start :
       {"ascend_pytorch_profiler", "ascend_mindspore_profiler", "msprof_"})
    if (name.starts_with(start)) return DatabaseKind::kTimeline;
  return std::nullopt;
}

bool IsDatabase(std::string_view begin) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  return begin.starts_with(kMagic);
}

}  // namespace sightline::profiler
