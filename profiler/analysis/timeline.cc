#include "sightline/profiler/analysis/timeline.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <thread>

#include "sightline/base/parallel.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kBlock = 16;  // Spans.
constexpr std::size_t kGroup = 64;  // Blocks.
// A row with fewer spans per column than this is counted span by span.
constexpr std::size_t kFewSpansAColumn = 4;
// Grid lines per column, so that half the distance between two of them is an eighth of a column.
constexpr std::int64_t kLinesAColumn = 4;

// From this many spans on, rows are built on all cores.
constexpr std::size_t kManySpans = 100'000;

// Memory is fetched this many steps before it is used.
constexpr std::size_t kAhead = 8;

// The number of columns is far below 2^32, so neither vector nor index grows out of bounds.
constexpr std::uint32_t kMaxColumns = 1U << 20U;

// The lists of long spans have at most 1 / 2^4, 1 / 2^6, ... of a row's spans.
constexpr std::size_t kFirstLongShift = 4;
constexpr std::size_t kNextLongShift = 2;

// The class of a duration: four classes for each power of two; 0 to 3 are classes of their own.
constexpr std::size_t kDurationClasses = std::size_t{4} * 62;
std::size_t DurationClass(std::int64_t duration) {
  const auto size = static_cast<std::uint64_t>(duration);
  if (size < 4) return size;
  const auto power = static_cast<std::size_t>(std::bit_width(size)) - 3;
  return 4 * power + (size >> power);
}
// The shortest duration of a class; the greatest int64 if there is no such class.
std::int64_t ShortestDuration(std::size_t duration_class) {
  if (duration_class < 4) return static_cast<std::int64_t>(duration_class);
  if (duration_class >= kDurationClasses) return std::numeric_limits<std::int64_t>::max();
  const std::size_t power = duration_class / 4 - 1;
  return static_cast<std::int64_t>(4 + duration_class % 4) << power;
}

std::size_t Blocks(std::size_t spans) { return (spans + kBlock - 1) / kBlock; }

// The width of the widest column: a span this long is at least a column wide at any place.
std::int64_t WideIn(const std::vector<std::int64_t>& edges) {
  const auto columns = static_cast<std::int64_t>(edges.size() - 1);
  return (edges.back() - edges.front() + columns - 1) / columns;
}

// Walks through the columns with rising times.
class ColumnWalk {
 public:
  explicit ColumnWalk(const std::vector<std::int64_t>& edges) : edges_(edges) {}

  // The column of a time, which must be in the range and not before the time of the last call.
  std::size_t At(std::int64_t time) {
    if (time < edges_[at_ + 1]) return at_;
    std::size_t step = 1;
    while (at_ + step + 1 < edges_.size() && edges_[at_ + step] <= time) step *= 2;
    const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(at_ + step / 2);
    const auto last =
        edges_.begin() + static_cast<std::ptrdiff_t>(std::min(at_ + step, edges_.size() - 2)) + 1;
    at_ = static_cast<std::size_t>(std::upper_bound(first, last, time) - edges_.begin()) - 1;
    return at_;
  }

 private:
  const std::vector<std::int64_t>& edges_;
  std::size_t at_ = 0;
};

// The cells of narrow spans, which are added in the order of their starts. A span may reach into
// the next column, but no further.
class CellList {
 public:
  explicit CellList(std::vector<TimelineCell>& cells) : cells_(cells) {}

  // From here on spans begin in this column.
  void Enter(std::size_t column) {
    Leave(column == last_.column + 1);
    last_ = {.column = static_cast<std::uint32_t>(column),
             .covered = column == last_.column + 1 ? behind_ : 0};
    behind_ = 0;
  }
  void Add(std::int64_t covered) {
    ++last_.count;
    last_.covered += covered;
  }
  void AddBehind(std::int64_t covered) { behind_ += covered; }
  void Finish() { Leave(false); }

 private:
  void Leave(bool for_next) {
    if (last_.count != 0 || last_.covered != 0) cells_.push_back(last_);
    if (behind_ != 0 && !for_next)
      cells_.push_back({.column = last_.column + 1, .covered = behind_});
  }

