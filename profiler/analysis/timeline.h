// A timeline at any zoom: the spans of a lane as a window with a given number of columns (pixels)
// shows them.
//
// A span that is at least a column wide is returned exactly. Of narrower spans, each column has
// their number and how long they ran, so none is lost: for every row, spans.size() plus the counts
// of its cells is the number of spans that overlap the range.
//
//   const TimelineIndex index(model);
//   for (const TimelineRow& row : index.Look(lane, {from, to}, 2000)) ...;   // As often as asked.
//
// The time that Look takes is bounded by the number of columns. If there are more than a few spans
// for each column, it does not count them, but reads counts that were made before: a row has as
// many grid lines as spans, at equal distances over its time, and each line holds how many spans
// began before it and how long they ran. Every fourth and every sixteenth line are stored once
// more, so that Look reads neighbouring memory. An edge of a column is moved to the nearest line,
// by an eighth of a column at most; if the lines are too far apart for that, the spans are searched
// for, in blocks. The longest spans of a row are also in lists of their own, so that those wider
// than a column are found without reading the others. Immutable once built: any number of threads
// may call Look.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// The narrow spans in a column. Columns in which none runs have no cell.
struct TimelineCell {
  std::uint32_t column = 0;
  std::uint32_t count =
      0;  // How many begin in it; in the first column also those that began before it.
  std::int64_t covered = 0;  // Nanoseconds of the column in which one of them runs.

  bool operator==(const TimelineCell&) const = default;
};

// The spans of a lane that have the same depth; they do not overlap.
struct TimelineRow {
  std::vector<std::size_t> spans;   // Those of a column's width or more: indices into Model::spans.
  std::vector<TimelineCell> cells;  // The narrower ones. Both are ordered by time.
};

// Divides [from, to) into columns: column i is [edges[i], edges[i + 1]). Their widths differ by a
// nanosecond at most. If the range has fewer nanoseconds than columns are asked for, each
// nanosecond is a column. Returns no edges for an empty range, or if no columns are asked for.
std::vector<std::int64_t> ColumnEdges(const TimeRange& range, std::uint32_t columns);

class TimelineIndex {
 public:
  // `model` must outlive the index.
  explicit TimelineIndex(const Model& model);

  // The rows of the lane, the outermost first, and at most `most` of them; also those that have
  // nothing in the range [from, to). No rows if ColumnEdges returns no edges.
  std::vector<TimelineRow> Look(LaneId lane, const TimeRange& range, std::uint32_t columns,
                                std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  // The memory of the index without the model, in bytes.
  std::size_t bytes() const;

 private:
  // A copy of the members of a span that Look needs.
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
  // How long spans ran before a grid line, and which span begins next; packed, since there are as
  // many lines as spans.
  struct [[gnu::packed]] GridLine {
    std::int64_t covered = 0;
    std::uint32_t next = 0;
  };
  struct Block {
    std::int64_t start = 0;    // Of its first span.
    std::int64_t covered = 0;  // Sum of the durations of the row's spans before it.
  };
  // Three grids: all lines, every 4th, and every 16th.
  static constexpr std::size_t kGrids = 3;
  static constexpr std::size_t kGridShift = 2;
  // Spans that do not overlap, ordered by start: order_[first, first + count). Grid line i is at
  // begin + i * spacing.
  struct Row {
    std::size_t first = 0;
    std::size_t count = 0;
    std::int64_t begin = 0;
    std::int64_t spacing = 1;
    std::array<ColumnVector<GridLine>, kGrids> grids;
    ColumnVector<Block> blocks;
    ColumnVector<std::int64_t> longest_in_block, longest_in_group;
    std::array<LongList, kLongLists> longest;  // At most a 16th, 64th, ... of the spans.
  };
  // A time in a row: how many of its spans begin before it, and how long they ran until then.
  struct Position {
    std::size_t next = 0;
    std::int64_t covered = 0;
  };
  // The spans of a row that overlap the range: [first, last).
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
  static std::size_t LineCount(const Row& row, std::size_t grid) {
    return row.count == 0 ? 0 : ((row.count - 1) >> (kGridShift * grid)) + 1;
  }
  std::size_t SpanAt(const Row& row, std::size_t i) const { return order_[row.first + i]; }
  // `from`: a span of the row that begins before `time`, or 0.
  Position Find(const Row& row, std::size_t from, std::int64_t time) const;
  Visible FindVisible(const Row& row, const Edges& edges) const;
  void CountSpans(const Row& row, const Visible& visible, const Edges& edges,
                  TimelineRow& out) const;
  void CountColumns(const Row& row, const Visible& visible, const Edges& exact,
                    TimelineRow& out) const;
  // Counts the spans between the edges. It may move the inner edges.
  std::vector<TimelineCell> CountCells(const Row& row, const Visible& visible, Edges& edges) const;
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

}  // namespace sightline::profiler
