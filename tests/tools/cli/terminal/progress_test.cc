#include "sightline/tools/cli/terminal/progress.h"

#include <gtest/gtest.h>

namespace sightline {
namespace {

TEST(ProgressTest, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(ProgressText(120'000'000, 260'000'000, 0.4),
            "46 %, 120 MB of 260 MB, 300 MB/s, 1 s left");
  EXPECT_EQ(ProgressText(1'000'000, 1'000'000'000, 2),
            "0 %, 1.0 MB of 1000 MB, 0.5 MB/s, 34 min left");
  EXPECT_EQ(ProgressText(1'000'000, 100'000'000'000, 1),
            "0 %, 1.0 MB of 100000 MB, 1.0 MB/s, 28 h left");
}

TEST(ProgressTest, BeforeAnythingIsDoneThereIsNoRate) {
  EXPECT_EQ(ProgressText(0, 5'000'000, 3), "0 %, 0.0 MB of 5.0 MB");
}

TEST(ProgressTest, NoMoreThanEverythingIsDone) {
  EXPECT_EQ(ProgressText(6'000'000, 5'000'000, 1), "100 %, 5.0 MB of 5.0 MB, 5.0 MB/s, 0 s left");
}

}  // namespace
}  // namespace sightline
