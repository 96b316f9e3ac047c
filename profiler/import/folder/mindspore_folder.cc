#include "sightline/profiler/import/folder/mindspore_folder.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/ascend/communication_files.h"
#include "sightline/profiler/import/ascend/device_tables.h"
#include "sightline/profiler/import/ascend/kernel_details.h"
#include "sightline/profiler/import/ascend_db/database_reader.h"
#include "sightline/profiler/import/chrome/json_cursor.h"
#include "sightline/profiler/import/folder/csv_names.h"
#include "sightline/profiler/import/folder/source_folder.h"
#include "sightline/profiler/import/mindspore/mindspore_data.h"
#include "sightline/profiler/import/mindspore/mindspore_operators.h"
#include "sightline/profiler/import/mindspore/step_trace_file.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kMaxMetadata = 4096;
constexpr bool kUntested = true;

void TakeOperators(OperatorList operators, OperatorSource source, Profile& profile) {
  profile.operators = std::move(operators).Take();
  profile.operator_source = source;
}

// Reads the tables of operators: the times of each execution, or else the sums that MindSpore
// computed from them.
void ReadHostOperators(const ImportTarget& target, SourceFolder& folder, const std::string& rank,
                       bool has_trace) {
  OperatorList operators;
  OperatorSource source = OperatorSource::kTimestamps;
  folder.Lines("cpu_op_execute_timestamp_" + rank + ".txt", [&](ByteWindow& window) {
    ReadExecutionTimes(window, !has_trace, target.builder, operators);
  });
  if (operators.empty()) {
    source = OperatorSource::kCsv;
    folder.Lines("cpu_op_detail_info_" + rank + ".csv", [&](ByteWindow& window) {
      ReadOperatorDetails(window, target.builder, operators);
    });
  }
  folder.Lines("cpu_framework_" + rank + ".txt",
               [&](ByteWindow& window) { ReadOperatorShapes(window, target.builder, operators); });
  if (!operators.empty()) TakeOperators(std::move(operators), source, target.profile);
}

// A step waits for the device's kernels; the host's operators only launch them.
void ReadKernels(const ImportTarget& target, SourceFolder& output, bool has_trace) {
  OperatorList kernels;
  KernelList uses;
  OperatorSource source = OperatorSource::kKernelDetails;
  output.Lines("kernel_details.csv", [&](ByteWindow& window) {
    ReadKernelDetails(window, !has_trace, target.builder, kernels, uses);
  });
  uses.TakeInto(target.profile);
  OperatorList types;
  output.Lines("op_statistic.csv",
               [&](ByteWindow& window) { ReadOperatorStatistic(window, target.builder, types); });
  if (kernels.empty()) {
    source = OperatorSource::kCsv;
    kernels = std::move(types);
  } else {
    target.profile.operator_types = std::move(types).Take();
  }
  output.Lines("operator_details.csv",
               [&](ByteWindow& window) { ReadInputShapes(window, target.builder, kernels); });
  if (!kernels.empty()) TakeOperators(std::move(kernels), source, target.profile);
}

// The same for older versions, if the host's operators are missing.
void ReadDeviceSums(const ImportTarget& target, SourceFolder& folder, const std::string& rank) {
  OperatorList operators;
  ModelBuilder& builder = target.builder;
  folder.Lines("aicore_intermediate_" + rank + "_detail.csv",
               [&](ByteWindow& window) { ReadAicoreDetails(window, builder, operators); });
  folder.Lines(
      "gpu_op_detail_info_" + rank + ".csv",
      [&](ByteWindow& window) { ReadGpuOperators(window, builder, operators); }, kUntested);
  folder.Lines("framework_raw_" + rank + ".csv",
               [&](ByteWindow& window) { ReadKernelShapes(window, builder, operators); });
  folder.Lines("aicpu_intermediate_" + rank + ".csv",
               [&](ByteWindow& window) { ReadAicpu(window, builder, operators); });
  folder.Lines("flops_" + rank + ".txt",
               [&](ByteWindow& window) { ReadFlops(window, builder, target.profile.flops); });
  if (!operators.empty() && target.profile.operators.empty())
    TakeOperators(std::move(operators), OperatorSource::kCsv, target.profile);
}

