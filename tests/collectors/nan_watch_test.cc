#include "sightline/collectors/nan_watch.h"

#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class NanWatchTest : public ::testing::Test {
 protected:
  std::vector<std::string> reports;
  NanWatch watch{[this](const NonFinite& found) { reports.push_back(found.ToString()); }};
};

TEST_F(NanWatchTest, SaysNothingOfFiniteValues) {
  for (const double value : {0.0, -1.5, 1e308, -1e308, 5e-324}) watch.Check("loss", 1, value);
  EXPECT_THAT(reports, IsEmpty());
  EXPECT_EQ(watch.first(), std::nullopt);
}

TEST_F(NanWatchTest, NamesTagAndFirstStep) {
  watch.Check("loss", 16, 1.0);
  watch.Check("loss", 17, kNan);
  EXPECT_THAT(reports, ElementsAre("loss is nan at step 17"));
}

TEST_F(NanWatchTest, ReportsATagOnce) {
  for (int step = 3; step < 9; ++step) watch.Check("loss", step, kInf);
  EXPECT_THAT(reports, ElementsAre("loss is inf at step 3"));
}

TEST_F(NanWatchTest, ReportsEachTag) {
  watch.Check("a", 3, -kInf);
  watch.Check("b", 4, kNan);
  EXPECT_THAT(reports, ElementsAre("a is -inf at step 3", "b is nan at step 4"));
}

TEST_F(NanWatchTest, RemembersTheFirstOfAll) {
  watch.Check("a", 3, -kInf);
  watch.Check("b", 4, kNan);
  EXPECT_EQ(watch.first()->ToString(), "a is -inf at step 3");
}

TEST_F(NanWatchTest, FindsTheElementOfATensor) {
  std::vector<float> weights(1000, 1.0F);
  const std::int64_t shape[] = {10, 100};
  watch.Check("w", 1, View(weights.data(), shape));
  weights[777] = -std::numeric_limits<float>::infinity();
  weights[900] = std::numeric_limits<float>::quiet_NaN();
  watch.Check("w", 2, View(weights.data(), shape));
  EXPECT_THAT(reports, ElementsAre("w is -inf at step 2"));
}

TEST(NanWatch, WorksWithoutACallback) {
  NanWatch watch({});
  watch.Check("loss", 5, kNan);
  EXPECT_EQ(watch.first()->step, 5);
}

TEST(NanWatch, SwallowsWhatTheCallbackThrows) {
  NanWatch watch([](const NonFinite&) { throw std::runtime_error("stop"); });
  watch.Check("loss", 5, kNan);
  EXPECT_EQ(watch.first()->step, 5);
}

// One bad element at every place of arrays around the size of a block.
template <typename T>
void ExpectFoundEverywhere(T finite, T bad) {
  for (const std::int64_t size : {1, 2, 255, 256, 257, 511, 512, 700}) {
    std::vector<T> values(static_cast<std::size_t>(size), finite);
    const std::int64_t shape[] = {size};
    const TensorView view = View(values.data(), shape);
    EXPECT_EQ(FindNonFinite(view), std::nullopt);
    for (T& value : values) {
      value = bad;
      const auto found = FindNonFinite(view);
      ASSERT_TRUE(found.has_value()) << "index " << &value - values.data() << " of " << size;
      EXPECT_THAT(*found, ::testing::NanSensitiveDoubleEq(bad));
      value = finite;
    }
  }
}

TEST(FindNonFinite, FindsFloat32Everywhere) {
  for (const float finite :
       {0.0F, -1.0F, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()}) {
    ExpectFoundEverywhere(finite, std::numeric_limits<float>::infinity());
    ExpectFoundEverywhere(finite, -std::numeric_limits<float>::infinity());
    ExpectFoundEverywhere(finite, std::numeric_limits<float>::quiet_NaN());
    ExpectFoundEverywhere(finite, -std::numeric_limits<float>::signaling_NaN());
  }
}

TEST(FindNonFinite, FindsFloat64Everywhere) {
  for (const double finite :
       {0.0, -1.0, std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()}) {
    ExpectFoundEverywhere(finite, kInf);
    ExpectFoundEverywhere(finite, -kInf);
    ExpectFoundEverywhere(finite, kNan);
  }
}

// The answer for one 16-bit pattern.
std::optional<double> Find16(DType dtype, std::uint16_t bits) {
  return FindNonFinite(TensorView{dtype, {}, &bits});
}

TEST(FindNonFinite, KnowsEveryFloat16) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool finite = (bits & 0x7c00U) != 0x7c00U;
    EXPECT_EQ(!Find16(DType::kFloat16, static_cast<std::uint16_t>(bits)).has_value(), finite)
        << bits;
  }
  EXPECT_EQ(Find16(DType::kFloat16, 0x7c00), kInf);
  EXPECT_EQ(Find16(DType::kFloat16, 0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(*Find16(DType::kFloat16, 0x7e00)));
}

TEST(FindNonFinite, KnowsEveryBfloat16) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool finite = (bits & 0x7f80U) != 0x7f80U;
    EXPECT_EQ(!Find16(DType::kBfloat16, static_cast<std::uint16_t>(bits)).has_value(), finite)
        << bits;
  }
  EXPECT_EQ(Find16(DType::kBfloat16, 0xff80), -kInf);
  EXPECT_TRUE(std::isnan(*Find16(DType::kBfloat16, 0x7fc0)));
}

TEST(FindNonFinite, LooksAtBothPartsOfComplexNumbers) {
  const std::int64_t shape[] = {2};
  const std::complex<float> narrow[] = {{1, 2}, {3, std::numeric_limits<float>::infinity()}};
  const std::complex<double> wide[] = {{1, 2}, {-kInf, 4}};
  EXPECT_EQ(FindNonFinite(TensorView{DType::kComplex64, shape, narrow}), kInf);
  EXPECT_EQ(FindNonFinite(TensorView{DType::kComplex128, shape, wide}), -kInf);
}

TEST(FindNonFinite, HasNothingToFindInIntegers) {
  const std::vector<std::uint64_t> ones(300, ~std::uint64_t{0});
  const std::int64_t shape[] = {300};
  for (const DType dtype : {DType::kBool, DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64,
                            DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64}) {
    EXPECT_EQ(FindNonFinite(TensorView{dtype, shape, ones.data()}), std::nullopt);
  }
}

TEST(FindNonFinite, TakesUnalignedAndEmptyArrays) {
  std::vector<char> bytes(sizeof(float) * 300 + 1);
  const std::int64_t shape[] = {300};
  EXPECT_EQ(FindNonFinite(TensorView{DType::kFloat32, shape, bytes.data() + 1}), std::nullopt);
  const std::int64_t empty[] = {0, 7};
  EXPECT_EQ(FindNonFinite(TensorView{DType::kFloat64, empty, nullptr}), std::nullopt);
}

}  // namespace
}  // namespace sightline
