#include "sightline/profiler/import/mindspore/mindspore_operators.h"

#include <optional>
#include <string>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"
#include "sightline/profiler/import/source/text_lines.h"

namespace sightline::profiler {
namespace {

constexpr int kMillisecondScale = 6;
constexpr int kMicrosecondScale = 3;
constexpr std::size_t kMaxShapes = 4096;
constexpr double kKilobyte = 1024;

struct Execution {
  std::int64_t start = 0;
  std::int64_t duration = 0;
  std::string_view thread;
};

std::optional<Execution> ParseExecution(std::string_view text) {
  const auto start = ParseDecimal(TakeField(text, ','), 0);
  const auto duration = ParseDuration(TakeField(text, ','), kMillisecondScale);
  if (!start || !IsTime(*start) || !duration || text.empty()) return std::nullopt;
  return Execution{*start, *duration, text};
}

}  // namespace

ListedOperator& OperatorList::FindOrAdd(NameId name) {
  const auto [found, added] =
      places_.try_emplace(static_cast<std::uint32_t>(name), operators_.size());
  if (added) {
    operators_.emplace_back();
    operators_.back().name = name;
  }
  return operators_[found->second];
}

void OperatorList::AddExecution(NameId name, NameId type, NameId shapes, std::int64_t duration) {
  ListedOperator& listed = FindOrAdd(name);
  listed.type = type;
  if (listed.count == 0) listed.shapes = shapes;
  if (listed.shapes != shapes) listed.shapes = kNoName;
  ++listed.count;
  listed.total = AddTimes(listed.total, duration);
}

ListedOperator* OperatorList::Find(NameId name) {
  const auto found = places_.find(static_cast<std::uint32_t>(name));
  return found == places_.end() ? nullptr : &operators_[found->second];
}

std::string_view OperatorTypeFromName(std::string_view name) {
  std::string_view last = name.substr(name.rfind('/') + 1);
  const std::size_t end = last.rfind("-op");
  if (end == std::string_view::npos || end == 0) return name;
  const std::string_view number = last.substr(end + 3);
  if (number.empty() || number.find_first_not_of("0123456789_") != std::string_view::npos)
    return name;
  return last.substr(0, end);
}

void ReadExecutionTimes(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                        OperatorList& operators) {
  TextLines lines(window);
  for (std::string_view line; lines.Next(line);) {
    if (line.empty()) continue;
    std::string_view rest = line;
    const NameId name = builder.Intern(TakeField(rest, ';'));
    TakeField(rest, ';');
    if (name == kNoName || rest.empty()) {
      builder.NotUnderstand("an operator without executions", line);
      continue;
    }
    const NameId type = builder.Intern(OperatorTypeFromName(builder.Name(name)));
    ListedOperator& listed = operators.FindOrAdd(name);
    listed.type = type;
    while (!rest.empty()) {
      const std::string_view field = TakeField(rest, ' ');
      if (field.empty()) continue;
      const auto execution = ParseExecution(field);
      if (!execution) {
        builder.NotUnderstand("an execution without start, duration and thread", field);
        continue;
      }
      builder.CountEvent();
      ++listed.count;
      listed.total = AddTimes(listed.total, execution->duration);
      if (!add_spans) continue;
      const LaneId lane = builder.AddLane("CPU OP", execution->thread);
      builder.AddSpan({.start = execution->start,
                       .duration = execution->duration,
                       .name = name,
                       .type = type,
                       .lane = lane,
                       .kind = SpanKind::kOperator});
    }
  }
}

void ReadOperatorDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"full_op_name"});
  const std::size_t type = rows.FindColumn({"op_type"});
  const std::size_t count = rows.FindColumn({"op_occurrences"});
  const std::size_t total = rows.FindColumn({"op_total_time(ms)"});
  while (rows.Next()) {
    const auto occurrences = ParseNumber<std::uint64_t>(rows.cell(count));
    const auto time = ParseDuration(rows.cell(total), kMillisecondScale);
    if (!occurrences || !time || rows.cell(name).empty()) {
      builder.NotUnderstand("a row without name, occurrences and time", rows.cell(0));
      continue;
    }
    ListedOperator& listed = operators.FindOrAdd(builder.Intern(rows.cell(name)));
    listed.type = builder.Intern(rows.cell(type));
    listed.count += *occurrences;
    listed.total = AddTimes(listed.total, *time);
    builder.CountEvent();
  }
}

void ReadOperatorShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  // The file has only the last part of an operator's name, which several operators may share.
  std::unordered_map<std::string, std::string> shapes;
  TextLines lines(window);
  for (std::string_view line; lines.Next(line);) {
    if (line.empty()) continue;
    std::string_view rest = line;
    const std::string_view type = TakeField(rest, ';');
    const std::string_view name = TakeField(rest, ';');
    TakeField(rest, ';');  // The graph.
    if (type.empty() || name.empty()) {
      builder.NotUnderstand("an execution without type and name", line);
      continue;
    }
    builder.CountEvent();
    while (rest.ends_with(';')) rest.remove_suffix(1);
    if (rest.size() > kMaxShapes) continue;
    const auto [found, added] = shapes.try_emplace(std::string(name), rest);
    if (!added && found->second != rest) found->second.clear();  // Two operators, or two shapes.
  }
  for (ListedOperator& listed : operators.all()) {
    const std::string_view full = builder.Name(listed.name);
    const auto found = shapes.find(std::string(full.substr(full.rfind('/') + 1)));
    if (found != shapes.end()) listed.shapes = builder.Intern(found->second);
  }
}

void ReadMemoryRecord(ByteWindow& window, ModelBuilder& builder) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t time = rows.FindColumn({"Timestamp(ns)"});
  const std::size_t allocated = rows.FindColumn({"Total Allocated(Byte)"});
  const std::size_t reserved = rows.FindColumn({"Total Reserved(Byte)"});
  const LaneId lane = builder.AddLane("memory", "");
  const NameId allocated_name = builder.Intern("memory allocated");
  const NameId reserved_name = builder.Intern("memory reserved");
  while (rows.Next()) {
    const auto at = ParseDecimal(rows.cell(time), 0);
    const auto bytes = ParseNumber<double>(rows.cell(allocated));
    if (!at || !IsTime(*at) || !bytes) {
      builder.NotUnderstand("a row without time and bytes", rows.cell(0));
      continue;
    }
    builder.AddCounter(lane, allocated_name, *at, *bytes);
    if (const auto all = ParseNumber<double>(rows.cell(reserved)))
      builder.AddCounter(lane, reserved_name, *at, *all);
    builder.CountEvent();
  }
}

void ReadMemoryRecordCsv(ByteWindow& window, double megabyte, ModelBuilder& builder) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t component = rows.FindColumn({"Component"});
  const std::size_t time = rows.FindColumn({"Timestamp(us)"});
  const std::size_t allocated = rows.FindColumn({"Total Allocated(MB)", "Total Allocated(KB)"});
  const std::size_t reserved = rows.FindColumn({"Total Reserved(MB)", "Total Reserved(KB)"});
  const std::size_t device = rows.FindColumn({"Device Type", "Device"});
  const bool in_kilobytes = rows.FindColumn({"Total Reserved(KB)"}) != CsvRows::kNoColumn;
  const double unit = in_kilobytes ? kKilobyte : megabyte;
  while (rows.Next()) {
    const auto at = ParseDecimal(rows.cell(time), kMicrosecondScale);
    const auto all = ParseNumber<double>(rows.cell(reserved));
    if (!at || !IsTime(*at) || !all) {
      builder.NotUnderstand("a row without time and reserved memory", rows.cell(0));
      continue;
    }
    const std::string of =
        std::string(rows.cell(component)) + ", " + std::string(rows.cell(device));
    const LaneId lane = builder.AddLane("memory", of);
    builder.AddCounter(lane, builder.Intern("memory reserved, " + of), *at, *all * unit);
    if (const auto used = ParseNumber<double>(rows.cell(allocated)))
      builder.AddCounter(lane, builder.Intern("memory allocated, " + of), *at, *used * unit);
    builder.CountEvent();
  }
}

void ReadOperatorMemory(ByteWindow& window, ModelBuilder& builder,
                        std::vector<Allocation>& allocations) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"Name"});
  const std::size_t size = rows.FindColumn({"Size(KB)"});
  const std::size_t time = rows.FindColumn({"Allocation Time(us)"});
  const std::size_t released = rows.FindColumn({"Release Time(us)"});
  const std::size_t duration = rows.FindColumn({"Duration(us)"});
  while (rows.Next()) {
    const auto kilobytes = ParseNumber<double>(rows.cell(size));
    const auto at = ParseDecimal(rows.cell(time), kMicrosecondScale);
    if (!kilobytes || !(*kilobytes >= 0) || !at || !IsTime(*at)) {
      builder.NotUnderstand("an allocation without size and time", rows.cell(0));
      continue;
    }
    Allocation allocation;
    allocation.name = builder.Intern(rows.cell(name));
    allocation.bytes = *kilobytes * kKilobyte;
    allocation.time = *at;
    allocation.released = ParseDecimal(rows.cell(released), kMicrosecondScale);
    if (released == CsvRows::kNoColumn) {
      const auto held = ParseDuration(rows.cell(duration), kMicrosecondScale);
      if (held) allocation.released = *at + *held;
    }
    allocations.push_back(allocation);
    builder.CountEvent();
  }
}

}  // namespace sightline::profiler