void ReadData(const ImportTarget& target, SourceFolder& folder, const std::string& rank) {
  DataPipeline& data = target.profile.data;
  ModelBuilder& builder = target.builder;
  folder.Text("pipeline_profiling_" + rank + ".json",
              [&](std::string_view text) { return ReadPipeline(text, builder, data); });
  if (data.operators.empty()) {
    folder.Lines("minddata_pipeline_raw_" + rank + ".csv",
                 [&](ByteWindow& window) { ReadPipelineTable(window, builder, data); });
  }
  folder.Text("minddata_cpu_utilization_" + rank + ".json",
              [&](std::string_view text) { return ReadProcessorUse(text, builder, data); });
  const auto batches = [&](ByteWindow& window) { ReadBatches(window, builder, data); };
  const std::string queue = "device_queue_profiling_" + rank + ".txt";
  data.has_device_queue = folder.Has(queue);
  folder.Lines(data.has_device_queue ? queue : "dataset_iterator_profiling_" + rank + ".txt",
               batches);
  folder.Lines("minddata_aicpu_" + rank + ".txt",
               [&](ByteWindow& window) { ReadGetNext(window, builder, data); });
}

// The environment's variables that the metadata lists. They may come after long lists of groups.
void AddEnvironment(std::string_view metadata, ModelBuilder& builder) {
  constexpr std::string_view kKey = "ENV_VARIABLES";
  const std::string_view variables = JsonField(metadata, kKey);
  if (!variables.empty() && variables.size() <= kMaxMetadata) builder.AddAttribute(kKey, variables);
}

// Reads what is said about the ranks that communicate, and when they did.
ParallelGroups ReadCommunications(const ImportTarget& target, SourceFolder& top,
                                  SourceFolder& output) {
  ParallelGroups groups;
  top.Text("profiler_metadata.json", [&](std::string_view text) {
    target.builder.AddAttribute("metadata", text.substr(0, kMaxMetadata));
    AddEnvironment(text, target.builder);
    groups = ParallelGroups(text);
    return Status();
  });
  target.profile.stage = groups.Stage();
  target.profile.groups = groups.All();
  Profile& profile = target.profile;
  output.Lines("step_trace_time.csv",
               [&](ByteWindow& window) { ReadStepTimes(window, target.builder, profile); });
  output.Text("communication.json", [&](std::string_view text) {
    return ReadCommunication(text, groups, target.builder, profile);
  });
  output.Text("communication_matrix.json", [&](std::string_view text) {
    return ReadCommunicationMatrix(text, groups, target.builder, profile);
  });
  return groups;
}

void ReadMemory(const ImportTarget& target, SourceFolder& framework, SourceFolder& output,
                const std::string& rank) {
  const double megabyte = BytesOfMegabyte(target.profile.format);
  framework.Lines("cpu_ms_memory_record_" + rank + ".txt",
                  [&](ByteWindow& window) { ReadMemoryRecord(window, target.builder); });
  output.Lines("memory_record.csv",
               [&](ByteWindow& window) { ReadMemoryRecordCsv(window, megabyte, target.builder); });
  output.Lines("operator_memory.csv", [&](ByteWindow& window) {
    ReadOperatorMemory(window, target.builder, target.profile.allocations);
  });
}

bool HasTimeline(const SourceFolder& output) {
  return std::any_of(output.names().begin(), output.names().end(), [](const std::string& name) {
    return KindOfDatabase(name) == DatabaseKind::kTimeline;
  });
}

