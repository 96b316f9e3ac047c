#include "sightline/profiler/import/mindspore_folder.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/chrome_reader.h"
#include "sightline/profiler/import/kernel_details.h"
#include "sightline/profiler/import/mindspore_data.h"
#include "sightline/profiler/import/mindspore_operators.h"
#include "sightline/profiler/import/perfetto_reader.h"
#include "sightline/profiler/import/step_trace_file.h"

namespace sightline::profile {
namespace {

// One folder with the names in it.
class Folder {
 public:
  Folder(const ImportTarget& target, std::string path) : target_(target), path_(std::move(path)) {
    if (auto names = target.files.List(path_)) names_.insert(names->begin(), names->end());
  }

  bool Has(const std::string& name) const { return names_.contains(name); }
  std::string PathOf(const std::string& name) const { return JoinPath(path_, name); }
  const std::set<std::string>& names() const { return names_; }

  bool Lines(const std::string& name, const std::function<void(ByteWindow&)>& read) const {
    return Has(name) && ReadSourceLines(target_, PathOf(name), read).ok();
  }
  bool Text(const std::string& name, const std::function<Status(std::string_view)>& read) const {
    return Has(name) && ReadSourceText(target_, PathOf(name), read).ok();
  }
  // True where at least something was read: a cut trace is one.
  bool Trace(const std::string& name) const {
    if (!Has(name)) return false;
    const std::uint64_t before = target_.builder.events_modelled();
    const Status status = ReadSource(target_, PathOf(name), [&](ByteSource& source) {
      return ChromeReader(source, target_.builder).Read();
    });
    return status.ok() || target_.builder.events_modelled() > before;
  }

