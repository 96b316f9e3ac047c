#include "sightline/profiler/import/mindspore/step_trace_file.h"

#include <optional>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/chrome/json_cursor.h"
#include "sightline/profiler/import/source/csv_rows.h"

namespace sightline::profiler {
namespace {

constexpr std::int64_t kNanosecondsPerCount = 10;

std::optional<std::int64_t> Count(std::string_view cell) {
  const auto count = ParseNumber<std::int64_t>(cell);
  if (!count || *count > kMaxTime / kNanosecondsPerCount ||
      *count < -kMaxTime / kNanosecondsPerCount)
    return std::nullopt;
  return *count * kNanosecondsPerCount;
}

struct CommunicationColumns {
  std::string name;
  std::size_t start = 0;
  std::size_t end = 0;
};

struct Columns {
  explicit Columns(const CsvRows& header)
      : number(header.FindColumn({"step_num"})),
        start(header.FindColumn({"start_point"})),
        end(header.FindColumn({"end_point"})),
        forward(header.FindColumn({"fp_point"})),
        backward(header.FindColumn({"bp_point"})) {
    constexpr std::string_view kStart = "_start_point";
    for (std::size_t i = 0; i < header.cells().size(); ++i) {
      const std::string_view title = header.cells()[i];
      if (!title.starts_with("stream_") || !title.ends_with(kStart)) continue;
      std::string name(title.substr(0, title.size() - kStart.size()));
      const std::string end_title = name + "_end_point";
      const std::size_t end_column = header.FindColumn({end_title});
      if (end_column == CsvRows::kNoColumn) continue;
      // Every step has this column.
      constexpr std::size_t kMaxName = 256;
      communication.push_back({name.substr(0, kMaxName), i, end_column});
    }
  }
  std::size_t number, start, end, forward, backward;
  std::vector<CommunicationColumns> communication;
};

std::optional<StepRecord> ParseStep(const CsvRows& row, const Columns& columns) {
  StepRecord step;
  const auto start = Count(row.cell(columns.start));
  const auto end = Count(row.cell(columns.end));
  const auto forward = Count(row.cell(columns.forward));
  if (!start || !end || !forward) return std::nullopt;
  step.start = *start;
  step.end = *end;
  step.forward_start = *forward;
  step.backward_end = Count(row.cell(columns.backward));
  for (const CommunicationColumns& one : columns.communication) {
    const auto from = Count(row.cell(one.start));
    const auto to = Count(row.cell(one.end));
    if (from && to) step.communication.push_back({one.name, *from, *to});
  }
  return step;
}

}  // namespace

void ReadStepTrace(ByteWindow& window, ModelBuilder& builder, Profile& profile) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const Columns columns(rows);
  while (rows.Next()) {
    auto step = ParseStep(rows, columns);
    const std::string_view number = rows.cell(columns.number);
    const auto parsed = ParseNumber<std::int64_t>(number);
    if (!step || (!parsed && number != "-")) {
      builder.NotUnderstand("a step without start, end and forward point", number);
      continue;
    }
    builder.CountEvent();
    // The last row is the mean: "-", or 0 in old files.
    if (parsed && *parsed != 0) {
      step->number = *parsed;
      profile.steps.push_back(*std::move(step));
    } else {
      profile.step_average = std::move(step);
    }
  }
}

void ReadStepPoints(std::string_view json, Profile& profile) {
  JsonCursor cursor(json);
  if (cursor.Peek() == '[') {
    cursor.Take('[');
    std::string_view first;
    if (!cursor.NextElement() || !cursor.Value(first)) return;
    json = first;
  }
  profile.forward_operator = Unescape(JsonField(json, "fp_start"));
  profile.backward_operator = Unescape(JsonField(json, "bp_end"));
}

}  // namespace sightline::profiler
