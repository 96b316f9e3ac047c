#include "sightline/profiler/import/source/decimal_time.h"

#include <gtest/gtest.h>

namespace sightline::profiler {
namespace {

TEST(DecimalTime, IsExactWhereAFloatIsNot) {
  EXPECT_EQ(ParseDecimal("1795189731943100.648", 3), 1795189731943100648);
  EXPECT_EQ(ParseDecimal("1.7951906629540417e+15", 3), 1795190662954041700);
  EXPECT_EQ(ParseDecimal("0.015303", 6), 15303);
  EXPECT_EQ(ParseDecimal("10.996", 3), 10996);
}

TEST(DecimalTime, RoundsWhatIsFiner) {
  EXPECT_EQ(ParseDecimal("58.267000000000003", 3), 58267);
  EXPECT_EQ(ParseDecimal("57.975999999999999", 3), 57976);
  EXPECT_EQ(ParseDecimal("0.0005", 3), 1);
  EXPECT_EQ(ParseDecimal("-0.0005", 3), -1);
  EXPECT_EQ(ParseDecimal("1e-300", 3), 0);
}

TEST(DecimalTime, SkipsBlanksAround) { EXPECT_EQ(ParseDecimal(" 12.5\t", 3), 12500); }

TEST(DecimalTime, RefusesWhatIsNoNumberOrTooGreat) {
  for (const char* text :
       {"", ".", "-", "1x", "1e", "1e999", "nan", "1.2.3", "99999999999999999999"})
    EXPECT_EQ(ParseDecimal(text, 3), std::nullopt) << text;
}

}  // namespace
}  // namespace sightline::profiler
