// What a picture of so many columns is told of a profile's spans.
#include "sightline/dashboard/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sightline/profiler/model/model_builder.h"

namespace sightline::dashboard {
namespace {

using profile::LaneId;
using profile::Model;
using profile::ModelBuilder;
using profile::TimeRange;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Times {
  std::int64_t start = 0;
  std::int64_t duration = 0;
};

Model ModelOf(const std::vector<Times>& spans) {
  ModelBuilder builder;
  const LaneId lane = builder.AddLane("1", "1");
  for (const Times& span : spans)
    builder.AddSpan({.start = span.start, .duration = span.duration, .lane = lane});
  return std::move(builder).Finish();
}

std::vector<TimelineRow> RowsOf(const Model& model, TimeRange range, std::uint32_t columns,
                                std::size_t most = 100) {
  return Timeline(model).Rows(0, range, columns, most);
}

std::vector<std::uint32_t> Counts(const TimelineRow& row) {
  std::vector<std::uint32_t> counts;
  for (const auto& column : row.narrow) counts.push_back(column.count);
  return counts;
}

TEST(Timeline, GivesASpanOfAColumnAndMoreItselfAndCountsNarrowerOnes) {
  const Model model = ModelOf({{0, 10}, {20, 2}, {23, 4}, {40, 30}});
  const auto rows = RowsOf(model, {0, 100}, 10);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0].wide, ElementsAre(0, 3));
  ASSERT_EQ(rows[0].narrow.size(), 1U);
  EXPECT_EQ(rows[0].narrow[0].column, 2U);
  EXPECT_EQ(rows[0].narrow[0].count, 2U);
  EXPECT_DOUBLE_EQ(rows[0].narrow[0].covered, 0.6);
}

TEST(Timeline, CoversBothColumnsOfANarrowSpanThatCrossesABorderAndCountsItOnce) {
  const Model model = ModelOf({{18, 6}});
  const auto rows = RowsOf(model, {0, 100}, 10);
  EXPECT_THAT(rows[0].wide, IsEmpty());
  EXPECT_THAT(Counts(rows[0]), ElementsAre(1, 0));
  EXPECT_DOUBLE_EQ(rows[0].narrow[0].covered, 0.2);
  EXPECT_DOUBLE_EQ(rows[0].narrow[1].covered, 0.4);
}

TEST(Timeline, HasWhatReachesIntoTheRangeAndNothingBeyond) {
  const Model model = ModelOf({{0, 15}, {15, 4}, {25, 50}, {80, 1}, {90, 5}});
  const auto rows = RowsOf(model, {17, 85}, 4);
  EXPECT_THAT(rows[0].wide, ElementsAre(2));
  EXPECT_THAT(Counts(rows[0]), ElementsAre(1, 1)) << "the end of the second, and the fourth";
  EXPECT_DOUBLE_EQ(rows[0].narrow[0].covered, 2.0 / 17) << "only what lies in the range";
}

TEST(Timeline, GivesALongSpanThatBeganBeforeTheRangeAlthoughItsEndIsNear) {
  const Model model = ModelOf({{0, 101}, {101, 1}, {103, 1}});
  const auto rows = RowsOf(model, {100, 200}, 10);
  EXPECT_THAT(rows[0].wide, ElementsAre(0));
  EXPECT_THAT(Counts(rows[0]), ElementsAre(2));
}

TEST(Timeline, LaysInnerSpansInRowsAndLeavesOutTheDeepest) {
  const Model model = ModelOf({{0, 100}, {10, 50}, {20, 20}});
  EXPECT_EQ(RowsOf(model, {0, 100}, 10).size(), 3U);
  const auto rows = RowsOf(model, {0, 100}, 10, 2);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[1].wide, ElementsAre(1));
}

TEST(Timeline, KnowsNothingOfAnEmptyLane) {
  ModelBuilder builder;
  builder.AddLane("1", "1");
  const Model model = std::move(builder).Finish();
  EXPECT_THAT(RowsOf(model, {0, 1}, 1), IsEmpty());
}

// By the definition, span by span.
TEST(Timeline, CountsAndCoversExactlyWhateverTheRange) {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  std::vector<Times> spans;
  for (std::int64_t at = 0; at < 20'000; at += below(30)) {
    const std::int64_t duration = below(10) == 0 ? below(300) : below(12);
    spans.push_back({at, duration});
    at += duration;
  }
  const Model model = ModelOf(spans);
  const Timeline timeline(model);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t from = below(19'000);
    const TimeRange range{from, from + 1 + below(1 + below(4000))};
    const auto columns = static_cast<std::uint32_t>(1 + below(400));
    const auto rows = timeline.Rows(0, range, columns, 1000);
    std::uint64_t found = 0;
    double narrow_time = 0;
    std::int64_t wide_time = 0;
    const auto inside = [&](std::size_t span) {
      return std::min(model.spans.end(span), range.to) -
             std::max(model.spans.start[span], range.from);
    };
    const double width = static_cast<double>(range.to - range.from) / static_cast<double>(columns);
    for (const TimelineRow& row : rows) {
      for (const std::uint32_t span : row.wide) {
        EXPECT_GE(static_cast<double>(model.spans.duration[span]), width * 0.999);
        wide_time += inside(span);
      }
      found += row.wide.size();
      for (const auto& column : row.narrow) {
        found += column.count;
        const auto border = [&](std::uint32_t c) { return (range.to - range.from) * c / columns; };
        narrow_time +=
            column.covered * static_cast<double>(border(column.column + 1) - border(column.column));
      }
    }
    std::uint64_t expected = 0;
    std::int64_t time = 0;
    for (std::size_t span = 0; span < model.spans.size(); ++span) {
      const bool starts_inside =
          model.spans.start[span] >= range.from && model.spans.start[span] < range.to;
      const bool reaches_in =
          model.spans.start[span] < range.from && model.spans.end(span) > range.from;
      if (!starts_inside && !reaches_in) continue;
      ++expected;
      time += inside(span);
    }
    EXPECT_EQ(found, expected);
    EXPECT_NEAR(narrow_time + static_cast<double>(wide_time), static_cast<double>(time), 1e-6);
  }
}

}  // namespace
}  // namespace sightline::dashboard
