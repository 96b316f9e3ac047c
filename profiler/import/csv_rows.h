// Rows of a CSV file (RFC 4180), one after the other.
//
//   CsvRows rows(window);
//   while (rows.Next()) use(rows.cells());
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/byte_window.h"

namespace sightline::profile {

class CsvRows {
 public:
  explicit CsvRows(ByteWindow& window) : window_(window) {}

  // The next row that is not empty; false at the end. The last row need not end.
  bool Next();
  // Without quotes. Valid until the next call.
  const std::vector<std::string_view>& cells() const { return cells_; }
  // The cell of a column, empty where the row is too short or the column is kNoColumn.
  std::string_view cell(std::size_t column) const {
    return column < cells_.size() ? cells_[column] : std::string_view();
  }
  const Status& status() const { return window_.status(); }

  static constexpr std::size_t kNoColumn = ~std::size_t{0};
  // The column with one of these names in the current row, which is the header.
  std::size_t ColumnOf(std::initializer_list<std::string_view> names) const;

 private:
  // Fills cells_ from `text`; the bytes that the row takes, 0 where it does not end in it.
  std::size_t Split(std::string_view text, bool is_all);

  ByteWindow& window_;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  // Cells with doubled quotes.
};

}  // namespace sightline::profile
