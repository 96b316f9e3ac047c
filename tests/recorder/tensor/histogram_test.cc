#include "sightline/recorder/tensor/histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>
#include <limits>
#include <numeric>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "sightline/tests/recorder/histogram_values.h"
#include "sightline/tests/support/mindspore_values.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::Counts;
using ::sightline::testing::Histogram;
using ::sightline::testing::IsStatus;
using ::sightline::testing::JsonNumber;
using ::sightline::testing::kInf;
using ::sightline::testing::kNaN;
using ::sightline::testing::Lefts;
using ::sightline::testing::MindSporeAnswer;
using ::sightline::testing::MindSporeInput;
using ::sightline::testing::MindSporeTags;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::int64_t Total(const HistogramData& histogram) {
  const std::vector<std::int64_t> counts = Counts(histogram);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

TEST(HistogramTest, EqualsMindSporesForEveryInputOfTheCorpus) {
  const std::vector<std::string> tags = MindSporeTags("histogram");
  EXPECT_EQ(tags.size(), 21U);
  for (const std::string& tag : tags) {
    SCOPED_TRACE(tag);
    const nlohmann::json answer = MindSporeAnswer(tag, "histogram");
    const NpyArray input = MindSporeInput(tag);
    const HistogramData ours = ComputeHistogram(input.View()).value();
    EXPECT_EQ(ours.count, JsonNumber(answer["count"]));
    EXPECT_EQ(ours.nan_count, JsonNumber(answer["nan_count"]));
    EXPECT_EQ(ours.pos_inf_count, JsonNumber(answer["pos_inf_count"]));
    EXPECT_EQ(ours.neg_inf_count, JsonNumber(answer["neg_inf_count"]));
    EXPECT_EQ(ours.has_finite, answer.contains("max"));
    EXPECT_EQ(ours.max, JsonNumber(answer.value("max", nlohmann::json(0))));
    EXPECT_EQ(ours.min, JsonNumber(answer.value("min", nlohmann::json(0))));
    EXPECT_EQ(ours.sum, JsonNumber(answer.value("sum", nlohmann::json(0))));
    const nlohmann::json buckets = answer.value("buckets", nlohmann::json::array());
    ASSERT_EQ(ours.buckets.size(), buckets.size());
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      EXPECT_EQ(ours.buckets[i].left, JsonNumber(buckets[i]["left"])) << i;
      EXPECT_EQ(ours.buckets[i].width, JsonNumber(buckets[i]["width"])) << i;
      EXPECT_EQ(ours.buckets[i].count, JsonNumber(buckets[i]["count"])) << i;
    }
  }
}

TEST(HistogramTest, BucketsGrowWithTheNumberOfFiniteValues) {
  const auto buckets_of = [](std::size_t n) {
    std::vector<float> values(n + 2, kNaN);
    std::iota(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), 0.0F);
    return Histogram(values).buckets.size();
  };
  EXPECT_EQ(buckets_of(0), 0U);
  EXPECT_EQ(buckets_of(1), 2U);
  EXPECT_EQ(buckets_of(5), 2U);
  EXPECT_EQ(buckets_of(6), 3U);
  EXPECT_EQ(buckets_of(10), 3U);
  EXPECT_EQ(buckets_of(11), 2U);
  EXPECT_EQ(buckets_of(880), 89U);
  EXPECT_EQ(buckets_of(881), 90U);
  EXPECT_EQ(buckets_of(100000), 90U);
}

TEST(HistogramTest, CountsNaNAndInfinitiesApart) {
  const HistogramData h = Histogram<float>({1, kNaN, kInf, 2, -kInf, kInf});
  EXPECT_EQ(h.count, 6);
  EXPECT_EQ(h.nan_count, 1);
  EXPECT_EQ(h.pos_inf_count, 2);
  EXPECT_EQ(h.neg_inf_count, 1);
  EXPECT_EQ(h.min, 1);
  EXPECT_EQ(h.max, 2);
  EXPECT_EQ(h.sum, 3);
  EXPECT_EQ(h.sum_squares, 5);
  EXPECT_THAT(Counts(h), ElementsAre(1, 1));
}

