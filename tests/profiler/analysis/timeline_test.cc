#include "sightline/profiler/analysis/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Piece {
  std::int64_t start;
  std::int64_t duration;
};

Model ModelOf(const std::vector<Piece>& spans) {
  ModelBuilder builder;
  const LaneId lane = builder.AddLane("1", "1");
  for (const Piece& one : spans)
    EXPECT_TRUE(builder.AddSpan({.start = one.start, .duration = one.duration, .lane = lane}));
  return std::move(builder).Finish();
}

// What Look must give, span by span and column by column.
TimelineRow Expected(const Model& model, std::uint16_t depth, const TimeRange& range,
                     std::uint32_t columns) {
  TimelineRow row;
  const auto edges = ColumnEdges(range, columns);
  const auto count = static_cast<std::int64_t>(edges.size()) - 1;
  std::map<std::size_t, TimelineCell> cells;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    const std::int64_t start = model.spans.start[i];
    const std::int64_t end = model.spans.end(i);
    const bool begins = start >= range.from && start < range.to;
    if (model.spans.depth[i] != depth || (!begins && (end <= range.from || start >= range.to)))
      continue;
    if ((end - start) * count >= range.to - range.from && end > start) {
      row.spans.push_back(i);
      continue;
    }
    for (std::size_t column = 0; column + 1 < edges.size(); ++column) {
      const std::int64_t shown = std::max(start, range.from);
      const bool counts = shown >= edges[column] && shown < edges[column + 1];
      const std::int64_t covered =
          std::min(end, edges[column + 1]) - std::max(start, edges[column]);
      if (!counts && covered <= 0) continue;
      TimelineCell& cell = cells[column];
      cell.column = static_cast<std::uint32_t>(column);
      cell.count += counts ? 1 : 0;
      cell.covered += std::max<std::int64_t>(covered, 0);
    }
  }
  for (const auto& [column, cell] : cells) row.cells.push_back(cell);
  return row;
}

// Nested spans of very different lengths, some of no length.
std::vector<Piece> RandomPieces(std::uint32_t seed, int spans) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
  };
  std::vector<Piece> pieces;
  std::int64_t time = 0;
  for (int i = 0; i < spans; ++i) {
    time += below(i % 50 == 0 ? 5000 : 20);
    const std::int64_t duration = below(i % 97 == 0 ? 20'000 : i % 7 == 0 ? 300 : 12);
    pieces.push_back({time, duration});
    if (i % 3 == 0) time += duration;
  }
  return pieces;
}

TEST(ColumnEdges, DivideTheRangeWithoutGaps) {
  EXPECT_THAT(ColumnEdges({0, 10}, 4), ElementsAre(0, 2, 5, 7, 10));
  EXPECT_THAT(ColumnEdges({-3, 0}, 100), ElementsAre(-3, -2, -1, 0));
  EXPECT_THAT(ColumnEdges({5, 5}, 4), IsEmpty());
  EXPECT_THAT(ColumnEdges({0, 10}, 0), IsEmpty());
  const auto edges = ColumnEdges({INT64_MIN, INT64_MAX}, 2000);
  ASSERT_EQ(edges.size(), 2001);
  EXPECT_EQ(edges.front(), -kMaxTime);
  EXPECT_EQ(edges.back(), kMaxTime);
}

TEST(Timeline, GivesWideSpansExactlyAndCountsNarrowOnes) {
  // Columns of 100 ns.
  const Model model = ModelOf({{0, 250}, {300, 10}, {320, 10}, {390, 20}, {500, 0}, {900, 100}});
  const auto rows = TimelineIndex(model).Look(LaneId{0}, {0, 1000}, 10);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_THAT(rows[0].spans, ElementsAre(0, 5));
  EXPECT_THAT(rows[0].cells,
              ElementsAre(TimelineCell{3, 3, 30}, TimelineCell{4, 0, 10}, TimelineCell{5, 1, 0}));
}

TEST(Timeline, ShowsWhatBeganBeforeTheRangeAndEndsBehindIt) {
  const Model model = ModelOf({{0, 30}, {30, 5}, {95, 30}, {200, 1}});
  const auto rows = TimelineIndex(model).Look(LaneId{0}, {20, 100}, 2);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_THAT(rows[0].spans, IsEmpty());
  EXPECT_THAT(rows[0].cells, ElementsAre(TimelineCell{0, 2, 15}, TimelineCell{1, 1, 5}));
}

TEST(Timeline, HasARowForEachDepth) {
  const Model model = ModelOf({{0, 100}, {10, 50}, {200, 10}});
  const auto rows = TimelineIndex(model).Look(LaneId{0}, {150, 300}, 100);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_THAT(rows[0].spans, ElementsAre(2));
  EXPECT_THAT(rows[1].spans, IsEmpty());
  EXPECT_THAT(rows[1].cells, IsEmpty());
}

