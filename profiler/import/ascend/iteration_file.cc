#include "sightline/profiler/import/ascend/iteration_file.h"

#include <optional>
#include <string>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/ascend/kernel_details.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

constexpr int kMicrosecondScale = 3;

struct Columns {
  explicit Columns(const CsvRows& header)
      : number(header.FindColumn({"Iteration ID"})),
        end(header.FindColumn({"Iteration End(us)"})),
        time(header.FindColumn({"Iteration Time(us)"})),
        device(header.FindColumn({"Device_id"})),
        model(header.FindColumn({"Model ID"})) {}
  std::size_t number, end, time, device, model;
};

std::optional<NewSpan> IterationIn(const CsvRows& row, const Columns& columns) {
  const auto end = ParseDecimal(row.cell(columns.end), kMicrosecondScale);
  const auto time = ParseDuration(row.cell(columns.time), kMicrosecondScale);
  if (!end || !time || !IsTime(*end) || !IsTime(*end - *time)) return std::nullopt;
  NewSpan span;
  span.start = *end - *time;
  span.duration = *time;
  span.kind = SpanKind::kStep;
  return span;
}

}  // namespace

void ReadIterations(ByteWindow& window, ModelBuilder& builder) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const Columns columns(rows);
  const bool has_steps = builder.has_steps();
  std::optional<std::string> first;  // The device and model of the first row.
  while (rows.Next()) {
    const auto number = ParseNumber<std::int64_t>(rows.cell(columns.number));
    auto span = IterationIn(rows, columns);
    if (!number || !span) {
      builder.NotUnderstand("an iteration without number, end and time", rows.cell(0));
      continue;
    }
    std::string owner(rows.cell(columns.device));
    owner.append(",").append(rows.cell(columns.model));
    if (!first) first = owner;
    if (owner != *first) {
      builder.NotUnderstand("an iteration of another device or model than the first", owner);
      continue;
    }
    builder.CountEvent();
    if (has_steps) continue;
    span->name = builder.Intern("step " + std::to_string(*number));
    span->lane = StepLane(rows.cell(columns.device), builder);
    builder.AddSpan(*span);
  }
}

}  // namespace sightline::profiler
