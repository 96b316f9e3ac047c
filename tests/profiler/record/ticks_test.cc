#include "sightline/profiler/record/ticks.h"

#include <gtest/gtest.h>

namespace sightline::profiler {
namespace {

TEST(TickTimelineTest, PlacesReadingsBetweenItsAnchors) {
  TickTimeline timeline;
  timeline.Start({1000, 500}, {2000, 1000});  // Half a nanosecond a tick.
  EXPECT_EQ(timeline.Nanos(1000), 500);
  EXPECT_EQ(timeline.Nanos(1500), 750);
  timeline.Add({4000, 3000});  // From here a nanosecond a tick.
  EXPECT_EQ(timeline.Nanos(3000), 2000);
  EXPECT_EQ(timeline.Nanos(4000), 3000);
  EXPECT_EQ(timeline.Nanos(1500), 750) << "a late reading is placed by the line before";
}

TEST(TickTimelineTest, NeverGoesBackOverAnAnchor) {
  TickTimeline timeline;
  timeline.Start({0, 0}, {7, 3});
  std::int64_t last = 0;
  std::uint64_t ticks = 7;
  std::int64_t nanos = 3;
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t from = ticks;
    ticks += 7 + static_cast<std::uint64_t>(round % 13);
    nanos += 1 + round % 5;
    timeline.Add({ticks, nanos});
    for (std::uint64_t at = from; at <= ticks; ++at) {
      ASSERT_GE(timeline.Nanos(at), last);
      last = timeline.Nanos(at);
    }
  }
}

TEST(TickTimelineTest, IgnoresAnAnchorThatIsNotBehindTheLast) {
  TickTimeline timeline;
  timeline.Start({0, 0}, {10, 10});
  timeline.Add({10, 20});
  timeline.Add({20, 10});
  EXPECT_EQ(timeline.Nanos(30), 30);
}

TEST(TickTimelineTest, HoldsYears) {
  TickTimeline timeline;
  const std::uint64_t year_of_ticks = 100'000'000'000'000'000;  // At 3 GHz.
  timeline.Start({0, 0}, {year_of_ticks, 33'333'333'333'333'333});
  EXPECT_NEAR(static_cast<double>(timeline.Nanos(2 * year_of_ticks)), 66'666'666'666'666'666.0,
              1e9);
}

}  // namespace
}  // namespace sightline::profiler
