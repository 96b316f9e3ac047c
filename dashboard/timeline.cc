#include "sightline/dashboard/timeline.h"

#include <algorithm>

namespace sightline::dashboard {
namespace {

using profile::Lane;
using profile::TimeRange;
__extension__ using Wide128 = __int128;

// Where a column begins; the columns of a range differ by a nanosecond at most.
std::int64_t BoundaryOf(TimeRange range, std::uint32_t columns, std::uint32_t column) {
  return range.from + static_cast<std::int64_t>(Wide128{range.to - range.from} * column / columns);
}

// The last column that begins at `time` or before. REQUIRES: `time` is in the range.
std::uint32_t ColumnOf(TimeRange range, std::uint32_t columns, std::int64_t time) {
  auto column =
      static_cast<std::uint32_t>(Wide128{time - range.from} * columns / (range.to - range.from));
  if (column + 1 < columns && BoundaryOf(range, columns, column + 1) <= time) ++column;
  return column;
}

}  // namespace

Timeline::Timeline(const profile::Model& model) : model_(model) {
  order_.resize(model.spans.size());
  std::vector<std::size_t> next;  // Of each row of a lane: where its next span goes.
  std::size_t at = 0;
  for (const Lane& lane : model.lanes) {
    lane_rows_.push_back(row_begins_.size());
    next.assign(lane.depths, 0);
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) ++next[model.spans.depth[i]];
    for (std::size_t& row : next) {
      row_begins_.push_back(at);
      at += row;
      row = row_begins_.back();
    }
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i)
      order_[next[model.spans.depth[i]]++] = static_cast<std::uint32_t>(i);
  }
  lane_rows_.push_back(row_begins_.size());
  row_begins_.push_back(at);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i % kBlock == 0) sums_.push_back(sum);
    sum += static_cast<std::uint64_t>(model.spans.duration[order_[i]]);
  }
}

std::size_t Timeline::FirstFrom(std::size_t begin, std::size_t end, std::int64_t time) const {
  // Steps that double: in most columns the place is near.
  std::size_t step = 1;
  std::size_t low = begin;
  while (low + step < end && StartOf(low + step) < time) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(end, low + step);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (StartOf(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::uint64_t Timeline::Sum(std::size_t begin, std::size_t end) const {
  const auto before = [&](std::size_t at) {
    if (at == 0) return std::uint64_t{0};
    const std::size_t block = (at - 1) / kBlock;
    std::uint64_t sum = sums_[block];
    for (std::size_t i = block * kBlock; i < at; ++i)
      sum += static_cast<std::uint64_t>(model_.spans.duration[order_[i]]);
    return sum;
  };
  return before(end) - before(begin);
}

TimelineRow Timeline::RowOf(std::size_t begin, std::size_t end, TimeRange range,
                            std::uint32_t columns) const {
  TimelineRow row;
  const auto is_wide = [&](std::size_t at) {
    return Wide128{model_.spans.duration[order_[at]]} * columns >= range.to - range.from;
  };
  const auto cover = [&](std::uint32_t column, std::uint32_t count, std::int64_t time) {
    const std::int64_t width =
        BoundaryOf(range, columns, column + 1) - BoundaryOf(range, columns, column);
    const double share =
        width > 0 ? static_cast<double>(time) / static_cast<double>(width) : (time > 0 ? 1.0 : 0.0);
    if (row.narrow.empty() || row.narrow.back().column != column) row.narrow.push_back({column});
    row.narrow.back().count += count;
    row.narrow.back().covered = std::min(1.0, row.narrow.back().covered + share);
  };
  std::size_t at = FirstFrom(begin, end, range.from);
  const std::size_t last = FirstFrom(at, end, range.to);
  if (at > begin && EndOf(at - 1) > range.from) {  // It began before the range.
    --at;
    if (is_wide(at)) row.wide.push_back(order_[at++]);
  }
  while (at < last) {
    const std::uint32_t column = ColumnOf(range, columns, std::max(StartOf(at), range.from));
    const std::int64_t border = BoundaryOf(range, columns, column + 1);
    const std::size_t next = FirstFrom(at, last, std::max(border, StartOf(at) + 1));
    // Spans of a row do not overlap, so that only the last of a column can be as wide as one.
    const bool wide = is_wide(next - 1);
    const std::size_t narrow = wide ? next - 1 : next;
    if (narrow > at) {
      auto time = static_cast<std::int64_t>(Sum(at, narrow));
      time -= std::max<std::int64_t>(0, range.from - StartOf(at));
      const std::int64_t beyond = std::max<std::int64_t>(0, EndOf(narrow - 1) - border);
      cover(column, static_cast<std::uint32_t>(narrow - at), time - beyond);
      if (beyond > 0 && column + 1 < columns) cover(column + 1, 0, beyond);
    }
    if (wide) row.wide.push_back(order_[next - 1]);
    at = next;
  }
  return row;
}

std::vector<TimelineRow> Timeline::Rows(std::size_t lane, TimeRange range, std::uint32_t columns,
                                        std::size_t most) const {
  std::vector<TimelineRow> rows;
  const std::size_t first = lane_rows_[lane];
  const std::size_t count = std::min(most, lane_rows_[lane + 1] - first);
  rows.reserve(count);
  for (std::size_t i = first; i < first + count; ++i)
    rows.push_back(RowOf(row_begins_[i], row_begins_[i + 1], range, columns));
  return rows;
}

}  // namespace sightline::dashboard
