#include "sightline/profiler/export/mindspore_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/base/json_text.h"
#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"

namespace sightline::profile {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kNanosecondsPerCount = 10;
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;
constexpr int kStepsThread = 100'000;
constexpr int kHostProcess = 11'000;

std::string Dump(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// "1.000017" of 1,000,017 ns; exact.
std::string Milliseconds(std::int64_t nanos) {
  return fmt::format("{}.{:06}", nanos / kNanosecondsPerMillisecond,
                     nanos % kNanosecondsPerMillisecond);
}

std::string Microseconds(std::int64_t nanos) {
  const std::int64_t size = nanos < 0 ? -nanos : nanos;
  return fmt::format("{}{}.{:03}", nanos < 0 ? "-" : "", size / 1000, size % 1000);
}

// Names in these files end at a comma, a semicolon or a line's end.
std::string Cell(std::string_view text) {
  std::string cell(text.empty() ? "unknown" : text);
  for (char& letter : cell) {
    if (letter == ',' || letter == ';' || static_cast<unsigned char>(letter) < ' ') letter = '_';
  }
  return cell;
}

std::string_view LastPart(std::string_view name) { return name.substr(name.rfind('/') + 1); }

// "(32, 1) (6, 1)" or "32,1;6,1" -> "input_1:[32, 1];input_2:[6, 1];", which stays as it is.
std::string Inputs(std::string_view shapes) {
  if (shapes.starts_with("input_")) return std::string(shapes) + ";";
  std::string inputs;
  int number = 0;
  const char divider = shapes.find('(') != std::string_view::npos ? ')' : ';';
  while (!shapes.empty()) {
    const std::size_t end = shapes.find(divider);
    std::string shape(shapes.substr(0, end));
    shapes = end == std::string_view::npos ? std::string_view() : shapes.substr(end + 1);
    std::erase_if(shape, [](char c) { return (c < '0' || c > '9') && c != ',' && c != '-'; });
    if (shape.empty()) continue;
    std::string spaced;
    for (const char c : shape) spaced += c == ',' ? ", " : std::string(1, c);
    inputs += fmt::format("input_{}:[{}];", ++number, spaced);
  }
  return inputs;
}

struct Execution {
  std::size_t span = 0;
  std::size_t thread = 0;
};

// The operators of the range, by their full names, in the order of their first executions.
class Executions {
 public:
  Executions(const Model& model, TimeRange range) : model_(model) {
    const auto executes = [&](SpanKind kind, bool inferred) {
      if (inferred) {
        return kind == SpanKind::kOther || kind == SpanKind::kRuntime ||
               kind == SpanKind::kAnnotation;
      }
      return kind == SpanKind::kOperator || kind == SpanKind::kKernel ||
             kind == SpanKind::kCommunication;
    };
    const auto& kinds = model.spans.kind;
    const bool inferred = std::none_of(kinds.begin(), kinds.end(),
                                       [&](SpanKind kind) { return executes(kind, false); });
    std::map<LaneId, std::size_t> threads;
    for (std::size_t i = 0; i < model.spans.size(); ++i) {
      const std::int64_t start = model.spans.start[i];
      if (!executes(kinds[i], inferred) || start < range.from || start > range.to) continue;
      const std::size_t thread =
          threads.try_emplace(model.spans.lane[i], threads.size()).first->second;
      all.push_back({i, thread});
    }
    std::stable_sort(all.begin(), all.end(), [&](const Execution& a, const Execution& b) {
      return model.spans.start[a.span] < model.spans.start[b.span];
    });
    std::map<NameId, std::size_t> places;
    for (const Execution& one : all) {
      const auto [found, added] = places.try_emplace(model.spans.name[one.span], by_name.size());
      if (added) by_name.emplace_back();
      by_name[found->second].push_back(one);
      total = AddTimes(total, model.spans.duration[one.span]);
    }
    lanes = threads.size();
  }

  std::string NameOf(const Execution& one) const {
    return Cell(model_.names[model_.spans.name[one.span]]);
  }
  std::string TypeOf(const Execution& one) const {
    const NameId type = model_.spans.type[one.span];
    return type == kNoName ? NameOf(one) : Cell(model_.names[type]);
  }
  std::int64_t SumOf(const std::vector<Execution>& executions) const {
    std::int64_t sum = 0;
    for (const Execution& one : executions) sum = AddTimes(sum, model_.spans.duration[one.span]);
    return sum;
  }

  std::vector<Execution> all;
  std::vector<std::vector<Execution>> by_name;
  std::int64_t total = 0;
  std::size_t lanes = 0;

 private:
  const Model& model_;
};

double Share(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

std::string Details(const Executions& executions) {
  std::string text =
      "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_time(ms),"
      "total_proportion,subgraph,pid\n";
  for (const auto& of : executions.by_name) {
    const std::string name = executions.NameOf(of.front());
    const std::int64_t sum = executions.SumOf(of);
    text += fmt::format("Host,{},{},{},{},{},{},{:.6g},Default,0\n", executions.TypeOf(of.front()),
                        LastPart(name), name, of.size(), Milliseconds(sum),
                        Milliseconds(sum / static_cast<std::int64_t>(of.size())),
                        Share(sum, executions.total));
  }
  return text;
}

std::string Types(const Executions& executions, std::size_t steps) {
  std::map<std::string, std::pair<std::size_t, std::int64_t>> types;
  for (const auto& of : executions.by_name) {
    auto& [count, sum] = types[executions.TypeOf(of.front())];
    count += of.size();
    sum = AddTimes(sum, executions.SumOf(of));
  }
  std::string text =
      "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,avg_time(ms),"
      "percent\n";
  for (const auto& [type, sums] : types) {
    const auto& [count, sum] = sums;
    text +=
        fmt::format("{},{},{},{},{},{:.6g}\n", type, count, count / std::max<std::size_t>(steps, 1),
                    Milliseconds(sum), Milliseconds(sum / static_cast<std::int64_t>(count)),
                    Share(sum, executions.total));
  }
  return text;
}

std::string Timestamps(const Model& model, const Executions& executions) {
  std::string text;
  for (const auto& of : executions.by_name) {
    text += executions.NameOf(of.front()) + ";HostCpuOps;";
    for (const Execution& one : of) {
      fmt::format_to(std::back_inserter(text), "{},{},{} ", model.spans.start[one.span],
                     Milliseconds(model.spans.duration[one.span]), one.thread);
    }
    text += '\n';
  }
  return text;
}

// What an operator's span says of its shapes, or else the profile's list.
std::string Framework(const Profile& profile, const Executions& executions) {
  std::map<NameId, NameId> listed;
  for (const ListedOperator& one : profile.operators) listed[one.name] = one.shapes;
  const Model& model = profile.model;
  std::string text;
  for (const Execution& one : executions.all) {
    std::string shapes;
    const auto detail = ParseForeignJson<nlohmann::json>(model.names[model.spans.detail[one.span]]);
    if (detail.is_object() && detail.contains("shapes") && detail["shapes"].is_string())
      shapes = detail["shapes"].get<std::string>();
    if (const auto found = listed.find(model.spans.name[one.span]);
        shapes.empty() && found != listed.end())
      shapes = model.names[found->second];
    const std::string name = executions.NameOf(one);
    fmt::format_to(std::back_inserter(text), "{};{};0;{}\n", executions.TypeOf(one), LastPart(name),
                   Inputs(shapes));
  }
  return text;
}

std::string Timeline(const Model& model, const Executions& executions, const StepTable& steps) {
  ordered_json labels = ordered_json::array({{{"name", "process_labels"},
                                              {"ph", "M"},
                                              {"pid", kHostProcess},
                                              {"args", {{"labels", "Host CPU OP"}}}},
                                             {{"name", "thread_name"},
                                              {"ph", "M"},
                                              {"pid", 0},
                                              {"tid", kStepsThread},
                                              {"args", {{"name", "Steps"}}}}});
  std::string text = "[";
  for (const ordered_json& one : labels) text += (text.size() > 1 ? "," : "") + Dump(one);
  const auto add = [&](std::string_view name, const std::string& thread, int process,
                       std::int64_t start, std::int64_t duration) {
    fmt::format_to(
        std::back_inserter(text), R"(,{{"name":{},"ph":"X","pid":{},"tid":{},"ts":{},"dur":{}}})",
        Dump(ordered_json(name)), process, thread, Microseconds(start), Microseconds(duration));
  };
  if (steps.source != StepSource::kRecorded) {
    for (const Step& step : steps.steps)
      add(fmt::to_string(step.number), fmt::to_string(kStepsThread), 0, step.start, step.total());
  }
  for (const Execution& one : executions.all) {
    add(model.names[model.spans.name[one.span]], fmt::format("\"HostCpuOps{}\"", one.thread),
        kHostProcess, model.spans.start[one.span], model.spans.duration[one.span]);
  }
  return text + "]";
}

std::string TimelineSummary(const Executions& executions) {
  std::size_t depth = 0;
  for (const auto& of : executions.by_name) {
    const std::string name = executions.NameOf(of.front());
    depth = std::max<std::size_t>(
        depth, 1 + static_cast<std::size_t>(std::count(name.begin(), name.end(), '/')));
  }
  return Dump({{"total_time", static_cast<double>(executions.total) / 1e6},
               {"num_of_streams", executions.lanes},
               {"num_of_ops", executions.by_name.size()},
               {"op_exe_times", executions.all.size()},
               {"max_scope_name_num", depth}});
}

std::string StepTrace(const StepTable& table) {
  std::string text =
      "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n";
  const auto add = [&](const std::string& number, std::int64_t start, std::int64_t end,
                       std::int64_t forward, std::int64_t backward) {
    const auto counts = [](std::int64_t nanos) { return nanos / kNanosecondsPerCount; };
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", number, counts(start),
                   counts(end), counts(end) - counts(start), counts(forward), counts(backward),
                   counts(forward) - counts(start), counts(backward) - counts(forward),
                   counts(end) - counts(backward));
  };
  for (const Step& step : table.steps) {
    add(fmt::to_string(step.number), step.start, step.end, step.forward_start(),
        step.backward_end());
  }
  const StepMean mean = MeanOf(table.steps, false);
  const auto first = table.steps.front().start;
  const auto at = [&](double nanos) { return AddTimes(first, static_cast<std::int64_t>(nanos)); };
  add("-", first, at(mean.total), at(mean.gap), at(mean.gap + mean.work));
  return text;
}

std::string Pipeline(const DataPipeline& data) {
  ordered_json json = {{"op_info", ordered_json::array()},
                       {"sampling_interval", std::max<std::int64_t>(data.sampling_interval, 1)}};
  for (const PipelineOperator& one : data.operators) {
    ordered_json info = {{"op_id", one.id}, {"op_type", one.type}, {"num_workers", one.workers}};
    if (!one.children.empty()) info["children"] = one.children;
    info["metrics"] = nullptr;
    if (one.queue_capacity > 0) {
      info["metrics"] = {
          {"output_queue", {{"length", one.queue_capacity}, {"size", one.queue_sizes}}}};
    }
    json["op_info"].push_back(std::move(info));
  }
  return Dump(json);
}

std::string PipelineTable(const Profile& profile) {
  std::string text =
      "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"
      "output_queue_usage_rate,sample_interval,parent_id,children_id\n";
  const auto list = [](const std::vector<std::int64_t>& numbers) {
    return numbers.empty() ? "" : fmt::format("\"[{}]\"", fmt::join(numbers, ", "));
  };
  const DataReport report = DataPipelineOf(profile);
  for (const QueueUse& use : report.queues) {
    const PipelineOperator& one = *use.of;
    const std::string queue = use.usage ? fmt::format("{},{},{},{}", list(one.queue_sizes),
                                                      use.average, one.queue_capacity, *use.usage)
                                        : ",,,";
    text += fmt::format("{},{},{},{},{},{},{}\n", one.id, Cell(one.type), one.workers, queue,
                        std::max<std::int64_t>(profile.data.sampling_interval, 1),
                        one.parent ? fmt::to_string(*one.parent) : "", list(one.children));
  }
  return text;
}

std::string Batches(const std::vector<BatchRecord>& batches) {
  std::string text;
  const auto millis = [](std::int64_t nanos) { return nanos / kNanosecondsPerMillisecond; };
  for (const BatchRecord& one : batches) {
    const std::int64_t time = millis(one.time);
    text += fmt::format("0 1 {0} {1} {5}\n0 2 {0} {2} {5}\n0 0 {0} {3} {5}\n1 {6} {0} {4} {5}\n",
                        one.batch, millis(one.push), millis(one.total), millis(one.get),
                        one.queue_size, time, one.queue_capacity);
  }
  return text;
}

}  // namespace

std::vector<ExportedFile> ExportMindSpore(const Profile& profile, TimeRange range) {
  const std::int64_t rank = profile.rank.value_or(0);
  const Executions executions(profile.model, range);
  const StepTable steps = StepsOf(profile);
  std::vector<ExportedFile> files;
  const auto add = [&](std::string_view start, std::string_view end, std::string content) {
    files.push_back({fmt::format("{}{}{}", start, rank, end), std::move(content)});
  };
  add("profiler_info_", ".json",
      Dump({{"context_mode", "graph"},
            {"rank_id", fmt::to_string(rank)},
            {"rank_size", std::max<std::size_t>(profile.ranks.size(), 1)},
            {"ms_version", "2.0.0"},
            {"is_heterogeneous", false}}));
  if (!executions.all.empty()) {
    add("cpu_op_type_info_", ".csv", Types(executions, steps.steps.size()));
    add("cpu_op_detail_info_", ".csv", Details(executions));
    add("cpu_op_execute_timestamp_", ".txt", Timestamps(profile.model, executions));
    add("cpu_framework_", ".txt", Framework(profile, executions));
    add("cpu_timeline_display_", ".json", Timeline(profile.model, executions, steps));
    add("cpu_timeline_summary_", ".json", TimelineSummary(executions));
  }
  if (!steps.steps.empty()) {
    add("step_trace_raw_", "_detail_time.csv", StepTrace(steps));
    add("step_trace_point_info_", ".json",
        Dump({{"fp_start", steps.forward_operator}, {"bp_end", steps.backward_operator}}));
  }
  if (!profile.data.operators.empty()) {
    add("pipeline_profiling_", ".json", Pipeline(profile.data));
    add("minddata_pipeline_raw_", ".csv", PipelineTable(profile));
  }
  if (!profile.data.batches.empty())
    add("dataset_iterator_profiling_", ".txt", Batches(profile.data.batches));
  return files;
}

}  // namespace sightline::profile
