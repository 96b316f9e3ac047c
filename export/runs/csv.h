// Scalars as CSV (RFC 4180): a table for spreadsheets and pandas, one row a value.
//
//   step,wall_time,tag,value
//   3,1795189336.1,loss,0.5
//
// - Rows end in CR LF. A tag with a comma, a quote or a line break is put in quotes, and its quotes
//   are doubled. Bytes that are not UTF-8 become U+FFFD.
// - wall_time is in Unix seconds, and empty if it is unknown. Both numbers read back as exactly the
//   same float64: a float32 of 0.1 is written as 0.10000000149011612. Numbers that are not finite
//   are nan, inf or -inf.
//
// Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline {

// A spreadsheet runs a text that begins with = + - @, a tab or a carriage return as a formula,
// which may read other files or send what is in the table.
enum class CsvText {
  kAsItIs,
  kForSpreadsheets,  // Such a text gets an apostrophe in front. Numbers stay.
};

// The cell of a text, in quotes if it needs them, that of a number, and that of a time.
std::string CsvField(std::string_view text, CsvText form = CsvText::kAsItIs);
std::string CsvNumber(double value);
std::string CsvTime(double wall_time);

// The first row.
inline constexpr std::string_view kScalarCsvHeader = "step,wall_time,tag,value\r\n";

struct ScalarCsvOptions {
  // Only values whose tag it accepts; empty: every scalar.
  std::function<bool(std::string_view tag)> tag_filter;
  // At most so many rows.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  CsvText text = CsvText::kAsItIs;
};

// REQUIRES: value.kind is kScalar, and the value belongs to the event.
std::string ScalarCsvRow(const EventView& event, const ValueView& value,
                         CsvText text = CsvText::kAsItIs);

// Writes a row for each scalar that `reader` still has, in the order of the file, without the
// header. Errors: those of the file, and the first one of `write`.
Status WriteScalarCsv(EventReader& reader, const ScalarCsvOptions& options,
                      const std::function<Status(std::string_view row)>& write);

}  // namespace sightline
