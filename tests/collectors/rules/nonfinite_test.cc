#include "sightline/collectors/rules/nonfinite.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// One bad element at every place of arrays around the size of a block.
template <typename T>
void ExpectFoundEverywhere(T finite, T bad) {
  for (const std::int64_t size : {1, 2, 63, 256, 1024, 1025, 2500}) {
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
