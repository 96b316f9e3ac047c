#include "sightline/export/runs/csv.h"

#include <fmt/format.h>

#include <cmath>

#include "sightline/base/utf8.h"

namespace sightline {

std::string CsvField(std::string_view text, CsvText form) {
  std::string field = ToUtf8(text);
  constexpr std::string_view kFormulas = "=+-@\t\r";
  if (form == CsvText::kForSpreadsheets && !field.empty() &&
      kFormulas.find(field.front()) != std::string_view::npos)
    field.insert(0, 1, '\'');
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + "\"";
}

// fmt's shortest form reads back as the same double; a NaN's sign says nothing.
std::string CsvNumber(double value) { return std::isnan(value) ? "nan" : fmt::to_string(value); }

std::string CsvTime(double wall_time) { return std::isnan(wall_time) ? "" : CsvNumber(wall_time); }

std::string ScalarCsvRow(const EventView& event, const ValueView& value, CsvText text) {
  return fmt::format("{},{},{},{}\r\n", event.step, CsvTime(event.wall_time),
                     CsvField(value.tag, text), CsvNumber(value.scalar));
}

Status WriteScalarCsv(EventReader& reader, const ScalarCsvOptions& options,
                      const std::function<Status(std::string_view row)>& write) {
  for (std::uint64_t rows = 0; rows < options.limit;) {
    const ReadOutcome outcome = reader.Next();
    if (outcome == ReadOutcome::kEnd) break;
    if (outcome == ReadOutcome::kError) return reader.status();
    for (const ValueView& value : reader.event().values) {
      if (value.kind != ContentKind::kScalar) continue;
      if (options.tag_filter && !options.tag_filter(value.tag)) continue;
      if (rows == options.limit) break;
      SIGHTLINE_RETURN_IF_ERROR(write(ScalarCsvRow(reader.event(), value, options.text)));
      ++rows;
    }
  }
  return {};
}

}  // namespace sightline
