// How long one series follows another.
#include "sightline/runs/compare/series_comparison.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "sightline/tests/runs/compare/made_series.h"

namespace sightline {
namespace {

using testing::MadeSeries;
using testing::StepValues;
using testing::ValuesOf;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

SeriesComparison Compared(const StepValues& a, const StepValues& b, double tolerance = 0.02) {
  return CompareSeries(*MadeSeries(a), *MadeSeries(b), tolerance);
}

// A reference that is 1 at steps 1 to 20, beside one that is `value_at`.
SeriesComparison BesideOnes(const std::function<double(std::int64_t)>& value_at) {
  return Compared(ValuesOf(20, [](auto) { return 1.0; }), ValuesOf(20, value_at));
}

TEST(SeriesComparisonTest, WhatIsEqualIsAlikeWithoutAnyTolerance) {
  const StepValues values = ValuesOf(100, [](auto step) { return std::sin(step); });
  const SeriesComparison found = Compared(values, values, 0);
  EXPECT_EQ(found.verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(found.joined, 100U);
  EXPECT_EQ(found.beyond, 0U);
  EXPECT_EQ(found.mean_difference, 0.0);
  ASSERT_TRUE(found.last);
  EXPECT_EQ(found.last->step, 100);
}

TEST(SeriesComparisonTest, TheToleranceIsAShareOfTheReference) {
  EXPECT_EQ(BesideOnes([](auto) { return 1.0199; }).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(BesideOnes([](auto) { return 0.9801; }).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(BesideOnes([](auto) { return 1.0201; }).verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(BesideOnes([](auto) { return 0.9799; }).verdict, SeriesVerdict::kLeaves);
  EXPECT_NEAR(BesideOnes([](auto) { return 1.03; }).mean_difference.value(), 0.03, 1e-12);
}

// The median of |a| is 10, so that values below 1 are measured as 1 would be.
TEST(SeriesComparisonTest, NearZeroATenthOfTheMedianCounts) {
  const auto reference = [](std::int64_t step) { return step > 15 ? 0.001 : -10.0; };
  const auto beside = [&](double added) {
    return Compared(ValuesOf(20, reference), ValuesOf(20, [&](auto step) {
                      return reference(step) + (step > 15 ? added : 0);
                    }));
  };
  EXPECT_EQ(beside(0.0199).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(beside(0.0201).leaves.value().step, 16);
}

TEST(SeriesComparisonTest, AReferenceOfZerosIsFollowedByZeros) {
  const auto zeros = ValuesOf(5, [](auto) { return 0.0; });
  EXPECT_EQ(Compared(zeros, zeros).verdict, SeriesVerdict::kAlike);
  EXPECT_FALSE(Compared(zeros, zeros).mean_difference);
  EXPECT_EQ(Compared(zeros, ValuesOf(5, [](auto) { return 1e-9; })).verdict,
            SeriesVerdict::kLeaves);
}

TEST(SeriesComparisonTest, LeavesAtTheFirstOfThreeInARow) {
  const SeriesComparison found = BesideOnes([](auto step) {
    const bool beyond = step == 3 || step == 6 || step == 7 || (step >= 11 && step <= 13);
    return beyond ? 2.0 : 1.0;
  });
  EXPECT_EQ(found.verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(found.leaves.value().step, 11);
  EXPECT_EQ(found.leaves.value().b, 2);
  EXPECT_EQ(found.beyond, 6U);
  EXPECT_EQ(found.single, 3U);
  EXPECT_EQ(found.first_single.value().step, 3);
}

TEST(SeriesComparisonTest, SingleStepsAreCountedApart) {
  const SeriesComparison found = BesideOnes([](auto step) { return step % 3 == 0 ? 1.0 : 2.0; });
  EXPECT_EQ(found.verdict, SeriesVerdict::kAlike);
  EXPECT_FALSE(found.leaves);
  EXPECT_EQ(found.single, 14U);
}

// A row is one of joined steps: what only one of them has does not end it.
TEST(SeriesComparisonTest, StepsInOneOnlyAreCountedAndDoNotEndARow) {
  const SeriesComparison found =
      Compared({{1, 1}, {2, 1}, {4, 1}, {6, 1}, {8, 1}},
               {{1, 1}, {2, 2}, {3, 1}, {4, 2}, {5, 1}, {6, 2}, {7, 1}, {9, 1}});
  EXPECT_EQ(found.joined, 4U);
  EXPECT_EQ(found.only_in_a, 1U);
  EXPECT_EQ(found.only_in_b, 4U);
  EXPECT_EQ(found.leaves.value().step, 2);
}

TEST(SeriesComparisonTest, OfARepeatedStepTheNewestCounts) {
  const StepValues repeated = {{1, 9}, {2, 9}, {3, 9}, {1, 1}, {2, 1}, {3, 1}};
  const SeriesComparison found = Compared({{1, 1}, {2, 1}, {3, 1}}, repeated);
  EXPECT_EQ(found.verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(found.joined, 3U);
  EXPECT_EQ(found.only_in_b, 0U);
}

TEST(SeriesComparisonTest, NotFiniteInBothIsAlikeInOneItIsBeyond) {
  const auto one = [](double value) { return ValuesOf(9, [=](auto) { return value; }); };
  EXPECT_EQ(Compared(one(kNan), one(-kNan)).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(Compared(one(kInf), one(kInf)).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(Compared(one(kInf), one(-kInf)).verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(Compared(one(kInf), one(kNan)).verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(Compared(one(kNan), one(1)).verdict, SeriesVerdict::kLeaves);
  const SeriesComparison found = BesideOnes([](auto step) { return step >= 8 ? kNan : 1.0; });
  EXPECT_EQ(found.leaves.value().step, 8);
  EXPECT_EQ(found.mean_difference, 0.0) << "of the finite ones";
}

TEST(SeriesComparisonTest, OfFewerThanThreeCommonStepsAllMustBeBeyond) {
  EXPECT_EQ(Compared({{1, 1}}, {{1, 2}}).leaves.value().step, 1);
  EXPECT_EQ(Compared({{1, 1}, {2, 1}}, {{1, 2}, {2, 2}}).verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(Compared({{1, 1}, {2, 1}}, {{1, 1}, {2, 2}}).verdict, SeriesVerdict::kAlike);
}

// A run that ended early, or recorded every tenth step, can be compared.
TEST(SeriesComparisonTest, HalfOfTheStepsOfTheShorterOneMustBeCommon) {
  const auto one = [](auto) { return 1.0; };
  EXPECT_EQ(Compared(ValuesOf(100, one), ValuesOf(10, one)).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(Compared({{1, 1}, {2, 1}, {3, 1}}, {{3, 1}, {4, 1}, {5, 1}}).verdict,
            SeriesVerdict::kTooFewSteps);
  EXPECT_EQ(Compared({{1, 1}, {2, 1}}, {{2, 1}, {3, 1}}).verdict, SeriesVerdict::kAlike);
  EXPECT_EQ(Compared({{1, 1}, {2, 1}}, {{3, 1}, {4, 1}}).verdict, SeriesVerdict::kTooFewSteps);
}

TEST(SeriesComparisonTest, StepsThatAreCountedFromZeroAreRecognized) {
  const auto value = [](std::int64_t step) { return 2.0 + std::sin(static_cast<double>(step)); };
  const StepValues from_one = ValuesOf(50, value);
  StepValues from_zero = from_one;
  for (auto& point : from_zero) --point.first;
  EXPECT_EQ(Compared(from_one, from_zero).verdict, SeriesVerdict::kLeaves);
  EXPECT_EQ(Compared(from_one, from_zero).alike_if_shifted, 1);
  EXPECT_EQ(Compared(from_zero, from_one).alike_if_shifted, -1);
  EXPECT_FALSE(
      Compared(from_one, ValuesOf(50, [&](auto s) { return -value(s); })).alike_if_shifted);
  EXPECT_FALSE(Compared(from_one, from_one).alike_if_shifted);
}

TEST(SeriesComparisonTest, AnyStepsOfAFileAreCompared) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const StepValues ends = {{kLeast, 1}, {0, 1}, {kMost, 1}};
  EXPECT_EQ(Compared(ends, ends).verdict, SeriesVerdict::kAlike);
  EXPECT_FALSE(Compared(ends, {{kLeast, 9}, {0, 9}, {kMost, 9}}).alike_if_shifted);
  EXPECT_EQ(Compared({{1, 1e308}, {2, -1e308}}, {{1, -1e308}, {2, 1e308}}).verdict,
            SeriesVerdict::kLeaves);
}

}  // namespace
}  // namespace sightline
