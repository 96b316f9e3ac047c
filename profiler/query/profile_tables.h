// The tables of profile_sql.h, row by row.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sightline/profiler/model/model.h"
#include "sightline/profiler/query/profile_sql.h"

namespace sightline::profiler {

// How long the spans of one name last.
struct NameUse {
  NameId name = kNoName;
  std::size_t count = 0;
  std::int64_t total = 0;
  std::int64_t least = 0, lower = 0, median = 0, upper = 0, most = 0;  // With both quartiles.
};

// What the rows of the tables are taken from. What has to be sorted is sorted when it is asked for.
class ProfileRows {
 public:
  explicit ProfileRows(const Model& model);

  const Model& model() const { return model_; }
  std::int64_t since_start(std::int64_t time) const { return time - from_; }
  // The spans in the order of their names' bytes, those without a name first.
  const std::vector<std::uint32_t>& ByName();
  const std::vector<NameUse>& Uses();
  // The counter of this value, and its place in it.
  std::pair<const Counter*, std::size_t> CounterValue(std::size_t row) const;
  std::size_t counter_values() const { return counter_ends_.empty() ? 0 : counter_ends_.back(); }

 private:
  const Model& model_;
  std::int64_t from_ = 0;
  std::vector<std::size_t> counter_ends_;  // Values of the counters up to this one.
  std::vector<std::uint32_t> by_name_;
  std::vector<NameUse> uses_;
};

// One table of SqlTables.
struct TableRows {
  SqlTable table;
  std::size_t (*count)(ProfileRows& rows) = nullptr;
  // Gives the value of a column to SQLite.
  void (*value)(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) = nullptr;
  int name_column = -1;  // Rows can be given in its order; -1: in none.
};

std::span<const TableRows> AllTables();

}  // namespace sightline::profiler