TEST(HistogramTest, WithoutFiniteValuesHasNoBuckets) {
  for (const std::vector<float>& values : {std::vector<float>{}, {kNaN}, {kInf, -kInf}}) {
    const HistogramData h = Histogram(values);
    EXPECT_FALSE(h.has_finite);
    EXPECT_THAT(h.buckets, IsEmpty());
    EXPECT_EQ(h.count, static_cast<std::int64_t>(values.size()));
    EXPECT_EQ(h.sum, 0);
  }
}

TEST(HistogramTest, ConstantValuesStandInTheMiddleOfAUnit) {
  const HistogramData h = Histogram<float>({3, 3, 3});
  EXPECT_THAT(Lefts(h), ElementsAre(2.5, 3));
  EXPECT_THAT(Counts(h), ElementsAre(0, 3));
}

TEST(HistogramTest, ConstantValuesTooLargeForAUnitAreCounted) {
  const HistogramData h = Histogram(std::vector<float>(1000, -1e9F));
  EXPECT_EQ(h.buckets.size(), 90U);
  EXPECT_EQ(h.buckets.back().count, 1000);
  EXPECT_EQ(h.buckets.back().width, 0);
}

TEST(HistogramTest, IntegerEdgesAreRoundedDownAndWidthsNeverWrapAround) {
  const HistogramData h = Histogram<std::int8_t>({-128, -1, 0, 127});
  EXPECT_THAT(Lefts(h), ElementsAre(-128, -1));
  EXPECT_EQ(h.buckets[1].width, 128);  // NumPy's int8 says -128.
  EXPECT_THAT(Counts(h), ElementsAre(1, 3));
}

TEST(HistogramTest, UnsignedZerosHaveNoNegativeEdge) {
  const HistogramData h = Histogram<std::uint8_t>({0, 0, 0});
  EXPECT_THAT(Lefts(h), ElementsAre(0, 0));
  EXPECT_EQ(Total(h), 3);
}

TEST(HistogramTest, SixtyFourBitIntegersAreComparedAsIntegers) {
  const std::int64_t big = std::int64_t{1} << 60U;
  const HistogramData h = Histogram<std::int64_t>({big, big + 499, big + 501, big + 1024});
  EXPECT_THAT(Lefts(h), ElementsAre(static_cast<double>(big), static_cast<double>(big + 512)));
  EXPECT_THAT(Counts(h), ElementsAre(3, 1));
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Total(Histogram<std::int64_t>({kMax, kMax})), 2);
  EXPECT_EQ(Total(Histogram<std::int64_t>({-kMax - 1, 0, kMax})), 3);
  EXPECT_EQ(Total(Histogram<std::uint64_t>({0, ~std::uint64_t{0}})), 2);
}

TEST(HistogramTest, RangeBeyondFloat64IsDividedFirst) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const HistogramData h = Histogram<double>({-kMax, -1, 0, 1, kMax});
  EXPECT_THAT(Lefts(h), ElementsAre(-kMax, 0));
  EXPECT_THAT(Counts(h), ElementsAre(2, 3));
}

TEST(HistogramTest, RangeBeyondFloat32IsCounted) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const HistogramData h = Histogram<float>({-kMax, -1, 0, 1, kMax});
  EXPECT_THAT(Lefts(h), ElementsAre(-kMax, 0));
  EXPECT_THAT(Counts(h), ElementsAre(2, 3));
}

TEST(HistogramTest, BoolAndBfloat16HaveFloat32Edges) {
  const std::uint8_t bools[] = {0, 1, 1, 0, 1};
  const HistogramData of_bools = Histogram(DType::kBool, bools, 5);
  EXPECT_THAT(Lefts(of_bools), ElementsAre(0, 0.5));
  EXPECT_THAT(Counts(of_bools), ElementsAre(2, 3));
  const std::uint16_t bfloats[] = {0x3f80, 0x3f81};  // 1 and its successor, 1.0078125.
  const HistogramData of_bfloats = Histogram(DType::kBfloat16, bfloats, 2);
  EXPECT_THAT(Lefts(of_bfloats), ElementsAre(1, 1.00390625));
  EXPECT_THAT(Counts(of_bfloats), ElementsAre(1, 1));
}

