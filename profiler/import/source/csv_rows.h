// CsvRows: reads the rows of a CSV file (RFC 4180), one after the other.
//
//   CsvRows rows(window);
//   while (rows.Next()) use(rows.cells());
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/source/byte_window.h"

namespace sightline::profiler {

class CsvRows {
 public:
  explicit CsvRows(ByteWindow& window) : window_(window) {}

  // Moves to the next row that is not empty; false at the end. The last row may lack its line end.
  bool Next();
  // The cells of the row, without quotes. Valid until the next call of Next.
  const std::vector<std::string_view>& cells() const { return cells_; }
  // The cell of a column; empty if the row is too short, or the column is kNoColumn.
  std::string_view cell(std::size_t column) const {
    return column < cells_.size() ? cells_[column] : std::string_view();
  }
  const Status& status() const { return window_.status(); }

  static constexpr std::size_t kNoColumn = ~std::size_t{0};
  // The column with one of these names, if the current row is the header; else kNoColumn.
  std::size_t FindColumn(std::initializer_list<std::string_view> names) const;

 private:
  // Fills cells_ from `text`. Returns how many bytes the row takes; 0 if it does not end in `text`.
  std::size_t Split(std::string_view text, bool is_all);

  ByteWindow& window_;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // Cells with doubled quotes.
};

}  // namespace sightline::profiler