TEST(Timeline, OfAnEmptyLaneOrRangeShowsNothing) {
  ModelBuilder builder;
  builder.AddLane("1", "1");
  const Model empty = std::move(builder).Finish();
  EXPECT_THAT(TimelineIndex(empty).Look(LaneId{0}, {0, 100}, 10), IsEmpty());
  const Model one = ModelOf({{0, 100}});
  EXPECT_THAT(TimelineIndex(one).Look(LaneId{0}, {50, 50}, 10), IsEmpty());
}

// Where a row has few spans a column they are counted, and where its spans lie unevenly searched
// for: both must agree with counting one by one.
TEST(Timeline, AgreesWithCountingOneByOneAtEveryZoom) {
  std::vector<Piece> pieces = RandomPieces(7, 3000);
  for (std::int64_t depth = 0; depth < 20; ++depth)
    pieces.push_back({1'000'000'000 + depth, 100 - 2 * depth});
  const Model model = ModelOf(pieces);
  const TimelineIndex index(model);
  const TimeRange whole{0, pieces[2999].start + 100};
  std::mt19937 random(1);
  for (int look = 0; look < 400; ++look) {
    TimeRange range = whole;
    if (look > 20) {
      std::uniform_int_distribution<std::int64_t> time(whole.from - 50, whole.to + 50);
      range = {time(random), time(random)};
      if (range.from > range.to) std::swap(range.from, range.to);
      if (look % 3 == 0) range.to = std::min(range.to, range.from + 400);
      if (range.from == range.to) continue;
    }
    const std::uint32_t columns = std::uniform_int_distribution<std::uint32_t>(1, 40)(random);
    const auto rows = index.Look(LaneId{0}, range, columns);
    ASSERT_EQ(rows.size(), model.lanes[0].depths);
    for (std::size_t depth = 0; depth < rows.size(); ++depth) {
      const TimelineRow expected =
          Expected(model, static_cast<std::uint16_t>(depth), range, columns);
      EXPECT_EQ(rows[depth].spans, expected.spans);
      ASSERT_THAT(rows[depth].cells, ::testing::ElementsAreArray(expected.cells))
          << "depth " << depth << ", " << range.from << " to " << range.to << ", " << columns;
    }
  }
}

// Evenly filled rows are looked up at lines that lie within an eighth of a column of its edges.
// Spans of five lanes, in no order.
Model ScatteredModel(std::size_t spans) {
  ModelBuilder builder;
  std::mt19937 random(1);
  std::vector<LaneId> lanes;
  for (int i = 0; i < 5; ++i) lanes.push_back(builder.AddLane("1", std::to_string(i)));
  for (std::size_t i = 0; i < spans; ++i) {
    builder.AddSpan({.start = static_cast<std::int64_t>(random() % 1'000'000),
                     .duration = static_cast<std::int64_t>(random() % 100),
                     .name = builder.Intern(std::to_string(random() % 100)),
                     .lane = lanes[random() % lanes.size()]});
  }
  return std::move(builder).Finish();
}

TEST(Timeline, IsTheSameWithAMemoryLimit) {
  constexpr std::size_t kSpans = 200'000;
  const Model model = ScatteredModel(kSpans);
  const TimelineIndex index(model);
  const testing::TempDir folder;
  const auto limit = MemoryLimit::Set(MemoryLimit::kLeast, folder.path());
  ASSERT_THAT(limit, testing::IsOk());
  const Model limited = ScatteredModel(kSpans);
  const TimelineIndex limited_index(limited);
  EXPECT_GE((*limit)->spilled_bytes(), kSpans * 40 + limited_index.bytes() / 2);
  EXPECT_EQ(limited.spans.start, model.spans.start);
  EXPECT_EQ(limited.spans.duration, model.spans.duration);
  EXPECT_EQ(limited.spans.name, model.spans.name);
  EXPECT_EQ(limited.spans.lane, model.spans.lane);
  EXPECT_EQ(limited.spans.depth, model.spans.depth);
  for (std::uint32_t lane = 0; lane < 5; ++lane) {
    const auto rows = index.Look(LaneId{lane}, Extent(model), 300);
    const auto limited_rows = limited_index.Look(LaneId{lane}, Extent(limited), 300);
    ASSERT_EQ(limited_rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(limited_rows[i].spans, rows[i].spans);
      EXPECT_EQ(limited_rows[i].cells, rows[i].cells);
    }
  }
}

TEST(Timeline, MovesAColumnsEdgeByAnEighthOfItAtMost) {
  std::mt19937 random(3);
  std::vector<Piece> pieces;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t limit = i % 300 == 0 ? 100'000 : 90;
    pieces.push_back({i * 100, static_cast<std::int64_t>(random() % limit)});
  }
  const Model model = ModelOf(pieces);
  const TimelineIndex index(model);
  const TimeRange range{12'345, 1'912'345};
  const std::uint32_t columns = 100;
  const std::int64_t width = 19'000;
  const auto rows = index.Look(LaneId{0}, range, columns);
  for (std::size_t depth = 0; depth < rows.size(); ++depth) {
    const TimelineRow expected = Expected(model, static_cast<std::uint16_t>(depth), range, columns);
    EXPECT_EQ(rows[depth].spans, expected.spans);
    std::vector<std::int64_t> differences(columns);
    std::int64_t counts = 0;
    std::int64_t covered = 0;
    for (const TimelineCell& cell : rows[depth].cells) {
      differences[cell.column] += cell.covered;
      counts += cell.count;
      EXPECT_GE(cell.covered, 0);
      EXPECT_LE(cell.covered, width);
    }
    for (const TimelineCell& cell : expected.cells) {
      differences[cell.column] -= cell.covered;
      counts -= cell.count;
    }
    for (const std::int64_t difference : differences) {
      EXPECT_LE(std::abs(difference), width / 4) << "both edges were moved";
      covered += difference;
    }
    EXPECT_EQ(counts, 0);
    EXPECT_LE(std::abs(covered), width / 4);
  }
}

TEST(Timeline, CountsAddUpToTheSpansInEveryLane) {
  ModelBuilder builder;
  for (int i = 0; i < 9000; ++i) {
    const LaneId lane = builder.AddLane("1", std::to_string(i % 3));
    EXPECT_TRUE(builder.AddSpan({.start = i * 10, .duration = i % 40, .lane = lane}));
  }
  const Model model = std::move(builder).Finish();
  const TimelineIndex index(model);
  const TimeRange whole = Extent(model);
  std::size_t total = 0;
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    for (const TimelineRow& row : index.Look(LaneId{lane}, {whole.from, whole.to + 1}, 50)) {
      total += row.spans.size();
      for (const TimelineCell& cell : row.cells) total += cell.count;
    }
  }
  EXPECT_EQ(total, 9000);
}

// So many that they are put in order, and indexed, on all cores.
TEST(Timeline, OfManySpansInAnyOrderHasThemAll) {
  constexpr std::int64_t kSpans = 150'000;
  ModelBuilder builder;
  std::vector<LaneId> lanes;
  for (int lane = 0; lane < 3; ++lane) lanes.push_back(builder.AddLane("1", std::to_string(lane)));
  for (std::int64_t i = kSpans; i-- > 0;) {
    const NameId name = builder.Intern(std::to_string(i * 10));
    EXPECT_TRUE(builder.AddSpan({.start = i * 10,
                                 .duration = i % 30,
                                 .name = name,
                                 .type = name,
                                 .category = name,
                                 .detail = name,
                                 .lane = lanes[static_cast<std::size_t>(i % 3)],
                                 .kind = i % 2 == 0 ? SpanKind::kKernel : SpanKind::kOther}));
  }
  const Model model = std::move(builder).Finish();
  const Spans& spans = model.spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::int64_t number = spans.start[i] / 10;
    ASSERT_EQ(model.names[spans.name[i]], std::to_string(spans.start[i]));
    ASSERT_TRUE(spans.type[i] == spans.name[i] && spans.category[i] == spans.name[i] &&
                spans.detail[i] == spans.name[i]);
    ASSERT_EQ(spans.duration[i], number % 30);
    ASSERT_EQ(spans.lane[i], lanes[static_cast<std::size_t>(number % 3)]);
    ASSERT_EQ(spans.kind[i] == SpanKind::kKernel, number % 2 == 0);
    ASSERT_TRUE(i == 0 || spans.lane[i] != spans.lane[i - 1] ||
                spans.start[i] > spans.start[i - 1]);
  }
  const TimelineIndex index(model);
  for (const std::int64_t length : {kSpans * 10, kSpans, kSpans / 10}) {
    std::size_t found = 0;
    for (const LaneId lane : lanes) {
      for (const TimelineRow& row : index.Look(lane, {0, length}, 500)) {
        found += row.spans.size();
        for (const TimelineCell& cell : row.cells) found += cell.count;
      }
    }
    EXPECT_EQ(found, static_cast<std::size_t>(length) / 10);
  }
}

}  // namespace
}  // namespace sightline::profiler
