// RowsByRun: the rows of a table, which has them in any order, by the run that they belong to.
//
//   RowsByRun<Point> points(runs);
//   points.Add(run, {.step = 1});
//   points.ForEach(run, [](const Point& point) { ... });   // In the order of Add.
//
// The rows are in columns (column_memory.h), so a limit of memory holds. One thread. Private to
// this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sightline/base/memory/column_memory.h"

namespace sightline {

template <typename Row>
class RowsByRun {
 public:
  explicit RowsByRun(std::size_t runs = 0) : ends_(runs) {}

  // REQUIRES: run < the number of runs.
  void Add(std::size_t run, const Row& row) {
    const std::uint64_t at = rows_.size();
    Ends& ends = ends_[run];
    if (ends.first == kNone) {
      ends.first = at;
    } else {
      rows_[ends.last].next = at;
    }
    ends.last = at;
    rows_.push_back({row, kNone});
    MemoryLimit::Keep(at);
  }

  template <typename Use>
  void ForEach(std::size_t run, const Use& use) const {
    for (std::uint64_t at = ends_[run].first; at != kNone; at = rows_[at].next) {
      use(rows_[at].row);
      MemoryLimit::Keep(at);
    }
  }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  struct Linked {
    Row row;
    std::uint64_t next;  // Of the same run.
  };
  struct Ends {
    std::uint64_t first = kNone;
    std::uint64_t last = kNone;
  };

  ColumnVector<Linked> rows_;
  std::vector<Ends> ends_;
};

}  // namespace sightline