 private:
  const ImportTarget& target_;
  std::string path_;
  std::set<std::string> names_;
};

// Tables of operators: times of each execution, else the sums that MindSpore made of them.
void ReadHostOperators(const ImportTarget& target, const Folder& folder, const std::string& rank,
                       bool has_trace) {
  OperatorList operators;
  Profile& profile = target.profile;
  folder.Lines("cpu_op_execute_timestamp_" + rank + ".txt", [&](ByteWindow& window) {
    ReadExecutionTimes(window, !has_trace, target.builder, operators);
  });
  if (!operators.empty()) {
    profile.operator_source = OperatorSource::kTimestamps;
  } else {
    folder.Lines("cpu_op_detail_info_" + rank + ".csv", [&](ByteWindow& window) {
      ReadOperatorDetails(window, target.builder, operators);
    });
    if (!operators.empty()) profile.operator_source = OperatorSource::kCsv;
  }
  folder.Lines("cpu_framework_" + rank + ".txt",
               [&](ByteWindow& window) { ReadOperatorShapes(window, target.builder, operators); });
  profile.operators = std::move(operators).Take();
}

void ReadKernels(const ImportTarget& target, const Folder& folder, bool has_trace) {
  OperatorList kernels;
  folder.Lines("kernel_details.csv", [&](ByteWindow& window) {
    ReadKernelDetails(window, !has_trace, target.builder, kernels);
  });
  if (kernels.empty()) return;
  target.profile.files.back().unseen = true;
  // A device's kernels are what the step waits for; its host's operators only launch them.
  target.profile.operators = std::move(kernels).Take();
  target.profile.operator_source = OperatorSource::kKernelDetails;
}

void ReadData(const ImportTarget& target, const Folder& folder, const std::string& rank) {
  DataPipeline& data = target.profile.data;
  ModelBuilder& builder = target.builder;
  folder.Text("pipeline_profiling_" + rank + ".json",
              [&](std::string_view text) { return ReadPipeline(text, builder, data); });
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

// The number between `start` and a point or underscore behind it.
std::optional<std::int64_t> RankIn(std::string_view name, std::string_view start) {
  if (!name.starts_with(start)) return std::nullopt;
  std::string_view rest = name.substr(start.size());
  const auto rank = TakeNumber<std::int64_t>(rest);
  const bool ends = rest.starts_with('.') || rest.starts_with('_');
  return rank && *rank >= 0 && ends ? rank : std::nullopt;
}

std::vector<std::int64_t> RanksIn(const Folder& folder) {
  constexpr std::array<std::string_view, 9> kStarts = {
      "cpu_op_execute_timestamp_", "cpu_op_detail_info_",         "cpu_timeline_display_",
      "ascend_timeline_display_",  "gpu_timeline_display_",       "step_trace_raw_",
      "pipeline_profiling_",       "dataset_iterator_profiling_", "device_queue_profiling_"};
  std::set<std::int64_t> ranks;
  for (const std::string& name : folder.names()) {
    for (const std::string_view start : kStarts) {
      if (const auto rank = RankIn(name, start)) ranks.insert(*rank);
    }
  }
  return {ranks.begin(), ranks.end()};
}

// What sightline.mindspore.Profiler recorded beside MindSpore's collector, which writes wall times.
void ReadOwnTraces(const ImportTarget& target, const Folder& folder) {
  for (const std::string& name : folder.names()) {
    if (!name.ends_with(".perfetto-trace")) continue;
    // What of it is damaged is said in the profile's files.
    (void)ReadSource(target, folder.PathOf(name), [&](ByteSource& source) {
      return PerfettoReader(source, target.builder, TraceClock::kWall).Read();
    });
  }
}

Status NothingRead(const ImportTarget& target, const std::string& folder) {
  if (target.builder.events_in() > 0) return {};
  return {StatusCode::kNotFound, folder + ": nothing in it could be read as a profile"};
}

}  // namespace

Status ReadMindSporeFolder(const ImportTarget& target, const std::string& folder) {
  const Folder output(target, JoinPath(folder, "ASCEND_PROFILER_OUTPUT"));
  const Folder framework(target, JoinPath(folder, "FRAMEWORK"));
  const bool has_trace = output.Trace("trace_view.json");
  ReadHostOperators(target, framework, "0", has_trace);
  ReadKernels(target, output, has_trace);
  framework.Lines("cpu_ms_memory_record_0.txt",
                  [&](ByteWindow& window) { ReadMemoryRecord(window, target.builder); });
  ReadData(target, framework, "0");
  ReadOwnTraces(target, Folder(target, JoinPath(folder, "sightline")));
  if (output.Lines("memory_record.csv",
                   [&](ByteWindow& window) { ReadMemoryRecordCsv(window, target.builder); }))
    target.profile.files.back().unseen = true;
  const Folder top(target, folder);
  top.Text("profiler_metadata.json", [&](std::string_view text) {
    target.builder.AddAttribute("metadata", text.substr(0, 4096));
    return Status();
  });
  return NothingRead(target, folder);
}

Status ReadOldMindSporeFolder(const ImportTarget& target, const std::string& path,
                              std::optional<std::int64_t> rank) {
  const Folder folder(target, path);
  Profile& profile = target.profile;
  profile.ranks = RanksIn(folder);
  if (profile.ranks.empty()) return {StatusCode::kNotFound, path + ": no file in it names a rank"};
  profile.rank = rank.value_or(profile.ranks.front());
  if (std::find(profile.ranks.begin(), profile.ranks.end(), *profile.rank) == profile.ranks.end()) {
    return {StatusCode::kNotFound,
            path + ": there is nothing of rank " + std::to_string(*profile.rank)};
  }
  const std::string number = std::to_string(*profile.rank);
  bool has_trace = false;
  // The oldest name has no device in front.
  for (const char* start : {"ascend_", "gpu_", "cpu_", ""}) {
    has_trace =
        has_trace || folder.Trace(start + std::string("timeline_display_") + number + ".json");
  }
  ReadHostOperators(target, folder, number, has_trace);
  folder.Lines("step_trace_raw_" + number + "_detail_time.csv",
               [&](ByteWindow& window) { ReadStepTrace(window, target.builder, profile); });
  for (const std::string& name :
       {"step_trace_point_info_" + number + ".json", std::string("step_trace_point_info.json")}) {
    if (!folder.Has(name)) continue;
    folder.Text(name, [&](std::string_view text) {
      ReadStepPoints(text, profile);
      return Status();
    });
    break;
  }
  ReadData(target, folder, number);
  return NothingRead(target, path);
}

}  // namespace sightline::profile
