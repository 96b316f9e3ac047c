#include "sightline/runs/model/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sightline/runs/model/pyramid.h"
#include "sightline/runs/model/series_points.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// Point by point, as slowly as possible.
Extremes Scan(std::span<const double> values) {
  Extremes extremes;
  for (const double value : values) {
    ++extremes.count;
    if (std::isnan(value)) {
      ++extremes.nan_count;
    } else if (std::isinf(value)) {
      ++(value > 0 ? extremes.pos_inf_count : extremes.neg_inf_count);
    } else {
      if (!(extremes.min <= value)) extremes.min = value;
      if (!(extremes.max >= value)) extremes.max = value;
    }
  }
  return extremes;
}

void ExpectSame(const Extremes& got, const Extremes& expected) {
  EXPECT_EQ(got.count, expected.count);
  EXPECT_EQ(got.nan_count, expected.nan_count);
  EXPECT_EQ(got.pos_inf_count, expected.pos_inf_count);
  EXPECT_EQ(got.neg_inf_count, expected.neg_inf_count);
  EXPECT_TRUE(got.min == expected.min || (std::isnan(got.min) && std::isnan(expected.min)));
  EXPECT_TRUE(got.max == expected.max || (std::isnan(got.max) && std::isnan(expected.max)));
}

std::vector<double> Numbers(std::size_t count, std::mt19937_64& random) {
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    const auto what = random() % 20;
    number = what == 0   ? kNaN
             : what == 1 ? kInf
             : what == 2 ? -kInf
                         : std::normal_distribution<>()(random);
  }
  return numbers;
}

Series Scalars(const std::vector<std::int64_t>& steps, const std::vector<double>& values) {
  SeriesPoints points;
  points.wall_times = std::vector<double>(steps.size(), 1);
  points.steps = steps;
  points.values = values;
  points.Sort();
  return {{ContentKind::kScalar, "", "loss", 0}, std::move(points)};
}

