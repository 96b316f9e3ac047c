#include "sightline/profiler/import/folder/msprof_folder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sightline/profiler/import/ascend/device_tables.h"
#include "sightline/profiler/import/ascend/iteration_file.h"
#include "sightline/profiler/import/ascend/kernel_details.h"
#include "sightline/profiler/import/folder/csv_names.h"
#include "sightline/profiler/import/folder/source_folder.h"

namespace sightline::profiler {
namespace {

constexpr bool kUntested = true;

// When the file was exported: "20260101120000" of "op_summary_20260101120000.csv"; empty if its
// name has no time.
std::string_view ExportTime(std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const std::size_t before = stem.find_last_not_of("0123456789");
  return before == std::string_view::npos ? stem : stem.substr(before + 1);
}

bool IsOlder(const std::string& a, const std::string& b) {
  const std::string_view time_a = ExportTime(a);
  const std::string_view time_b = ExportTime(b);
  return time_a.size() != time_b.size() ? time_a.size() < time_b.size() : time_a < time_b;
}

// The files of a table with this ending, in all slices of its newest export.
std::vector<std::string> FilesOf(SourceFolder& folder, std::string_view table,
                                 std::string_view end) {
  std::vector<std::string> files;
  for (const std::string& name : folder.names())
    if (name.ends_with(end) && TableOfCsv(name) == table) files.push_back(name);
  if (files.empty()) return files;
  const std::string newest = *std::max_element(files.begin(), files.end(), IsOlder);
  std::erase_if(files, [&](const std::string& name) {
    const bool is_older = IsOlder(name, newest);
    if (is_older) folder.LeaveOut(name, "an older export than " + newest + ", which is read");
    return is_older;
  });
  return files;
}

// Reads the table with read(window).
template <typename Read>
void ReadTable(SourceFolder& folder, std::string_view table, Read read) {
  for (const std::string& name : FilesOf(folder, table, ".csv"))
    folder.Lines(name, read, kUntested);
}

bool Has(SourceFolder& folder, std::string_view table) {
  return !FilesOf(folder, table, ".csv").empty();
}

void ReadKernels(const ImportTarget& target, SourceFolder& folder, bool has_timeline) {
  Profile& profile = target.profile;
  OperatorList kernels;
  KernelList uses;
  const auto read = [&](ByteWindow& window) {
    ReadKernelDetails(window, !has_timeline, target.builder, kernels, uses);
  };
  ReadTable(folder, "op_summary", read);
  // It has the tasks of op_summary without their shapes, and waits besides.
  if (kernels.empty() && !has_timeline) ReadTable(folder, "task_time", read);
  uses.TakeInto(profile);
  OperatorList types;
  ReadTable(folder, "op_statistic",
            [&](ByteWindow& window) { ReadOperatorStatistic(window, target.builder, types); });
  if (!kernels.empty()) {
    profile.operators = std::move(kernels).Take();
    profile.operator_source = OperatorSource::kKernelDetails;
    profile.operator_types = std::move(types).Take();
  } else if (profile.operators.empty()) {
    profile.operators = std::move(types).Take();
    profile.operator_source = OperatorSource::kCsv;
  }
}

void ReadMemory(const ImportTarget& target, SourceFolder& folder, double megabyte) {
  ReadTable(folder, "memory_record",
            [&](ByteWindow& window) { ReadMemoryRecordCsv(window, megabyte, target.builder); });
  ReadTable(folder, "operator_memory", [&](ByteWindow& window) {
    ReadOperatorMemory(window, target.builder, target.profile.allocations);
  });
}

// Returns whether there is one with a timeline.
bool ReadDatabases(SourceFolder& folder, SourceFolder& beside, bool has_trace) {
  ParallelGroups groups;
  bool has_timeline = false;
  for (const std::string& name : FilesOf(beside, "msprof", ".db")) {
    const bool read = beside.Database(name,
                                      {.timeline = !has_trace,
                                       .operators = !Has(folder, "op_summary"),
                                       .memory = !Has(folder, "memory_record"),
                                       .allocations = !Has(folder, "operator_memory")},
                                      groups);
    has_timeline = has_timeline || read;
  }
  return has_timeline;
}

}  // namespace

Status ReadMsprofFolder(const ImportTarget& target, const std::string& path) {
  const std::string inner = JoinPath(path, kMsprofOutput);
  const bool is_above = target.file_system.Stat(inner).has_value();
  const std::string output = is_above ? inner : path;
  SourceFolder folder(target, output);
  SourceFolder beside(target, BaseName(output) == kMsprofOutput ? DirectoryOf(output) : output);
  bool has_timeline = false;
  for (const std::string& name : FilesOf(folder, "msprof", ".json"))
    has_timeline = folder.ChromeTrace(name) || has_timeline;
  const bool in_database = ReadDatabases(folder, beside, has_timeline) && !has_timeline;
  has_timeline = has_timeline || in_database;
  ReadTable(folder, "step_trace",
            [&](ByteWindow& window) { ReadIterations(window, target.builder); });
  ReadKernels(target, folder, has_timeline);
  const double megabyte = BytesOfMegabyte(output);
  ReadMemory(target, folder, megabyte);
  folder.Counters(megabyte, in_database);
  folder.ListUnread([](std::string_view name) { return name == "README.txt"; });
  if (target.builder.events_in() > 0) return {};
  return {StatusCode::kNotFound, "nothing in it could be read as a profile of msprof"};
}

}  // namespace sightline::profiler
