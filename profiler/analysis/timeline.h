// A timeline at any zoom: what a window of so many columns shows of a lane.
//
// A span that is at least a column wide is given exactly. Of narrower ones each column has their
// number and how long they ran, so that nothing is invented and nothing vanishes: of every row,
// spans.size() + the counts of its cells are the spans that lie in the range, in part or whole.
//
//   const TimelineIndex index(model);
//   for (const TimelineRow& row : index.Look(lane, {from, to}, 2000)) ...;   // As often as asked.
//
// The work of a look is bounded by its columns: where there are more spans than a few a column,
// they are looked up, not counted. For that a row has as many grid lines as spans, evenly over its
// time, each with what began and ran before it, and every fourth and sixteenth of them once more,
// side by side: what a look needs should lie close together. A column's edge is moved to the
// nearest line, by an eighth of a column at most; where the lines lie too far apart for that, the
// spans are searched for, in blocks. The longest spans of a row stand in lists of their own as
// well, so that those wider than a column are found without a look at the others. Immutable once
// built: any number of threads may look.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profile {

// What of a column's narrow spans is in it. Columns in which none runs have no cell.
struct TimelineCell {
  std::uint32_t column = 0;
  std::uint32_t count = 0;   // That begin in it; in the first column also what began before it.
  std::int64_t covered = 0;  // Nanoseconds of the column in which one of them runs.

  bool operator==(const TimelineCell&) const = default;
};

// Spans of a lane of the same depth, which do not overlap.
struct TimelineRow {
  std::vector<std::size_t> spans;   // Of a column's width or more; of Model::spans, by start.
  std::vector<TimelineCell> cells;  // By column.
};

// The columns that divide [from, to): column i is [edges[i], edges[i + 1]). Their widths differ by
// a nanosecond at most. No edges for an empty range or no columns; a column a nanosecond where
// there are more columns than nanoseconds.
std::vector<std::int64_t> ColumnEdges(const TimeRange& range, std::uint32_t columns);

class TimelineIndex {
 public:
  // Of this model, which must outlive the index.
  explicit TimelineIndex(const Model& model);

  // The rows of the lane, by depth, those with nothing in the range [from, to) too; at most `most`
  // of them, from the outermost on. None where ColumnEdges has none.
  std::vector<TimelineRow> Look(LaneId lane, const TimeRange& range, std::uint32_t columns,
                                std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  // Memory that the index holds beside the model, in bytes.
  std::size_t bytes() const;

 private:
  // A span, with what a look needs of it side by side.
  struct LongSpan {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::uint32_t span = 0;
  };
  // All spans of a row of this duration or more, by start.
  struct LongList {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    ColumnVector<LongSpan> spans;
  };
  static constexpr std::size_t kLongLists = 4;
  // What began and ran before a grid line; packed, since there is one for each span.
  struct [[gnu::packed]] GridLine {
    std::int64_t covered = 0;
    std::uint32_t next = 0;
  };
  struct Block {
    std::int64_t start = 0;    // Of its first span.
    std::int64_t covered = 0;  // Sum of the durations of the row's spans before it.
  };
  // Grids of every line, every 4th and every 16th.
  static constexpr std::size_t kGrids = 3;
  static constexpr std::size_t kGridShift = 2;
  // Spans that do not overlap, by start: order_[first, first + count). As many grid lines, at
  // begin + i * spacing.
  struct Row {
    std::size_t first = 0;
    std::size_t count = 0;
    std::int64_t begin = 0;
    std::int64_t spacing = 1;
    std::array<ColumnVector<GridLine>, kGrids> grids;
    ColumnVector<Block> blocks;
    ColumnVector<std::int64_t> longest_in_block, longest_in_group;
    std::array<LongList, kLongLists> longest;  // Of at most a 16th, 64th, ... of the spans.
  };
  // A time in a row: how many of its spans begin before it, and how long these ran before it.
  struct Position {
    std::size_t next = 0;
    std::int64_t covered = 0;
  };
  // The spans of a row that lie in the range: [first, last).
  struct Visible {
    std::size_t first = 0;
    std::size_t last = 0;
    Position begin;
  };
  using Edges = std::vector<std::int64_t>;

  void AddLane(const Lane& lane);
  void AddBlocks(Row& row) const;
  void AddGrids(Row& row) const;
  void AddLongLists(Row& row) const;
  static std::size_t LinesOf(const Row& row, std::size_t grid) {
    return row.count == 0 ? 0 : ((row.count - 1) >> (kGridShift * grid)) + 1;
  }
  std::size_t SpanAt(const Row& row, std::size_t i) const { return order_[row.first + i]; }
  // `from`: a span of the row that begins before `time`, or 0.
  Position Find(const Row& row, std::size_t from, std::int64_t time) const;
  Visible VisibleOf(const Row& row, const Edges& edges) const;
  void CountSpans(const Row& row, const Visible& visible, const Edges& edges,
                  TimelineRow& out) const;
  void CountColumns(const Row& row, const Visible& visible, const Edges& exact,
                    TimelineRow& out) const;
  // What begins and runs between the edges, which may be moved; the outer ones stay.
  std::vector<TimelineCell> CellsOf(const Row& row, const Visible& visible, Edges& edges) const;
  // The spans in the range of `edges` that are this wide or wider, by start.
  std::vector<LongSpan> FindWide(const Row& row, const Visible& visible, const Edges& edges,
                                 std::int64_t width) const;
  std::vector<LongSpan> FindWideInBlocks(const Row& row, const Visible& visible,
                                         std::int64_t width) const;
  LongSpan AsLong(std::size_t span) const {
    return {model_.spans.start[span], model_.spans.duration[span],
            static_cast<std::uint32_t>(span)};
  }

  const Model& model_;
  std::vector<std::size_t> first_row_;  // By lane, and the end.
  std::vector<Row> rows_;
  ColumnVector<std::uint32_t> order_;
};

}  // namespace sightline::profile