  std::vector<TimelineCell>& cells_;
  TimelineCell last_;
  std::int64_t behind_ = 0;  // Covered in the next column.
};

}  // namespace

std::vector<std::int64_t> ColumnEdges(const TimeRange& range, std::uint32_t columns) {
  const std::int64_t from = std::clamp(range.from, -kMaxTime, kMaxTime);
  const std::int64_t to = std::clamp(range.to, -kMaxTime, kMaxTime);
  if (to <= from || columns == 0) return {};
  const std::int64_t count = std::min<std::int64_t>(std::min(columns, kMaxColumns), to - from);
  const std::int64_t width = (to - from) / count;
  const std::int64_t rest = (to - from) % count;
  std::vector<std::int64_t> edges;
  edges.reserve(static_cast<std::size_t>(count) + 1);
  std::int64_t edge = from;
  std::int64_t owed = 0;
  for (std::int64_t i = 0; i <= count; ++i) {
    edges.push_back(edge);
    edge += width;
    owed += rest;
    if (owed < count) continue;
    owed -= count;
    ++edge;
  }
  return edges;
}

TimelineIndex::TimelineIndex(const Model& model) : model_(model) {
  order_.resize(model.spans.size());
  first_row_.reserve(model.lanes.size() + 1);
  for (const Lane& lane : model.lanes) AddLane(lane);
  first_row_.push_back(rows_.size());
  const bool large = model.spans.size() >= kManySpans;
  ForEachInParallel(rows_.size(), large ? CoreCount() : 1, [&](std::size_t row) {
    AddBlocks(rows_[row]);
    AddGrids(rows_[row]);
    AddLongLists(rows_[row]);
  });
}

void TimelineIndex::AddLane(const Lane& lane) {
  const auto& depths = model_.spans.depth;
  const std::size_t first_row = rows_.size();
  first_row_.push_back(first_row);
  rows_.resize(first_row + lane.depths);
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    ++rows_[first_row + depths[i]].count;
  }
  std::size_t first = lane.first;
  std::vector<std::size_t> next;
  for (std::size_t at = first_row; at < rows_.size(); ++at) {
    rows_[at].first = first;
    next.push_back(first);
    first += rows_[at].count;
  }
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    order_[next[depths[i]]++] = static_cast<std::uint32_t>(i);
  }
}

void TimelineIndex::AddBlocks(Row& row) const {
  row.blocks.reserve(Blocks(row.count));
  row.longest_in_block.reserve(Blocks(row.count));
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < row.count; ++i) {
    MemoryLimit::Keep(i);
    const std::size_t span = SpanAt(row, i);
    if (i % (kBlock * kGroup) == 0) row.longest_in_group.push_back(0);
    if (i % kBlock == 0) {
      row.blocks.push_back({model_.spans.start[span], covered});
      row.longest_in_block.push_back(0);
    }
    const std::int64_t duration = model_.spans.duration[span];
    covered = AddTimes(covered, duration);
    row.longest_in_block.back() = std::max(row.longest_in_block.back(), duration);
    row.longest_in_group.back() = std::max(row.longest_in_group.back(), duration);
  }
}

void TimelineIndex::AddGrids(Row& row) const {
  if (row.count == 0) return;
  for (std::size_t grid = 0; grid < kGrids; ++grid)
    row.grids.at(grid).reserve(LineCount(row, grid));
  const Spans& spans = model_.spans;
  row.begin = spans.start[SpanAt(row, 0)];
  const std::int64_t length = spans.end(SpanAt(row, row.count - 1)) - row.begin;
  row.spacing = std::max<std::int64_t>(length, 0) / static_cast<std::int64_t>(row.count) + 1;
  std::size_t next = 0;
  std::int64_t covered = 0;
  std::int64_t end = row.begin;  // Of the last span that began.
  for (std::size_t i = 0; i < row.count; ++i) {
    MemoryLimit::Keep(i);
    const std::int64_t line = row.begin + static_cast<std::int64_t>(i) * row.spacing;
    for (; next < row.count && spans.start[SpanAt(row, next)] < line; ++next) {
      covered = AddTimes(covered, spans.duration[SpanAt(row, next)]);
      end = spans.end(SpanAt(row, next));
    }
    const GridLine made = {covered - std::max<std::int64_t>(end - line, 0),
                           static_cast<std::uint32_t>(next)};
    for (std::size_t grid = 0; grid < kGrids && i % (std::size_t{1} << (kGridShift * grid)) == 0;
         ++grid)
      row.grids.at(grid).push_back(made);
  }
}

