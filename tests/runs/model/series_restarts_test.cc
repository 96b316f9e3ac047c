// Which points a later attempt of the same training supersedes.
#include "sightline/runs/model/series_restarts.h"

#include <gmock/gmock.h>

#include <limits>

#include "sightline/runs/model/series_points.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Point {
  std::int64_t step;
  double time;
};

// The value of a point is its time.
Series Recorded(const std::vector<Point>& recorded) {
  SeriesPoints points;
  for (const auto& [step, time] : recorded) {
    points.steps.push_back(step);
    points.wall_times.push_back(time);
    points.values.push_back(time);
  }
  points.Sort();
  return {SeriesKey{ContentKind::kScalar, "", "loss", 0}, std::move(points)};
}

TEST(SeriesRestartsTest, OneAttemptHasNone) {
  const Series series = Recorded({{0, 1}, {1, 2}, {5, 3}, {6, 3}});
  EXPECT_THAT(series.restarts().steps, IsEmpty());
  EXPECT_EQ(series.restarts().superseded, 0U);
  EXPECT_EQ(NewestOf(series), nullptr);
}

TEST(SeriesRestartsTest, ALaterAttemptSupersedesFromItsFirstStep) {
  const Series series = Recorded({{0, 1}, {10, 2}, {20, 3}, {30, 4}, {15, 5}, {20, 6}, {25, 7}});
  EXPECT_THAT(series.restarts().steps, ElementsAre(15));
  EXPECT_EQ(series.restarts().superseded, 2U);
  const auto newest = NewestOf(series);
  ASSERT_NE(newest, nullptr);
  EXPECT_THAT(newest->steps(), ElementsAre(0, 10, 15, 20, 25));
  EXPECT_THAT(newest->values(), ElementsAre(1, 2, 5, 6, 7));
  EXPECT_EQ(newest->key(), series.key());
  EXPECT_EQ(NewestOf(*newest), nullptr);
}

TEST(SeriesRestartsTest, AttemptsFollowEachOther) {
  const Series series =
      Recorded({{0, 1}, {10, 2}, {20, 3}, {10, 4}, {20, 5}, {30, 6}, {5, 7}, {10, 8}});
  EXPECT_THAT(series.restarts().steps, ElementsAre(10, 5));
  EXPECT_THAT(NewestOf(series)->values(), ElementsAre(1, 7, 8));
}

TEST(SeriesRestartsTest, OfOneStepTheLastValueIsTheNewest) {
  const Series series = Recorded({{3, 1}, {3, 2}, {3, 3}});
  EXPECT_THAT(series.restarts().steps, IsEmpty());
  EXPECT_THAT(NewestOf(series)->values(), ElementsAre(3));
}

TEST(SeriesRestartsTest, ManyStepsBackAreNoRestarts) {
  std::vector<Point> two_processes;
  for (int i = 0; i < 1000; ++i)
    two_processes.push_back({i % 2 == 0 ? i : i - 3, static_cast<double>(i)});
  EXPECT_THAT(Recorded(two_processes).restarts().steps, IsEmpty());
}

TEST(SeriesRestartsTest, UnknownTimesSupersedeNothing) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const Series series = Recorded({{0, 1}, {1, unknown}, {2, 3}});
  EXPECT_EQ(series.restarts().superseded, 0U);
  EXPECT_EQ(Recorded({{0, 0}, {1, 0}, {2, 0}}).restarts().superseded, 0U);
}

}  // namespace
}  // namespace sightline