// Reads of the databases with a timeline only whose they are: the rank, its host and its groups.
void ReadOrigins(SourceFolder& output, ParallelGroups& groups) {
  constexpr DatabaseParts kNothing = {.timeline = false,
                                      .operators = false,
                                      .steps = false,
                                      .communication = false,
                                      .memory = false,
                                      .allocations = false};
  for (const std::string& name : output.names())
    if (KindOfDatabase(name) == DatabaseKind::kTimeline) output.Database(name, kNothing, groups);
}

// Reads of the databases beside a timeline what no text file gave.
void ReadSums(const ImportTarget& target, SourceFolder& output, ParallelGroups& groups) {
  const bool has_all =
      !target.profile.device_steps.empty() && !target.profile.communication.empty();
  if (has_all) return;
  for (const std::string& name : output.names()) {
    if (KindOfDatabase(name) != DatabaseKind::kSums) continue;
    output.Database(name,
                    {.timeline = false,
                     .operators = false,
                     .steps = target.profile.device_steps.empty(),
                     .communication = target.profile.communication.empty(),
                     .memory = false,
                     .allocations = false},
                    groups);
  }
}

// The same for databases with a timeline.
void ReadTimelines(const ImportTarget& target, SourceFolder& output, bool has_trace,
                   ParallelGroups& groups) {
  const Profile& profile = target.profile;
  const bool has_memory = output.Has("memory_record.csv");
  for (const std::string& name : output.names()) {
    if (KindOfDatabase(name) != DatabaseKind::kTimeline) continue;
    output.Database(name,
                    {.timeline = !has_trace,
                     .operators = profile.operators.empty(),
                     .steps = profile.device_steps.empty(),
                     .communication = profile.communication.empty(),
                     .memory = !has_memory,
                     .allocations = profile.allocations.empty()},
                    groups);
  }
}

// Adds the members of a JSON object about the profile as a whole as attributes.
void ReadInfo(const ImportTarget& target, SourceFolder& folder, const std::string& name) {
  folder.Text(name, [&](std::string_view text) -> Status {
    JsonCursor cursor(text);
    if (!cursor.Take('{')) return {StatusCode::kDataLoss, "not a JSON object"};
    for (std::string_view key, value; cursor.NextKey(key) && cursor.Value(value);)
      target.builder.AddAttribute(Unescape(key), Unescape(value.substr(0, kMaxMetadata)));
    if (cursor.state() != JsonCursor::State::kSound)
      return {StatusCode::kDataLoss, "not a JSON object, or cut off"};
    return {};
  });
}

// The number between `start` and a point or underscore after it.
std::optional<std::int64_t> RankIn(std::string_view name, std::string_view start) {
  if (!name.starts_with(start)) return std::nullopt;
  std::string_view rest = name.substr(start.size());
  const auto rank = TakeNumber<std::int64_t>(rest);
  const bool ends = rest.starts_with('.') || rest.starts_with('_');
  return rank && *rank >= 0 && ends ? rank : std::nullopt;
}

std::vector<std::int64_t> RanksIn(const SourceFolder& folder) {
  constexpr std::array<std::string_view, 13> kStarts = {
      "cpu_op_execute_timestamp_", "cpu_op_detail_info_",         "cpu_timeline_display_",
      "ascend_timeline_display_",  "gpu_timeline_display_",       "step_trace_raw_",
      "pipeline_profiling_",       "dataset_iterator_profiling_", "device_queue_profiling_",
      "aicore_intermediate_",      "gpu_op_detail_info_",         "hccl_raw_",
      "timeline_display_"};
  std::set<std::int64_t> ranks;
  for (const std::string& name : folder.names()) {
    for (const std::string_view start : kStarts) {
      if (const auto rank = RankIn(name, start)) ranks.insert(*rank);
    }
  }
  return {ranks.begin(), ranks.end()};
}