void TimelineIndex::AddLongLists(Row& row) const {
  std::array<std::size_t, kDurationClasses> counts{};
  for (std::size_t i = 0; i < row.count; ++i) {
    MemoryLimit::Keep(i);
    ++counts[DurationClass(model_.spans.duration[SpanAt(row, i)])];
  }
  std::size_t longer = 0;  // Spans of this class and all longer ones.
  std::size_t duration_class = kDurationClasses;
  for (std::size_t list = kLongLists; list-- > 0;) {
    const std::size_t most = row.count >> (kFirstLongShift + kNextLongShift * list);
    while (duration_class > 1 && longer + counts[duration_class - 1] <= most)
      longer += counts[--duration_class];
    row.longest[list].shortest = ShortestDuration(duration_class);
    row.longest[list].spans.reserve(longer);
  }
  for (std::size_t i = 0; i < row.count; ++i) {
    MemoryLimit::Keep(i);
    const std::size_t span = SpanAt(row, i);
    // Each list contains the ones after it.
    for (LongList& list : row.longest) {
      if (model_.spans.duration[span] < list.shortest) break;
      list.spans.push_back(AsLong(span));
    }
  }
}

TimelineIndex::Position TimelineIndex::Find(const Row& row, std::size_t from,
                                            std::int64_t time) const {
  const auto begin = row.blocks.begin();
  const std::size_t count = row.blocks.size();
  std::size_t low = from / kBlock;
  std::size_t step = 1;
  while (low + step < count && begin[static_cast<std::ptrdiff_t>(low + step)].start < time) {
    low += step;
    step *= 2;
  }
  const auto first = begin + static_cast<std::ptrdiff_t>(low);
  const auto last = begin + static_cast<std::ptrdiff_t>(std::min(low + step, count));
  const auto behind =
      std::partition_point(first + 1, last, [&](const Block& one) { return one.start < time; });
  Position position{static_cast<std::size_t>(behind - 1 - begin) * kBlock, (behind - 1)->covered};
  const std::size_t end = std::min(position.next + kBlock, row.count);
  std::int64_t ends = time;
  while (position.next < end) {
    const std::size_t span = SpanAt(row, position.next);
    if (model_.spans.start[span] >= time) break;
    position.covered = AddTimes(position.covered, model_.spans.duration[span]);
    ends = model_.spans.end(span);
    ++position.next;
  }
  position.covered -= std::max<std::int64_t>(ends - time, 0);
  return position;
}

TimelineIndex::Visible TimelineIndex::FindVisible(const Row& row, const Edges& edges) const {
  Visible visible;
  visible.begin = Find(row, 0, edges.front());
  visible.first = visible.begin.next;
  const std::size_t before = visible.first == 0 ? 0 : visible.first - 1;
  visible.last = Find(row, before, edges.back()).next;
  if (visible.first > 0 && model_.spans.end(SpanAt(row, visible.first - 1)) > edges.front())
    --visible.first;
  return visible;
}

