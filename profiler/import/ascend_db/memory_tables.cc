#include "sightline/profiler/import/ascend_db/memory_tables.h"

#include <initializer_list>
#include <utility>

namespace sightline::profiler {
namespace {

using NamedValue = std::pair<std::string_view, std::optional<double>>;

// "PTA, NPU:0"
void AddMemory(ModelBuilder& builder, const std::string& of, std::int64_t time,
               std::initializer_list<NamedValue> values) {
  const LaneId lane = builder.AddLane("memory", of);
  for (const auto& [what, bytes] : values) {
    if (!bytes) continue;
    builder.AddCounter(lane, builder.Intern("memory " + std::string(what) + ", " + of), time,
                       *bytes);
  }
}

std::string DeviceName(std::optional<std::int64_t> device) {
  return "NPU:" + std::to_string(device.value_or(0));
}

// What the whole program holds on the device; a row counts among the counters.
Status ReadProgramMemory(DatabaseTarget& target) {
  return target.file.Scan(
      "NPU_MEM", {"type", "timestampNs", "ddr", "hbm", "deviceId"}, [&](const SqliteRow& row) {
        const auto time = row.Integer(1);
        const bool of_program = target.builder.Name(target.names.Find(row.Integer(0))) == "app";
        if (!of_program || !time || !IsTime(*time)) return;
        AddMemory(target.builder, "APP, " + DeviceName(row.Integer(4)), *time,
                  {{"reserved", row.Number(2).value_or(0) + row.Number(3).value_or(0)}});
      });
}

}  // namespace

Status ReadMemoryTables(DatabaseTarget& target) {
  Status status = target.file.Scan(
      "MEMORY_RECORD",
      {"component", "timestamp", "totalAllocated", "totalReserved", "deviceId", "totalActive"},
      [&](const SqliteRow& row) {
        const auto time = row.Integer(1);
        const auto reserved = row.Number(3);
        if (!time || !IsTime(*time) || !reserved) {
          return target.builder.NotUnderstand("a row of MEMORY_RECORD without time and bytes",
                                              row.Text(0));
        }
        const std::string component(target.builder.Name(target.names.Find(row.Integer(0))));
        AddMemory(target.builder, component + ", " + DeviceName(row.Integer(4)), *time,
                  {{"reserved", reserved}, {"allocated", row.Number(2)}});
        target.builder.CountEvent();
      });
  KeepFirst(status, ReadProgramMemory(target));
  return status;
}

Status ReadAllocationTable(DatabaseTarget& target) {
  return target.file.Scan(
      "OP_MEMORY", {"name", "size", "allocationTime", "releaseTime"}, [&](const SqliteRow& row) {
        const auto bytes = row.Number(1);
        const auto time = row.Integer(2);
        const auto released = row.Integer(3);
        if (!bytes || *bytes < 0 || !time || !IsTime(*time) || (released && !IsTime(*released))) {
          return target.builder.NotUnderstand("a row of OP_MEMORY without size and time",
                                              row.Text(0));
        }
        target.profile.allocations.push_back({.name = target.names.Find(row.Integer(0)),
                                              .bytes = *bytes,
                                              .time = *time,
                                              .released = released});
        target.builder.CountEvent();
      });
}

}  // namespace sightline::profiler
