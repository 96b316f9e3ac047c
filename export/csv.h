// Scalars as CSV (RFC 4180): a table for spreadsheets and pandas, one row a value.
//
//   step,wall_time,tag,value
//   3,1795189336.1,loss,0.5
//
// - Rows end in CR LF. A tag with a comma, a quote or a line break stands in quotes, its quotes
//   doubled; text that is not UTF-8 has U+FFFD in place of what is wrong.
// - wall_time is in Unix seconds. Both numbers have as many digits as it takes to read the same
//   float64 back: a float32 of a file is exact, 0.1 is 0.10000000149011612. What is no number is
//   nan, inf or -inf.
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

// The first row.
inline constexpr std::string_view kScalarCsvHeader = "step,wall_time,tag,value\r\n";

struct ScalarCsvOptions {
  // Only values whose tag it accepts; empty: every scalar.
  std::function<bool(std::string_view tag)> tag_filter;
  // Rows at most.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

// REQUIRES: value.kind is kScalar, and it is one of the event.
std::string ScalarCsvRow(const EventView& event, const ValueView& value);

// A row for each scalar that `reader` still has, in the order of the file, without the header.
// Errors: those of the file, and the first one of `write`.
Status WriteScalarCsv(EventReader& reader, const ScalarCsvOptions& options,
                      const std::function<Status(std::string_view row)>& write);

}  // namespace sightline
