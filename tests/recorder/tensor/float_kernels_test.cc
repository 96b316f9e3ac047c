#include "sightline/recorder/tensor/float_kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sightline/tests/recorder/histogram_values.h"

namespace sightline {
namespace {

using testing::Counts;
using testing::Histogram;
using testing::kInf;
using testing::kNaN;
using testing::Lefts;

// A second implementation, as plain as the rules: every value is compared with every edge.
HistogramData PlainHistogram(const std::vector<float>& values) {
  HistogramData h;
  std::vector<float> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](float v) { return std::isfinite(v); });
  if (finite.empty()) return h;
  const std::size_t n = finite.size();
  const std::size_t buckets = n <= 5 ? 2 : n <= 10 ? 3 : n <= 880 ? n / 10 + 1 : 90;
  double min = *std::min_element(finite.begin(), finite.end());
  double max = *std::max_element(finite.begin(), finite.end());
  if (min == max) {
    min -= 0.5;
    max += 0.5;
  }
  std::vector<float> edges;
  const double step = (max - min) / static_cast<double>(buckets);
  for (std::size_t i = 0; i < buckets; ++i) {
    edges.push_back(static_cast<float>(static_cast<double>(i) * step + min));
  }
  edges.push_back(static_cast<float>(max));
  for (std::size_t i = 0; i < buckets; ++i) {
    const bool last = i + 1 == buckets;
    const auto count = std::count_if(finite.begin(), finite.end(), [&](float v) {
      return v >= edges[i] && (v < edges[i + 1] || (last && v == edges[i + 1]));
    });
    h.buckets.push_back({edges[i], edges[i + 1] - edges[i], static_cast<double>(count)});
  }
  return h;
}

// For each instruction set of this processor that was compiled in; the best one is used outside of
// tests.
class FloatKernelsTest : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }

  void ExpectExact(const std::vector<float>& values) {
    const HistogramData expected = PlainHistogram(values);
    const HistogramData got = Histogram(values);
    ASSERT_EQ(Lefts(got), Lefts(expected));
    ASSERT_EQ(Counts(got), Counts(expected))
        << values.size() << " values from " << got.min << " to " << got.max;
  }

  std::size_t Size() { return kSizes[random_() % std::size(kSizes)]; }
  double Uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  float Magnitude() { return static_cast<float>(std::pow(10, 30 * Uniform())); }

  std::mt19937 random_{1};
  static constexpr std::size_t kSizes[] = {1, 2, 3, 7, 11, 15, 16, 17, 100, 879, 881, 3000};
};

TEST_P(FloatKernelsTest, IsExactForRandomValues) {
  for (int i = 0; i < 200; ++i) {
    const float scale = Magnitude();
    const float shift = i % 2 == 0 ? 0 : scale * 10;
    std::vector<float> values(Size());
    for (float& v : values) v = static_cast<float>(Uniform()) * scale + shift;
    ExpectExact(values);
  }
}

TEST_P(FloatKernelsTest, IsExactOnAndBesideEveryEdge) {
  for (int i = 0; i < 200; ++i) {
    std::vector<float> values(Size());
    const float low = static_cast<float>(Uniform()) * Magnitude();
    values[0] = low;
    values.back() = low + Magnitude();
    const HistogramData edges = PlainHistogram(values);
    for (std::size_t j = 1; j + 1 < values.size(); ++j) {
      const auto edge = static_cast<float>(edges.buckets[random_() % edges.buckets.size()].left);
      const float beside[] = {edge, std::nextafter(edge, kInf), std::nextafter(edge, -kInf)};
      values[j] = std::clamp(beside[random_() % 3], values[0], values.back());
    }
    ExpectExact(values);
  }
}

TEST_P(FloatKernelsTest, IsExactForAFewNeighbouringFloats) {
  for (int i = 0; i < 200; ++i) {
    const auto first = std::bit_cast<std::int32_t>(Magnitude());
    const auto spread = static_cast<std::int32_t>(random_() % 400 + 1);
    std::vector<float> values(Size());
    for (float& v : values)
      v = std::bit_cast<float>(first + static_cast<std::int32_t>(random_()) % spread);
    ExpectExact(values);
  }
}

TEST_P(FloatKernelsTest, IsExactForDenormals) {
  for (const int spread : {2, 3, 50, 1000, 1000000}) {
    std::vector<float> values(2000);
    for (float& v : values) {
      const int units = static_cast<int>(random_() % static_cast<unsigned>(spread)) - spread / 2;
      v = static_cast<float>(units) * std::numeric_limits<float>::denorm_min();
    }
    ExpectExact(values);
  }
}

TEST_P(FloatKernelsTest, IsExactForAnyBitPatterns) {
  for (int i = 0; i < 100; ++i) {
    std::vector<float> values(Size());
    for (float& v : values) v = std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
    ExpectExact(values);
  }
}

TEST_P(FloatKernelsTest, IsExactBehindARelu) {
  std::vector<float> values(10000);
  for (float& v : values) v = std::max(0.0F, static_cast<float>(Uniform()));
  ExpectExact(values);
}

TEST_P(FloatKernelsTest, IsExactWithNaNAndInfinitiesMixedIn) {
  std::vector<float> values(20001);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 0    ? kNaN
                : i % 11 == 0 ? kInf
                : i % 13 == 0 ? -kInf
                              : static_cast<float>(Uniform());
  }
  ExpectExact(values);
}

// Shared memory may be written by its owner between the two passes; that must not corrupt ours.
TEST_P(FloatKernelsTest, ValuesOutsideOfTheEdgesStayWithinTheCounters) {
  FloatBuckets buckets;
  buckets.count = 2;
  buckets.edges = {0, 1, 2};
  ASSERT_TRUE(buckets.Prepare());
  std::vector<float> values;
  for (const float v : {3.0F, 1e38F, -1.0F, -1e38F, 92.5F, -0.6F})
    values.insert(values.end(), 35, v);
  BucketCounts counts = {};
  CountInBuckets(buckets, values.data(), values.size(), counts);
  EXPECT_EQ(counts[0] + counts[1], static_cast<std::int64_t>(values.size()));
}

TEST_P(FloatKernelsTest, SumsHaveTheSameBitsAsWithEveryOtherInstructionSet) {
  std::vector<float> values(30011);
  for (float& v : values) v = static_cast<float>(Uniform()) * Magnitude();
  const HistogramData got = Histogram(values);
  hwy::SetSupportedTargetsForTest(0);
  const HistogramData expected = Histogram(values);
  EXPECT_EQ(got.sum, expected.sum);
  EXPECT_EQ(got.sum_squares, expected.sum_squares);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, FloatKernelsTest,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& set) { return std::string(hwy::TargetName(set.param)); });

}  // namespace
}  // namespace sightline