// Whether the last number in the name is another rank's.
bool BelongsToAnotherRank(std::string_view name, const Profile& profile) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t last = name.find_last_of(kDigits);
  if (last == std::string_view::npos) return false;
  const std::size_t before = name.find_last_not_of(kDigits, last);
  if (before == std::string_view::npos || name[before] != '_') return false;
  const auto rank = ParseNumber<std::int64_t>(name.substr(before + 1, last - before));
  return rank && *rank != profile.rank &&
         std::find(profile.ranks.begin(), profile.ranks.end(), *rank) != profile.ranks.end();
}

// "..._pipeline-parallel_<stages>_<ranks>_<rank>.csv": the stage is rank / (ranks / stages).
std::optional<std::int64_t> StageIn(std::string_view name, std::int64_t rank) {
  constexpr std::string_view kMode = "pipeline-parallel_";
  const std::size_t at = name.find(kMode);
  if (at == std::string_view::npos) return std::nullopt;
  name.remove_prefix(at + kMode.size());
  const auto stages = TakeNumber<std::int64_t>(name);
  if (!name.starts_with('_')) return std::nullopt;
  name.remove_prefix(1);
  const auto ranks = TakeNumber<std::int64_t>(name);
  if (!stages || !ranks || *stages <= 0 || *ranks < *stages) return std::nullopt;
  return rank / (*ranks / *stages);
}

// ascend_cluster_analyse_pipeline-parallel_2_4_<rank>.csv
void ReadCluster(const ImportTarget& target, SourceFolder& folder, const std::string& rank) {
  const std::string end = "_" + rank + ".csv";
  for (const std::string& name : folder.names()) {
    const bool of_cluster = name.find("_cluster_analyse_") != std::string::npos &&
                            name.find("_data-parallel_") == std::string::npos;
    if (!of_cluster || !name.ends_with(end)) continue;
    target.profile.stage = StageIn(name, *target.profile.rank);
    folder.Lines(name, [&](ByteWindow& window) {
      ReadClusterSteps(window, target.builder, target.profile);
    });
  }
  folder.Lines("hccl_raw_" + rank + ".csv",
               [&](ByteWindow& window) { ReadHccl(window, target.builder, target.profile); });
}

void ReadStepFiles(const ImportTarget& target, SourceFolder& folder, const std::string& rank) {
  Profile& profile = target.profile;
  folder.Lines("step_trace_raw_" + rank + "_detail_time.csv",
               [&](ByteWindow& window) { ReadStepTrace(window, target.builder, profile); });
  for (const std::string& name :
       {"step_trace_point_info_" + rank + ".json", std::string("step_trace_point_info.json")}) {
    const bool read = folder.Text(name, [&](std::string_view text) {
      ReadStepPoints(text, profile);
      return Status();
    });
    if (read) return;
  }
}

Status NothingRead(const ImportTarget& target) {
  if (target.builder.events_in() > 0) return {};
  std::string message = "nothing in it could be read as a profile";
  for (const SourceFile& file : target.profile.files) {
    if (!file.status.ok())
      message += "\n  " + file.path + ": " + std::string(file.status.message());
  }
  return {StatusCode::kNotFound, message};
}

// Whether torch_npu wrote the folder, and not MindSpore: by its name, or by what only torch_npu's
// profiler_info_<rank>.json has.
bool IsOfTorchNpu(const ImportTarget& target, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("_ascend_pt")) return true;
  if (path.ends_with("_ascend_ms")) return false;
  return target.builder.HasAttribute("torch_npu_version") ||
         (target.builder.HasAttribute("config") && !target.builder.HasAttribute("ms_version"));
}

// The rank in the names of the files in FRAMEWORK/: the profile's, or else 0, as MindSpore 2.7 and
// earlier have it in some files of every rank.
std::string RankOfFramework(const Profile& profile, const SourceFolder& framework) {
  const std::string own = std::to_string(profile.rank.value_or(0));
  const auto has_own = [&](const std::string& name) {
    return name.ends_with("_" + own + ".txt") || name.ends_with("_" + own + ".json") ||
           name.ends_with("_" + own + ".csv");
  };
  return std::any_of(framework.names().begin(), framework.names().end(), has_own) ? own : "0";
}

