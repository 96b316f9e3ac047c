#include "sightline/export/landscape/landscape_drawing.h"

#include <cmath>
#include <limits>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(RoundTicksTest, AreMultiplesOfOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(RoundTicks(-1.2, 2.7, 9), ElementsAre(-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5));
  EXPECT_THAT(RoundTicks(0, 100, 5), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_THAT(RoundTicks(1, 33, 6), ElementsAre(10, 20, 30));
  EXPECT_THAT(RoundTicks(0.1, 0.3, 2), ElementsAre(DoubleEq(0.1), DoubleEq(0.2), DoubleEq(0.3)));
}

TEST(RoundTicksTest, AreFewWhateverTheRange) {
  EXPECT_THAT(RoundTicks(3, 3, 5), ElementsAre(3));
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kMin = std::numeric_limits<double>::denorm_min();
  EXPECT_LE(RoundTicks(-kMax, kMax, 5).size(), 6U);
  EXPECT_LE(RoundTicks(0, kMin, 5).size(), 6U);
  EXPECT_LE(RoundTicks(1e30, std::nextafter(1e30, kMax), 5).size(), 6U);
}

}  // namespace
}  // namespace sightline
