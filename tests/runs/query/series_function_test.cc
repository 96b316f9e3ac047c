#include "sightline/runs/query/series_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/runs/model/series_points.h"

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string TextOf(const Series& series, std::string_view name,
                   std::optional<std::size_t> steps = std::nullopt) {
  return QueryValueText(ValueOf(series, *SeriesFunctionOf(name), steps));
}

Series SeriesOf(const std::vector<std::int64_t>& steps, const std::vector<double>& values) {
  SeriesPoints points;
  points.steps = steps;
  points.wall_times = std::vector<double>(steps.size(), 1);
  points.values = values;
  return Series({ContentKind::kScalar, "", "loss", 0}, std::move(points));
}

TEST(SeriesFunctionTest, StatisticsAreOfTheFiniteValues) {
  const Series series = SeriesOf({0, 1, 2, 3, 4, 5}, {2, kNan, 4, kInfinity, 9, 1});
  EXPECT_EQ(TextOf(series, "mean"), "4");
  EXPECT_EQ(TextOf(series, "median"), "3");
  // As numpy.quantile([1, 2, 4, 9], 0.95).
  EXPECT_NEAR(std::get<double>(ValueOf(series, SeriesFunction::kP95)), 8.25, 1e-12);
  EXPECT_NEAR(std::get<double>(ValueOf(series, SeriesFunction::kStd)), std::sqrt(38.0 / 3), 1e-12);
}

TEST(SeriesFunctionTest, AStatisticIsNanIfNoValueIsFinite) {
  const Series series = SeriesOf({0, 1, 2}, {7, kNan, -kInfinity});
  EXPECT_EQ(TextOf(series, "mean"), "7");
  for (const char* const name : {"mean", "median", "p95", "std"})
    EXPECT_EQ(TextOf(series, name, 2), "nan") << name;
}

TEST(SeriesFunctionTest, EqualValuesAreTheirMeanAndDoNotDeviate) {
  const Series series = SeriesOf({0, 1, 2, 3, 4, 5, 6}, std::vector<double>(7, 0.1));
  EXPECT_EQ(TextOf(series, "mean"), "0.1");
  EXPECT_EQ(TextOf(series, "std"), "0");
  EXPECT_EQ(TextOf(series, "p95"), "0.1");
}

TEST(SeriesFunctionTest, OneValueHasNoDeviation) {
  EXPECT_EQ(TextOf(SeriesOf({3}, {7}), "std"), "");
  EXPECT_EQ(TextOf(SeriesOf({3}, {7}), "p95"), "7");
}

TEST(SeriesFunctionTest, CountsTheLastStepsNotThePoints) {
  const Series series = SeriesOf({10, 20, 20, 30, 40, 40}, {100, 3, 5, 6, 8, 10});
  EXPECT_EQ(TextOf(series, "mean", 1), "9");
  EXPECT_EQ(TextOf(series, "mean", 2), "8");
  EXPECT_EQ(TextOf(series, "median", 3), "6");
  EXPECT_EQ(TextOf(series, "mean", 4), "22");
  EXPECT_EQ(TextOf(series, "mean", 100), "22");
}

TEST(SeriesFunctionTest, FirstNanIsTheStepOfTheFirstValueThatIsNotFinite) {
  EXPECT_EQ(TextOf(SeriesOf({5, 7, 9}, {1, kInfinity, kNan}), "first_nan"), "7");
  EXPECT_EQ(TextOf(SeriesOf({5, 7}, {1, 2}), "first_nan"), "");
}

// Fails if it is asked for the points.
class NoPoints final : public SeriesSource {
 public:
  SeriesPoints Load(std::size_t /*number*/, bool /*scalar*/,
                    const SeriesSummary& /*summary*/) override {
    ADD_FAILURE() << "the points were loaded";
    return {};
  }
  std::shared_ptr<SeriesSource> Unloaded() const override { return nullptr; }
};

TEST(SeriesFunctionTest, WhatTheIndexKnowsLoadsNoPoints) {
  SeriesSummary summary;
  summary.size = 4;
  summary.last_step = 9;
  summary.first = 5;
  summary.last = 2;
  summary.extremes = {1, 6, 4, 0, 0, 0};
  const Series series({ContentKind::kScalar, "", "loss", 0}, summary, std::make_shared<NoPoints>(),
                      0);
  std::string text;
  for (const char* const name : {"first", "last", "min", "max", "count", "step", "first_nan"})
    text += TextOf(series, name) + ";";
  EXPECT_EQ(text, "5;2;1;6;4;9;;");
}

}  // namespace
}  // namespace sightline
