#include "sightline/profiler/import/mindspore/mindspore_data.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/text_lines.h"

namespace sightline::profiler {
namespace {

using nlohmann::json;

constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

// The member, or null if `object` is not an object or lacks it.
const json& Member(const json& object, const char* key) {
  static const json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

std::optional<std::int64_t> Integer(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(kMaxTime)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

std::vector<std::int64_t> Integers(const json& array) {
  std::vector<std::int64_t> numbers;
  if (!array.is_array()) return numbers;
  for (const json& element : array) {
    if (const auto number = Integer(element)) numbers.push_back(*number);
  }
  return numbers;
}

Result<json> Parse(std::string_view text) {
  json parsed = ParseForeignJson<json>(text);
  if (parsed.is_discarded()) return Error(StatusCode::kDataLoss, "not JSON, or nested too deeply");
  return parsed;
}

bool ReadOperator(const json& from, PipelineOperator& to) {
  const auto id = Integer(Member(from, "op_id"));
  const json& type = Member(from, "op_type");
  if (!id || !type.is_string()) return false;
  to.id = *id;
  to.type = type.get<std::string>();
  to.workers = Integer(Member(from, "num_workers")).value_or(1);
  to.children = Integers(Member(from, "children"));
  const json& queue = Member(Member(from, "metrics"), "output_queue");
  to.queue_capacity = std::max<std::int64_t>(Integer(Member(queue, "length")).value_or(0), 0);
  to.queue_sizes = Integers(Member(queue, "size"));
  return true;
}

void SetParents(DataPipeline& data) {
  std::map<std::int64_t, std::int64_t> parents;
  for (const PipelineOperator& one : data.operators) {
    for (const std::int64_t child : one.children) parents[child] = one.id;
  }
  for (PipelineOperator& one : data.operators) {
    if (const auto found = parents.find(one.id); found != parents.end()) one.parent = found->second;
  }
}

double Mean(const std::vector<std::int64_t>& values) {
  double sum = 0;
  for (const std::int64_t value : values) sum += static_cast<double>(value);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::optional<std::int64_t> Milliseconds(std::string_view text) {
  const auto value = ParseNumber<std::int64_t>(text);
  if (!value || *value < 0 || *value > kMaxTime / kNanosecondsPerMillisecond) return std::nullopt;
  return *value * kNanosecondsPerMillisecond;
}

// The fields of a line, at most five.
struct Fields {
  explicit Fields(std::string_view line) {
    while (!line.empty() && count < texts.size()) {
      const std::string_view field = TakeField(line, ' ');
      if (!field.empty()) texts[count++] = field;
    }
  }
  std::array<std::string_view, 5> texts;
  std::size_t count = 0;
};

bool ReadBatchLine(std::string_view line, std::map<std::int64_t, BatchRecord>& batches) {
  const Fields fields(line);
  if (fields.count < 4) return false;  // The oldest files lack the time.
  const auto batch = ParseNumber<std::int64_t>(fields.texts[2]);
  if (!batch) return false;
  const auto time = Milliseconds(fields.texts[4]);
  if (fields.texts[0] == "1") {
    const auto capacity = ParseNumber<std::int64_t>(fields.texts[1]);
    const auto size = ParseNumber<std::int64_t>(fields.texts[3]);
    if (!capacity || !size || *capacity < 0 || *size < 0) return false;
    BatchRecord& record = batches[*batch];
    record.batch = *batch;
    record.queue_capacity = *capacity;
    record.queue_size = *size;
    record.time = time.value_or(0);
    return true;
  }
  const auto value = Milliseconds(fields.texts[3]);
  if (fields.texts[0] != "0" || !value) return false;
  BatchRecord& record = batches[*batch];
  record.batch = *batch;
  if (fields.texts[1] == "0") {
    record.get = *value;
  } else if (fields.texts[1] == "1") {
    record.push = *value;
  } else if (fields.texts[1] == "2") {
    record.total = *value;
  } else {
    return false;
  }
  if (time) record.time = *time;
  return true;
}

}  // namespace

Status ReadPipeline(std::string_view text, ModelBuilder& builder, DataPipeline& data) {
  SIGHTLINE_ASSIGN_OR_RETURN(const json parsed, Parse(text));
  data.sampling_interval = Integer(Member(parsed, "sampling_interval")).value_or(0);
  const json& operators = Member(parsed, "op_info");
  if (!operators.is_array()) return {StatusCode::kDataLoss, "the list \"op_info\" is missing"};
  for (const json& from : operators) {
    PipelineOperator to;
    if (!ReadOperator(from, to)) {
      builder.NotUnderstand("an operator without op_id and op_type", "");
      continue;
    }
    builder.CountEvent();
    data.operators.push_back(std::move(to));
  }
  SetParents(data);
  return {};
}

void ReadPipelineTable(ByteWindow& window, ModelBuilder& builder, DataPipeline& data) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t id = rows.FindColumn({"op_id"});
  const std::size_t type = rows.FindColumn({"op_type"});
  const std::size_t workers = rows.FindColumn({"num_workers"});
  const std::size_t sizes = rows.FindColumn({"output_queue_size"});
  const std::size_t capacity = rows.FindColumn({"output_queue_length"});
  const std::size_t interval = rows.FindColumn({"sample_interval"});
  const std::size_t children = rows.FindColumn({"children_id"});
  const auto list = [&](std::size_t column) {
    return Integers(ParseForeignJson<json>(rows.cell(column)));
  };
  while (rows.Next()) {
    const auto number = ParseNumber<std::int64_t>(rows.cell(id));
    if (!number || rows.cell(type).empty()) {
      builder.NotUnderstand("an operator without op_id and op_type", rows.cell(0));
      continue;
    }
    PipelineOperator one;
    one.id = *number;
    one.type = rows.cell(type);
    one.workers = ParseNumber<std::int64_t>(rows.cell(workers)).value_or(1);
    one.children = list(children);
    one.queue_sizes = list(sizes);
    one.queue_capacity =
        std::max<std::int64_t>(ParseNumber<std::int64_t>(rows.cell(capacity)).value_or(0), 0);
    data.sampling_interval =
        ParseNumber<std::int64_t>(rows.cell(interval)).value_or(data.sampling_interval);
    data.operators.push_back(std::move(one));
    builder.CountEvent();
  }
  SetParents(data);
}

Status ReadProcessorUse(std::string_view text, ModelBuilder& builder, DataPipeline& data) {
  SIGHTLINE_ASSIGN_OR_RETURN(const json parsed, Parse(text));
  data.cores = Integer(Member(parsed, "cpu_processor_num")).value_or(0);
  const std::size_t samples = Integers(Member(parsed, "time_stamp")).size();
  const json& machine = Member(parsed, "device_info");
  const auto idle = Integers(Member(machine, "idle_utilization"));
  const auto user = Integers(Member(machine, "user_utilization"));
  const auto system = Integers(Member(machine, "sys_utilization"));
  const std::size_t step = samples > 0 && idle.size() == 2 * samples ? 2 : 1;
  for (std::size_t i = 0; i * step < idle.size(); ++i) {
    const auto at = [&](const std::vector<std::int64_t>& of) { return i < of.size() ? of[i] : 0; };
    // The first sample is all zeros, since there is none before it to compare with.
    if (idle[i * step] != 0 || at(user) != 0 || at(system) != 0)
      data.machine_idle.push_back(idle[i * step]);
  }
  const json& operators = Member(parsed, "op_info");
  if (!operators.is_array()) return {};
  for (const json& from : operators) {
    const auto id = Integer(Member(from, "op_id"));
    const json& metrics = Member(from, "metrics");
    const auto found = std::find_if(data.operators.begin(), data.operators.end(),
                                    [&](const PipelineOperator& one) { return id == one.id; });
    if (!id || found == data.operators.end()) {
      builder.NotUnderstand("CPU use of an operator that is not in the pipeline", "");
      continue;
    }
    builder.CountEvent();
    found->cpu_percent = Mean(Integers(Member(metrics, "user_utilization"))) +
                         Mean(Integers(Member(metrics, "sys_utilization")));
  }
  return {};
}

void ReadBatches(ByteWindow& window, ModelBuilder& builder, DataPipeline& data) {
  std::map<std::int64_t, BatchRecord> batches;
  TextLines lines(window);
  for (std::string_view line; lines.Next(line);) {
    if (line.empty()) continue;
    if (ReadBatchLine(line, batches)) {
      builder.CountEvent();
    } else {
      builder.NotUnderstand("not a record of a batch", line);
    }
  }
  for (const auto& [number, batch] : batches) data.batches.push_back(batch);
}

void ReadGetNext(ByteWindow& window, ModelBuilder& builder, DataPipeline& data) {
  TextLines lines(window);
  for (std::string_view line; lines.Next(line);) {
    if (line.empty() || line.starts_with("node_name")) continue;
    const Fields fields(line);
    const auto size = ParseNumber<std::int64_t>(fields.texts[3]);
    if (!line.starts_with("GetNext") || !size || *size < 0) {
      builder.NotUnderstand("not a record of GetNext", line);
      continue;
    }
    data.get_next_sizes.push_back(*size);
    builder.CountEvent();
  }
}

}  // namespace sightline::profiler
