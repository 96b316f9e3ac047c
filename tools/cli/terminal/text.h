// Text for people: tables, sizes, times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/text/printable.h"  // IWYU pragma: export
#include "sightline/tools/cli/terminal/terminal_output.h"

namespace sightline {

// Columns that a terminal needs for printable text; wide characters take two.
std::size_t DisplayWidth(std::string_view text);

// "1 record", "3 records", "1,234,567 records".
std::string Count(std::uint64_t count, std::string_view singular);
// The first `shown` of several: "accuracy, loss and 2 more", or with the noun "tag" "accuracy, loss
// and 2 more tags".
std::string Listed(std::span<const std::string> all, std::size_t shown, std::string_view noun = "");
// "2026-11-20 23:11:34 UTC" of seconds since the Unix epoch; "?" if the number is not a time.
std::string FormatTime(double seconds);

// Bold and coloured if `stream` is a terminal (CleanTerminals) and the user has not set NO_COLOR
// (no-color.org).
class Style {
 public:
  explicit Style(std::FILE* stream);
  std::string Bold(std::string_view text) const { return Wrap(StyleMark::kBold, text); }
  std::string Dim(std::string_view text) const { return Wrap(StyleMark::kDim, text); }
  std::string Red(std::string_view text) const { return Wrap(StyleMark::kRed, text); }
  std::string Green(std::string_view text) const { return Wrap(StyleMark::kGreen, text); }
  std::string Yellow(std::string_view text) const { return Wrap(StyleMark::kYellow, text); }

 private:
  std::string Wrap(StyleMark mark, std::string_view text) const;
  bool colours_;
};

// Columns as wide as their widest cell, two spaces apart.
class Table {
 public:
  enum class Align : std::uint8_t { kLeft, kRight };

  // A header cell and its column's alignment each. `indent`: spaces in front of every row.
  Table(const std::vector<std::pair<std::string, Align>>& columns, std::size_t indent);

  // As many cells as columns.
  void AddRow(std::vector<std::string> cells);
  // The header is dimmed; colours inside cells do not count for their width.
  std::string ToString(const Style& style) const;

 private:
  std::vector<Align> aligns_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;  // The first is the header.
};

}  // namespace sightline