std::vector<TimelineRow> TimelineIndex::Look(LaneId lane, const TimeRange& range,
                                             std::uint32_t columns, std::size_t most) const {
  const Edges edges = ColumnEdges(range, columns);
  if (edges.empty()) return {};
  MemoryLimit::Keep();  // Releases the memory that queries of other lanes brought back.
  const auto at = static_cast<std::uint32_t>(lane);
  std::vector<TimelineRow> rows(std::min(most, first_row_[at + 1] - first_row_[at]));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows_[first_row_[at] + i];
    if (row.count == 0) continue;
    const Visible visible = FindVisible(row, edges);
    if (visible.last - visible.first <= kFewSpansAColumn * edges.size()) {
      CountSpans(row, visible, edges, rows[i]);
    } else {
      CountColumns(row, visible, edges, rows[i]);
    }
  }
  return rows;
}

void TimelineIndex::CountSpans(const Row& row, const Visible& visible, const Edges& edges,
                               TimelineRow& out) const {
  const std::int64_t wide = WideIn(edges);
  ColumnWalk columns(edges);
  out.cells.reserve(std::min(edges.size() - 1, 2 * (visible.last - visible.first)));
  CellList cells(out.cells);
  const std::uint32_t* order = order_.data() + row.first;
  const std::int64_t* starts = model_.spans.start.data();
  const std::int64_t* durations = model_.spans.duration.data();
  const std::int64_t range_end = edges.back();
  std::int64_t column_end = edges[1];
  for (std::size_t i = visible.first; i < visible.last; ++i) {
    const std::size_t span = order[i];
    const std::int64_t duration = durations[span];
    if (duration >= wide) {
      out.spans.push_back(span);
      continue;
    }
    const std::int64_t start = std::max(starts[span], edges.front());
    const std::int64_t end = std::min(starts[span] + duration, range_end);
    if (start >= column_end) {
      const std::size_t column = columns.At(start);
      column_end = edges[column + 1];
      cells.Enter(column);
    }
    cells.Add(std::min(end, column_end) - start);
    if (end > column_end) cells.AddBehind(end - column_end);
  }
  cells.Finish();
}

std::vector<TimelineCell> TimelineIndex::CountCells(const Row& row, const Visible& visible,
                                                    Edges& edges) const {
  const auto columns = static_cast<std::uint32_t>(edges.size() - 1);
  const std::int64_t width = (edges.back() - edges.front()) / columns;
  const bool by_lines = width >= kLinesAColumn * row.spacing;
  // Find the coarsest grid that is fine enough.
  std::size_t grid = kGrids - 1;
  while (grid > 0 && (width >> (kGridShift * grid)) < kLinesAColumn * row.spacing) --grid;
  const GridLine* grid_lines = row.grids.at(grid).data();
  const auto last_line = static_cast<double>(row.grids.at(grid).size());
  const std::int64_t spacing = row.spacing << (kGridShift * grid);
  const double lines_a_nano = 1 / static_cast<double>(spacing);
  std::vector<const GridLine*> lines(edges.size(), nullptr);
  for (std::size_t i = 1; i < columns && by_lines; ++i) {
    const double exact = static_cast<double>(edges[i] - row.begin) * lines_a_nano + 0.5;
    if (exact <= 0 || exact >= last_line) continue;
    const auto line = static_cast<std::int64_t>(exact);
    lines[i] = grid_lines + line;
    edges[i] = row.begin + line * spacing;
    __builtin_prefetch(lines[i]);
  }
  std::vector<TimelineCell> cells(columns);
  Position at = {visible.first, visible.begin.covered};
  for (std::uint32_t i = 0; i < columns; ++i) {
    const GridLine* line = lines[i + 1];
    const Position next = line != nullptr ? Position{line->next, line->covered}
                                          : Find(row, at.next == 0 ? 0 : at.next - 1, edges[i + 1]);
    cells[i] = {i, static_cast<std::uint32_t>(next.next - at.next), next.covered - at.covered};
    at = next;
  }
  return cells;
}

