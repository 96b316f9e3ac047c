#include "sightline/profiler/import/ascend/device_tables.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

constexpr int kMicrosecondScale = 3;
constexpr int kMillisecondScale = 6;
constexpr double kMillion = 1e6;
constexpr std::size_t kMaxShapes = 4096;
constexpr std::size_t kMaxRank = 32;

// The column whose title begins with `start`, without regard to spaces and tabs.
std::size_t ColumnThatBegins(const CsvRows& header, std::string_view start) {
  for (std::size_t i = 0; i < header.cells().size(); ++i) {
    if (Trimmed(header.cells()[i]).starts_with(start)) return i;
  }
  return CsvRows::kNoColumn;
}

std::optional<std::int64_t> Times(std::int64_t duration, std::uint64_t count) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(duration, count, &product) || !IsTime(product)) return std::nullopt;
  return product;
}

struct Row {
  std::string_view name;
  std::string_view type;
  std::optional<std::uint64_t> count;
  std::optional<std::int64_t> total;
};

void AddRow(const Row& row, ModelBuilder& builder, OperatorList& operators) {
  if (row.name.empty() || !row.count || !row.total) {
    builder.NotUnderstand("a row without name, count and time", row.name);
    return;
  }
  ListedOperator& listed = operators.FindOrAdd(builder.Intern(row.name));
  listed.type =
      builder.Intern(row.type.empty() ? OperatorTypeFromName(row.name) : Trimmed(row.type));
  listed.count += *row.count;
  listed.total = AddTimes(listed.total, *row.total);
  builder.CountEvent();
}

// {"input_0": {"shape": "32,3"}, "input_1": {"shape": [1]}, "output_0": ...} -> "32,3;1".
std::string InputShapesIn(std::string_view text) {
  const auto info = ParseForeignJson<nlohmann::json>(text);
  std::string shapes;
  if (!info.is_object()) return shapes;
  for (std::size_t i = 0;; ++i) {
    const auto found = info.find("input_" + std::to_string(i));
    if (found == info.end() || !found->is_object() || shapes.size() > kMaxShapes) return shapes;
    const auto shape = found->find("shape");
    if (i > 0) shapes += ';';
    if (shape == found->end()) continue;
    if (shape->is_string()) shapes += shape->get<std::string>();
    if (!shape->is_array()) continue;
    for (std::size_t j = 0; j < shape->size() && j < kMaxRank; ++j) {
      if (j > 0) shapes += ',';
      if ((*shape)[j].is_number()) shapes += (*shape)[j].dump();
    }
  }
}

}  // namespace

void ReadOperatorStatistic(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"OP Type", "Op Type", "API Name"});
  const std::size_t type = rows.FindColumn({"OP Type", "Op Type", "Level"});
  const std::size_t count = rows.FindColumn({"Count"});
  const std::size_t total = rows.FindColumn({"Total Time(us)", "Time(us)"});
  while (rows.Next()) {
    AddRow({rows.cell(name), rows.cell(type), ParseNumber<std::uint64_t>(Trimmed(rows.cell(count))),
            ParseDuration(rows.cell(total), kMicrosecondScale)},
           builder, operators);
  }
}

void ReadAicoreDetails(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name =
      rows.FindColumn({"full_op_name", "full_kernel_name", "full_kernel_time"});
  const std::size_t time = rows.FindColumn({"execution_time"});
  // The oldest files lack this column.
  const std::size_t frequency = rows.FindColumn({"execution_frequency"});
  while (rows.Next()) {
    const auto count = frequency == CsvRows::kNoColumn
                           ? std::optional<std::uint64_t>(1)
                           : ParseNumber<std::uint64_t>(rows.cell(frequency));
    const auto each = ParseDuration(rows.cell(time), kMillisecondScale);
    AddRow({rows.cell(name), {}, count, each && count ? Times(*each, *count) : std::nullopt},
           builder, operators);
  }
}

void ReadAicpu(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t type = rows.FindColumn({"op_type", "kernel_type"});
  const std::size_t total = rows.FindColumn({"total_time"});
  while (rows.Next()) {
    AddRow(
        {rows.cell(type), rows.cell(type), 1, ParseDuration(rows.cell(total), kMillisecondScale)},
        builder, operators);
  }
}

void ReadGpuOperators(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"op_full_name", "full_op_name"});
  const std::size_t type = rows.FindColumn({"op_type"});
  const std::size_t count = rows.FindColumn({"op_occurrences"});
  const std::size_t total = rows.FindColumn({"op_total_time(us)", "total_time(us)"});
  while (rows.Next()) {
    AddRow({rows.cell(name), rows.cell(type), ParseNumber<std::uint64_t>(rows.cell(count)),
            ParseDuration(rows.cell(total), kMicrosecondScale)},
           builder, operators);
  }
}

void ReadKernelShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"full_op_name", "full_kernel_name"});
  const std::size_t type = rows.FindColumn({"op_type", "kernel_type"});
  const std::size_t info = rows.FindColumn({"op_info"});
  while (rows.Next()) {
    if (rows.cell(name).empty()) {
      builder.NotUnderstand("a kernel without a name", rows.cell(0));
      continue;
    }
    builder.CountEvent();
    ListedOperator* listed = operators.Find(builder.Intern(rows.cell(name)));
    if (listed == nullptr) continue;
    if (!rows.cell(type).empty()) listed->type = builder.Intern(rows.cell(type));
    listed->shapes = builder.Intern(InputShapesIn(rows.cell(info)));
  }
}

void ReadInputShapes(ByteWindow& window, ModelBuilder& builder, OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = rows.FindColumn({"Name"});
  const std::size_t shapes = rows.FindColumn({"Input Shapes"});
  while (rows.Next()) {
    if (rows.cell(name).empty()) {
      builder.NotUnderstand("an operator without a name", rows.cell(shapes));
      continue;
    }
    builder.CountEvent();
    ListedOperator* listed = operators.Find(builder.Intern(rows.cell(name)));
    if (listed != nullptr && listed->shapes == kNoName && rows.cell(shapes).size() <= kMaxShapes)
      listed->shapes = builder.Intern(rows.cell(shapes));
  }
}

void ReadFlops(ByteWindow& window, ModelBuilder& builder, std::vector<OperatorFlops>& flops) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t name = ColumnThatBegins(rows, "full_");
  const std::size_t older = ColumnThatBegins(rows, "op_full_name");
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < rows.cells().size(); ++i) {
    const std::string_view title = Trimmed(rows.cells()[i]);
    if (title.starts_with("MFLOPs") || title == "FLOPs" || title.starts_with("FLOPs("))
      parts.push_back(i);
  }
  while (rows.Next()) {
    const std::string_view full = Trimmed(rows.cell(name != CsvRows::kNoColumn ? name : older));
    double sum = 0;
    bool sound = !full.empty() && !parts.empty();
    for (const std::size_t part : parts) {
      const auto value = ParseNumber<double>(Trimmed(rows.cell(part)));
      sound = sound && value && *value >= 0;
      if (sound) sum += *value * kMillion;
    }
    if (!sound) {
      builder.NotUnderstand("a row without name and FLOPs", rows.cell(0));
      continue;
    }
    flops.push_back({builder.Intern(full), sum});
    if (const std::size_t slash = full.rfind('/'); slash != std::string_view::npos)
      flops.push_back({builder.Intern(full.substr(slash + 1)), sum});
    builder.CountEvent();
  }
}

}  // namespace sightline::profiler
