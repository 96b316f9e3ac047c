#include "sightline/runs/model/band.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::MindSporeScalar;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class BandTest : public ::testing::Test {
 protected:
  void Record(const std::string& run, const std::string& events) {
    fs_.Put("root/" + run + "/" + testing::kMindSporeName, events);
  }
  Band Loss() {
    const auto group = RunGroup::Open({"root"}, {.file_system = &fs_});
    EXPECT_THAT(group, IsOk());
    return BandOf(group->runs(), "loss");
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(BandTest, EachStepHasTheSpreadOfTheRunsThatHaveIt) {
  Record("a", MindSporeScalar("loss", 1, 1) + MindSporeScalar("loss", 2, 5));
  Record("b", MindSporeScalar("loss", 1, 3) + MindSporeScalar("loss", 4, 7));
  Record("c", MindSporeScalar("accuracy", 1, 9));
  const Band band = Loss();
  ASSERT_THAT(band.steps, ElementsAre(1, 2, 4));
  EXPECT_EQ(band.spreads[0].count, 2U);
  EXPECT_EQ(band.spreads[0].mean, 2);
  EXPECT_EQ(band.spreads[0].min, 1);
  EXPECT_EQ(band.spreads[0].max, 3);
  EXPECT_DOUBLE_EQ(band.spreads[0].deviation, std::sqrt(2));
  EXPECT_EQ(band.spreads[1].mean, 5);
  EXPECT_TRUE(std::isnan(band.spreads[1].deviation)) << "of one";
  EXPECT_EQ(band.spreads[2].mean, 7);
}

TEST_F(BandTest, TheLastValueOfAStepCountsAndNaNDoesNot) {
  Record("a", MindSporeScalar("loss", 1, 1) + MindSporeScalar("loss", 1, 2) +
                  MindSporeScalar("loss", 2, kNaN));
  Record("b", MindSporeScalar("loss", 1, 4));
  const Band band = Loss();
  ASSERT_THAT(band.steps, ElementsAre(1, 2));
  EXPECT_EQ(band.spreads[0].mean, 3);
  EXPECT_EQ(band.spreads[1].count, 0U);
  EXPECT_TRUE(std::isnan(band.spreads[1].mean));
}

TEST_F(BandTest, IsEmptyWithoutTheTag) {
  Record("a", MindSporeScalar("accuracy", 1, 1));
  EXPECT_TRUE(Loss().steps.empty());
}

}  // namespace
}  // namespace sightline