void TimelineIndex::CountColumns(const Row& row, const Visible& visible, const Edges& exact,
                                 TimelineRow& out) const {
  Edges edges = exact;
  const std::size_t columns = edges.size() - 1;
  std::vector<TimelineCell> cells = CountCells(row, visible, edges);
  ColumnWalk walk(edges);
  for (const LongSpan& wide : FindWide(row, visible, exact, WideIn(exact))) {
    out.spans.push_back(wide.span);
    const std::int64_t start = std::max(wide.start, edges.front());
    const std::int64_t end = std::min(wide.start + wide.duration, edges.back());
    std::size_t column = walk.At(start);
    --cells[column].count;
    for (; column < columns && edges[column] < end; ++column)
      cells[column].covered -= std::min(end, edges[column + 1]) - std::max(start, edges[column]);
  }
  // Without a branch, since it could not be predicted.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    const TimelineCell cell = cells[i];
    cells[kept] = {cell.column, cell.count, std::min(cell.covered, exact[i + 1] - exact[i])};
    kept += cell.count != 0 || cell.covered > 0 ? 1 : 0;
  }
  cells.resize(kept);
  out.cells = std::move(cells);
}

std::vector<TimelineIndex::LongSpan> TimelineIndex::FindWide(const Row& row, const Visible& visible,
                                                             const Edges& edges,
                                                             std::int64_t width) const {
  // The shortest list that has all of them.
  const auto list = std::find_if(row.longest.rbegin(), row.longest.rend(),
                                 [&](const LongList& one) { return one.shortest <= width; });
  if (list == row.longest.rend()) return FindWideInBlocks(row, visible, width);
  const std::int64_t first_start = model_.spans.start[SpanAt(row, visible.first)];
  const auto end = list->spans.end();
  const auto first = std::partition_point(
      list->spans.begin(), end, [&](const LongSpan& one) { return one.start < first_start; });
  const auto last = std::partition_point(
      first, end, [&](const LongSpan& one) { return one.start < edges.back(); });
  std::vector<LongSpan> wide;
  std::copy_if(first, last, std::back_inserter(wide),
               [&](const LongSpan& one) { return one.duration >= width; });
  return wide;
}

std::vector<TimelineIndex::LongSpan> TimelineIndex::FindWideInBlocks(const Row& row,
                                                                     const Visible& visible,
                                                                     std::int64_t width) const {
  // First find the blocks, then read their spans: the memory of later blocks is fetched while
  // earlier ones are read.
  std::vector<std::size_t> blocks;
  const std::size_t end = Blocks(visible.last);
  for (std::size_t block = visible.first / kBlock; block < end; ++block) {
    if (block % kGroup == 0 && row.longest_in_group[block / kGroup] < width) {
      block += kGroup - 1;
    } else if (row.longest_in_block[block] >= width) {
      blocks.push_back(block * kBlock);
    }
  }
  std::vector<LongSpan> wide;
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    if (at + 2 * kAhead < blocks.size())
      __builtin_prefetch(&order_[row.first + blocks[at + 2 * kAhead]]);
    if (at + kAhead < blocks.size()) {
      const std::size_t span = SpanAt(row, blocks[at + kAhead]);
      for (std::size_t i = 0; i < 2 * kBlock && span + i < model_.spans.size(); i += 8)
        __builtin_prefetch(&model_.spans.duration[span + i]);
    }
    const std::size_t last = std::min(blocks[at] + kBlock, visible.last);
    for (std::size_t i = std::max(blocks[at], visible.first); i < last; ++i) {
      const std::size_t span = SpanAt(row, i);
      if (model_.spans.duration[span] >= width) wide.push_back(AsLong(span));
    }
  }
  return wide;
}

std::size_t TimelineIndex::bytes() const {
  std::size_t bytes = first_row_.capacity() * sizeof(std::size_t) +
                      order_.capacity() * sizeof(std::uint32_t) + rows_.capacity() * sizeof(Row);
  for (const Row& row : rows_) {
    bytes += row.blocks.capacity() * sizeof(Block);
    bytes += (row.longest_in_block.capacity() + row.longest_in_group.capacity()) * 8;
    for (const auto& grid : row.grids) bytes += grid.capacity() * sizeof(GridLine);
    for (const LongList& list : row.longest) bytes += list.spans.capacity() * sizeof(LongSpan);
  }
  return bytes;
}

}  // namespace sightline::profiler