// The rank in the name profiler_info_<rank>.json; no value if the file is missing.
void ReadProfilerInfo(const ImportTarget& target, SourceFolder& top) {
  for (const std::string& name : top.names()) {
    const auto rank = RankIn(name, "profiler_info_");
    if (!rank) continue;
    target.profile.rank = rank;
    ReadInfo(target, top, name);
    return;
  }
}

}  // namespace

Status ReadMindSporeFolder(const ImportTarget& target, const std::string& path, bool for_ranks) {
  SourceFolder output(target, JoinPath(path, "ASCEND_PROFILER_OUTPUT"));
  SourceFolder framework(target, JoinPath(path, "FRAMEWORK"));
  SourceFolder own(target, JoinPath(path, "sightline"));
  SourceFolder top(target, path);
  ReadProfilerInfo(target, top);
  if (IsOfTorchNpu(target, path)) target.profile.format = SourceFormat::kTorchNpu;
  ParallelGroups groups = ReadCommunications(target, top, output);
  // First, since the sums name groups that these have.
  if (for_ranks) ReadOrigins(output, groups);
  ReadSums(target, output, groups);
  if (for_ranks && !target.profile.device_steps.empty()) return {};
  const std::string rank = RankOfFramework(target.profile, framework);
  const bool has_trace = output.ChromeTrace("trace_view.json");
  ReadHostOperators(target, framework, rank, has_trace);
  ReadKernels(target, output, has_trace || HasTimeline(output));
  ReadData(target, framework, rank);
  // The spans that sightline.mindspore.Profiler recorded. MindSpore's collector writes wall times.
  for (const std::string& name : own.names()) {
    if (name.ends_with(".perfetto-trace")) own.PerfettoTrace(name);
  }
  ReadMemory(target, framework, output, rank);
  ReadTimelines(target, output, has_trace, groups);
  output.Counters(BytesOfMegabyte(target.profile.format), !has_trace && HasTimeline(output));
  Status status = NothingRead(target);
  if (!status.ok()) return status;
  const auto is_ignored = [](std::string_view /*name*/) { return false; };
  for (SourceFolder* folder : {&output, &framework, &own, &top}) folder->ListUnread(is_ignored);
  return status;
}

Status ReadOldMindSporeFolder(const ImportTarget& target, const std::string& path,
                              std::optional<std::int64_t> rank) {
  SourceFolder folder(target, path);
  Profile& profile = target.profile;
  profile.ranks = RanksIn(folder);
  if (profile.ranks.empty())
    return {StatusCode::kNotFound, "no file of the folder has a rank in its name"};
  profile.rank = rank.value_or(profile.ranks.front());
  if (std::find(profile.ranks.begin(), profile.ranks.end(), *profile.rank) == profile.ranks.end()) {
    return {StatusCode::kNotFound,
            "the folder has no files of rank " + std::to_string(*profile.rank)};
  }
  const std::string number = std::to_string(*profile.rank);
  bool has_trace = false;
  // The oldest name has no device before it.
  for (const char* start : {"ascend_", "gpu_", "cpu_", ""}) {
    has_trace = has_trace ||
                folder.ChromeTrace(start + std::string("timeline_display_") + number + ".json");
  }
  ReadHostOperators(target, folder, number, has_trace);
  ReadDeviceSums(target, folder, number);
  ReadStepFiles(target, folder, number);
  ReadData(target, folder, number);
  ReadCluster(target, folder, number);
  ReadInfo(target, folder, "profiler_info_" + number + ".json");
  ReadInfo(target, folder, "flops_summary_" + number + ".json");
  Status status = NothingRead(target);
  if (status.ok())
    folder.ListUnread([&](std::string_view name) { return BelongsToAnotherRank(name, profile); });
  return status;
}

}  // namespace sightline::profiler
