// Timeline: the spans of a profile as a picture of so many columns shows them. A span at least a
// column wide is there itself; narrower ones are counted in the column in which they start, with
// the share of each column that they cover. Every span of the range is in exactly one of the two.
//
//   Timeline timeline(profile.model);
//   for (const TimelineRow& row : timeline.Rows(lane, {from, to}, 1000, 16)) Draw(row);
//
// A range costs a few searches a column, however many spans it holds. Immutable; callable from any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::dashboard {

struct TimelineRow {
  // Narrow spans that start in a column (the first column also has one that began before it).
  struct Column {
    std::uint32_t column = 0;
    std::uint32_t count = 0;  // 0: only the end of one that is counted in the column before.
    double covered = 0;       // 0..1
  };
  std::vector<std::uint32_t> wide;  // Places in Model::spans, in the order of their starts.
  std::vector<Column> narrow;       // In the order of the columns.
};

class Timeline {
 public:
  // `model` must outlive it. Takes 5 bytes a span.
  explicit Timeline(const profile::Model& model);

  // One lane's rows from the outermost span inwards, at most `most` of them. The range holds its
  // start, not its end. REQUIRES: range.from < range.to, both IsTime; 0 < columns.
  std::vector<TimelineRow> Rows(std::size_t lane, profile::TimeRange range, std::uint32_t columns,
                                std::size_t most) const;

 private:
  static constexpr std::size_t kBlock = 16;

  TimelineRow RowOf(std::size_t begin, std::size_t end, profile::TimeRange range,
                    std::uint32_t columns) const;
  std::int64_t StartOf(std::size_t at) const { return model_.spans.start[order_[at]]; }
  std::int64_t EndOf(std::size_t at) const { return model_.spans.end(order_[at]); }
  // The first place in [begin, end) that starts at `time` or later, searched from `begin` on.
  std::size_t FirstFrom(std::size_t begin, std::size_t end, std::int64_t time) const;
  // Of the durations in [begin, end). Of spans that do not overlap it fits.
  std::uint64_t Sum(std::size_t begin, std::size_t end) const;

  const profile::Model& model_;
  std::vector<std::uint32_t> order_;     // Spans, row by row of lane by lane, each by start.
  std::vector<std::size_t> row_begins_;  // In order_; one more than there are rows.
  std::vector<std::size_t> lane_rows_;   // A lane's first row, one more than there are lanes.
  std::vector<std::uint64_t> sums_;      // Of all durations before each block, modulo 2^64.
};

}  // namespace sightline::dashboard
