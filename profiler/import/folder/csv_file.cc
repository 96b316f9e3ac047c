#include "sightline/profiler/import/folder/csv_file.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sightline/profiler/import/ascend/counter_csv.h"
#include "sightline/profiler/import/ascend/device_tables.h"
#include "sightline/profiler/import/ascend/iteration_file.h"
#include "sightline/profiler/import/ascend/kernel_details.h"
#include "sightline/profiler/import/folder/csv_names.h"
#include "sightline/profiler/import/source/csv_rows.h"

namespace sightline::profiler {
namespace {

using ReadTable = Status (*)(const ImportTarget& target, const std::string& path);

Status ReadKernels(const ImportTarget& target, const std::string& path) {
  OperatorList kernels;
  KernelList uses;
  Status status = ReadSourceLines(target, path, [&](ByteWindow& window) {
    ReadKernelDetails(window, true, target.builder, kernels, uses);
  });
  uses.TakeInto(target.profile);
  target.profile.operators = std::move(kernels).Take();
  target.profile.operator_source = OperatorSource::kKernelDetails;
  return status;
}

Status ReadSums(const ImportTarget& target, const std::string& path) {
  OperatorList sums;
  Status status = ReadSourceLines(target, path, [&](ByteWindow& window) {
    ReadOperatorStatistic(window, target.builder, sums);
  });
  target.profile.operators = std::move(sums).Take();
  target.profile.operator_source = OperatorSource::kCsv;
  return status;
}

Status ReadSteps(const ImportTarget& target, const std::string& path) {
  return ReadSourceLines(target, path,
                         [&](ByteWindow& window) { ReadIterations(window, target.builder); });
}

Status ReadMemory(const ImportTarget& target, const std::string& path) {
  return ReadSourceLines(target, path, [&](ByteWindow& window) {
    ReadMemoryRecordCsv(window, BytesOfMegabyte(path), target.builder);
  });
}

Status ReadAllocations(const ImportTarget& target, const std::string& path) {
  return ReadSourceLines(target, path, [&](ByteWindow& window) {
    ReadOperatorMemory(window, target.builder, target.profile.allocations);
  });
}

Status ReadCounters(const ImportTarget& target, const std::string& path) {
  return ReadSourceLines(target, path, [&](ByteWindow& window) {
    ReadCounterCsv(window, TableOfCsv(BaseName(path)), BytesOfMegabyte(path), target.builder);
  });
}

struct Table {
  std::vector<std::string_view> columns;  // All of them.
  ReadTable read = nullptr;
  bool untested = false;  // SourceFile::untested.
};

// Without a reader if the columns are those of none.
Table FindTable(const CsvRows& header) {
  const std::array<Table, 9> tables = {{
      {{"Name", "Start Time(us)", "Duration(us)"}, ReadKernels},
      {{"Op Name", "Task Start Time(us)", "Task Duration(us)"}, ReadKernels, true},
      {{"kernel_name", "task_start(us)", "task_time(us)"}, ReadKernels, true},
      {{"OP Type", "Count", "Total Time(us)"}, ReadSums},
      {{"API Name", "Count", "Time(us)"}, ReadSums},
      {{"Iteration ID", "Iteration End(us)", "Iteration Time(us)"}, ReadSteps, true},
      {{"Component", "Timestamp(us)", "Total Allocated(MB)"}, ReadMemory},
      {{"Component", "Timestamp(us)", "Total Allocated(KB)"}, ReadMemory, true},
      {{"Name", "Size(KB)", "Allocation Time(us)"}, ReadAllocations},
  }};
  for (const Table& table : tables) {
    const bool has_all = std::all_of(
        table.columns.begin(), table.columns.end(),
        [&](std::string_view column) { return header.FindColumn({column}) != CsvRows::kNoColumn; });
    if (has_all) return table;
  }
  return {{}, HasTimestamps(header) ? ReadCounters : nullptr, false};
}

}  // namespace

Status ReadCsvFile(const ImportTarget& target, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto source, OpenByteSource(target.file_system, path));
  ByteWindow window(*source);
  CsvRows header(window);
  const Table table = header.Next() ? FindTable(header) : Table();
  if (table.read == nullptr) {
    return {
        StatusCode::kInvalidArgument,
        "no table of an NPU's profiler, and no values over time (Timestamp(us)); its columns: " +
            ColumnsOfCsv(header)};
  }
  Status status = table.read(target, path);
  target.profile.files.back().untested = table.untested;
  if (status.ok() && target.builder.events_in() == 0)
    return {StatusCode::kInvalidArgument, "a table without rows"};
  return status;
}

}  // namespace sightline::profiler