// Numbers of either sign and very different magnitude, so that another order of additions ends in
// another sum.
std::vector<float> Unequal(std::size_t n) {
  std::vector<float> values(n);
  std::uint32_t x = 1;
  for (float& value : values) {
    x = x * 1664525U + 1013904223U;
    const float u = static_cast<float>(static_cast<std::int32_t>(x)) * 0x1p-31F;
    const float cube = u * u * u;
    value = cube * cube * cube;
  }
  return values;
}

// The sums are numpy.ma.masked_invalid(x).sum(dtype=numpy.float64), which is what MindSpore calls,
// in NumPy 1.26.4, for the values above and for a third of them in float64.
TEST(HistogramTest, SumsInNumpysOrder) {
  struct Known {
    std::size_t n;
    double floats;
    double doubles;
  };
  constexpr Known kKnown[] = {
      {7, -0x1.9b4d5db888322p-1, -0x1.123393d05acc2p-2},
      {8, -0x1.25358c5c44191p+0, -0x1.86f2107b0576cp-2},
      {127, 0x1.531ec755d5554p+0, 0x1.c42909c7c71c6p-2},
      {129, 0x1.057c3955d56e1p+0, 0x1.5ca5a1c7c73d6p-2},
      {1000, 0x1.28053e2c664f1p+3, 0x1.8ab1a83b33140p+1},
      {4999, 0x1.1665c35c07842p+3, 0x1.733259d00a056p+1},
      {8193, -0x1.9b782617ca29ep+1, -0x1.125019653171cp+0},
      {30011, 0x1.c0cedfc01c154p+3, 0x1.2b34952abd62dp+2},
      {40001, 0x1.604f7bf85e08ep+5, 0x1.d5bf4ff5d2b61p+3},
  };
  for (const Known& known : kKnown) {
    const std::vector<float> floats = Unequal(known.n);
    std::vector<double> thirds(floats.begin(), floats.end());
    for (double& value : thirds) value /= 3;
    EXPECT_EQ(Histogram(floats).sum, known.floats) << known.n;
    EXPECT_EQ(Histogram(thirds).sum, known.doubles) << known.n;
  }
}

TEST(HistogramTest, RefusesComplexAndUnsoundViews) {
  const float data[] = {1, 2};
  const std::int64_t shape[] = {1};
  EXPECT_THAT(ComputeHistogram({DType::kComplex64, shape, data}).error(),
              IsStatus(StatusCode::kInvalidArgument, "complex64"));
  EXPECT_THAT(ComputeHistogram({DType::kFloat32, shape, nullptr}).error(),
              IsStatus(StatusCode::kInvalidArgument, "no data"));
}

TEST(HistogramTest, ReadsUnalignedValues) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7};
  std::vector<char> bytes(1 + values.size() * sizeof(float));
  std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(float));
  EXPECT_EQ(Counts(Histogram(DType::kFloat32, bytes.data() + 1, values.size())),
            Counts(Histogram(values)));
}

// A training framework's threads often flush denormals to zero, which comparisons and subtractions
// would see.
class ForeignFloatMode {
 public:
  ForeignFloatMode() {
    std::fegetenv(&saved_);
    std::fesetround(FE_UPWARD);
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#endif
  }
  ~ForeignFloatMode() { std::fesetenv(&saved_); }
  ForeignFloatMode(const ForeignFloatMode&) = delete;
  ForeignFloatMode& operator=(const ForeignFloatMode&) = delete;

 private:
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x40;
  std::fenv_t saved_ = {};
};

TEST(HistogramTest, DoesNotDependOnTheCallersFloatingPointMode) {
  std::vector<float> values;
  std::vector<float> denormals;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(static_cast<float>(i % 97) / 7);
    denormals.push_back(static_cast<float>(i % 97) * std::numeric_limits<float>::denorm_min());
  }
  for (const std::vector<float>& input : {values, denormals}) {
    const HistogramData expected = Histogram(input);
    HistogramData got;
    int rounding_afterwards = 0;
    {
      const ForeignFloatMode mode;
      got = Histogram(input);
      rounding_afterwards = std::fegetround();
    }
    EXPECT_EQ(rounding_afterwards, FE_UPWARD);
    EXPECT_EQ(Lefts(got), Lefts(expected));
    EXPECT_EQ(Counts(got), Counts(expected));
    EXPECT_EQ(got.sum, expected.sum);
  }
}

}  // namespace
}  // namespace sightline