TEST(PyramidTest, EqualsAScanOfEveryLengthAndRange) {
  std::mt19937_64 random(1);
  for (const std::size_t length :
       {0U, 1U, 63U, 64U, 65U, 127U, 128U, 4095U, 4096U, 4097U, 300'000U}) {
    const std::vector<double> values = Numbers(length, random);
    const Pyramid pyramid(values);
    ExpectSame(pyramid.Of(0, length), Scan(values));
    for (int i = 0; i < 100; ++i) {
      std::size_t begin = random() % (length + 1);
      std::size_t end = random() % (length + 1);
      if (begin > end) std::swap(begin, end);
      ExpectSame(pyramid.Of(begin, end), Scan(std::span(values).subspan(begin, end - begin)));
    }
  }
}

TEST(PyramidTest, ExtendingEqualsBuildingFromAllValues) {
  std::mt19937_64 random(2);
  const std::vector<double> values = Numbers(20'000, random);
  Pyramid pyramid;
  for (std::size_t length = 0; length < values.size(); length += 1 + random() % 700) {
    pyramid.Extend(std::span(values).first(length));
    ExpectSame(pyramid.Of(0, length), Scan(std::span(values).first(length)));
  }
}

TEST(PyramidTest, FindsASingleSpikeWhereverItIs) {
  std::vector<double> values(5000, 1);
  for (const std::size_t at : {0U, 63U, 64U, 4095U, 4096U, 4999U}) {
    values[at] = 1e6;
    const Pyramid pyramid(values);
    EXPECT_EQ(pyramid.Of(0, values.size()).max, 1e6);
    EXPECT_EQ(pyramid.Of(at, at + 1).max, 1e6);
    if (at > 0) {
      EXPECT_EQ(pyramid.Of(0, at).max, 1);
    }
    values[at] = 1;
  }
}

TEST(SeriesTest, SortsByStepThenTimeAndKeepsTheOrderOfEqualPoints) {
  SeriesPoints points;
  points.steps = {3, 1, 1, 1, 2, 1};
  points.wall_times = {1, 9, 5, 9, 1, kNaN};
  points.values = {30, 10, 11, 12, 20, 13};
  points.Sort();
  EXPECT_THAT(points.steps, ElementsAre(1, 1, 1, 1, 2, 3));
  EXPECT_THAT(points.values, ElementsAre(11, 10, 12, 13, 20, 30));
}

TEST(SeriesTest, LatestPerStepIsAViewOfPoints) {
  const Series series = Scalars({0, 0, 1, 4, 4, 4}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(series.LatestPerStep(), ElementsAre(1, 2, 5));
  EXPECT_EQ(series.LowerBound(2), 3U);
  EXPECT_EQ(series.LowerBound(5), 6U);
}

// Each point is in exactly one column, and each column is what its points are.
void ExpectCut(const Series& series, const std::vector<SeriesColumn>& columns, std::size_t begin,
               std::size_t end) {
  std::size_t at = begin;
  for (const SeriesColumn& column : columns) {
    EXPECT_EQ(column.begin, at);
    ASSERT_LT(column.begin, column.end);
    EXPECT_EQ(column.first_step, series.steps()[column.begin]);
    EXPECT_EQ(column.last_step, series.steps()[column.end - 1]);
    ExpectSame(column.extremes,
               Scan(series.values().subspan(column.begin, column.end - column.begin)));
    at = column.end;
  }
  EXPECT_EQ(at, end);
}

TEST(SeriesTest, ColumnsHoldEveryPointOnceAndAreEquallyWide) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::int64_t> steps(random() % 500 + 1);
    for (auto& step : steps) step = static_cast<std::int64_t>(random() % 1000) - 500;
    std::vector<double> values = Numbers(steps.size(), random);
    const Series series = Scalars(steps, values);
    std::int64_t first = static_cast<std::int64_t>(random() % 1200) - 600;
    std::int64_t last = static_cast<std::int64_t>(random() % 1200) - 600;
    if (first > last) std::swap(first, last);
    const std::size_t count = random() % 50 + 1;
    const auto columns = series.ColumnsBySteps(first, last, count);
    EXPECT_LE(columns.size(), count);
    ExpectCut(series, columns, series.LowerBound(first), series.LowerBound(last + 1));
    const double width = static_cast<double>(last - first + 1) / static_cast<double>(count);
    for (const SeriesColumn& column : columns)
      EXPECT_LE(static_cast<double>(column.last_step - column.first_step), width);
    const std::size_t begin = random() % (series.size() + 1);
    ExpectCut(series, series.ColumnsByPosition(begin, series.size(), count), begin, series.size());
  }
}

TEST(SeriesTest, ColumnsCoverAllInt64Steps) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Series series = Scalars({kMin, -1, 0, kMax}, {1, 2, 3, 4});
  const auto two = series.ColumnsBySteps(kMin, kMax, 2);
  ASSERT_EQ(two.size(), 2U);
  ExpectCut(series, two, 0, 4);
  EXPECT_EQ(two[0].end, 2U);
  ExpectCut(series, series.ColumnsBySteps(kMin, kMax, 1'000'000'000), 0, 4);
  EXPECT_TRUE(series.ColumnsBySteps(1, 0, 10).empty());
  EXPECT_TRUE(series.ColumnsBySteps(0, 1, 0).empty());
  EXPECT_EQ(series.ColumnsBySteps(-1, 0, 10).size(), 2U);
}

TEST(SeriesTest, AColumnWithoutFiniteValuesHasNaNExtremes) {
  const Series series = Scalars({0, 1, 2}, {kNaN, kNaN, kInf});
  const Extremes extremes = series.ExtremesOf(0, 3);
  EXPECT_TRUE(std::isnan(extremes.min));
  EXPECT_EQ(extremes.nan_count, 2U);
  EXPECT_EQ(extremes.pos_inf_count, 1U);
  EXPECT_EQ(extremes.count, 3U);
}

}  // namespace
}  // namespace sightline
