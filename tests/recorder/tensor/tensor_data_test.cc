#include "sightline/recorder/tensor/tensor_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "sightline/tests/support/mindspore_values.h"

namespace sightline {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

constexpr DType kAll[] = {DType::kBool,     DType::kInt8,      DType::kInt16,     DType::kInt32,
                          DType::kInt64,    DType::kUint8,     DType::kUint16,    DType::kUint32,
                          DType::kUint64,   DType::kFloat16,   DType::kFloat32,   DType::kFloat64,
                          DType::kBfloat16, DType::kComplex64, DType::kComplex128};

// The value of a binary16 by the definition of IEEE 754, table 3.5.
double HalfByDefinition(unsigned bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10U & 31U);
  const int fraction = static_cast<int>(bits & 1023U);
  if (exponent == 31) return fraction == 0 ? sign * kInf : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <typename T>
std::vector<float> ToFloat32(DType dtype, std::vector<T> source) {
  std::vector<float> out(source.size());
  ConvertToFloat32(dtype, source.data(), source.size(), out.data());
  return out;
}

TEST(HalfTest, EveryBitPatternConvertsAsIeeeDefines) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const double expected = HalfByDefinition(bits);
    const float got = HalfToFloat(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
    } else {
      ASSERT_EQ(got, expected) << bits;
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
    }
  }
}

TEST(HalfTest, RoundTripsThroughDouble) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const double value = HalfByDefinition(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(HalfToFloat(DoubleToHalf(value))));
    } else {
      ASSERT_EQ(DoubleToHalf(value), bits);
    }
  }
}

TEST(HalfTest, RoundsToNearestWithTiesToEven) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const double low = HalfByDefinition(bits);
    const double high = HalfByDefinition(bits + 1);
    const double middle = (low + high) / 2;
    const unsigned even = (bits & 1U) == 0 ? bits : bits + 1;
    ASSERT_EQ(DoubleToHalf(middle), even) << bits;
    ASSERT_EQ(DoubleToHalf(std::nextafter(middle, low)), bits);
    ASSERT_EQ(DoubleToHalf(std::nextafter(middle, high)), bits + 1);
    ASSERT_EQ(DoubleToHalf(-middle), even | 0x8000U) << bits;
  }
}

TEST(HalfTest, BeyondItsRangeIsInfinite) {
  EXPECT_EQ(DoubleToHalf(65519.999), 0x7bff);
  EXPECT_EQ(DoubleToHalf(65520), 0x7c00);
  EXPECT_EQ(DoubleToHalf(-1e300), 0xfc00);
}

TEST(ConvertToFloat32Test, KeepsWhatFloat32Holds) {
  EXPECT_EQ(ToFloat32<std::uint8_t>(DType::kBool, {0, 1, 2, 255}),
            (std::vector<float>{0, 1, 1, 1}));
  EXPECT_EQ(ToFloat32<std::int8_t>(DType::kInt8, {-128, 127}), (std::vector<float>{-128, 127}));
  EXPECT_EQ(ToFloat32<std::uint8_t>(DType::kUint8, {0, 255}), (std::vector<float>{0, 255}));
  EXPECT_EQ(ToFloat32<std::int16_t>(DType::kInt16, {-32768, 32767}),
            (std::vector<float>{-32768, 32767}));
  EXPECT_EQ(ToFloat32<std::uint16_t>(DType::kUint16, {0, 65535}), (std::vector<float>{0, 65535}));
  EXPECT_EQ(ToFloat32<std::uint16_t>(DType::kFloat16, {0x3c00, 0x0001, 0xfc00}),
            (std::vector<float>{1, 0x1p-24F, -kInf}));
  EXPECT_EQ(ToFloat32<std::uint16_t>(DType::kBfloat16, {0x3f80, 0xff80, 0x0001}),
            (std::vector<float>{1, -kInf, 0x1p-133F}));
  EXPECT_EQ(ToFloat32<float>(DType::kFloat32, {1.5F, -kInf}), (std::vector<float>{1.5F, -kInf}));
}

TEST(ConvertToFloat32Test, RoundsWhatItDoesNot) {
  EXPECT_EQ(ToFloat32<std::int32_t>(DType::kInt32, {16777217, -2147483647 - 1}),
            (std::vector<float>{16777216, -0x1p31F}));
  EXPECT_EQ(ToFloat32<std::uint32_t>(DType::kUint32, {4294967295U}), (std::vector<float>{0x1p32F}));
  EXPECT_EQ(ToFloat32<double>(DType::kFloat64, {0.1, 1e300, -1e300}),
            (std::vector<float>{0.1F, kInf, -kInf}));
}

// 2^60 + 2^36 + 1 is above the middle of two float32, but float64 rounds it to that middle, which
// goes to even.
TEST(ConvertToFloat32Test, RoundsSixtyFourBitIntegersThroughFloat64AsMindSporeDoes) {
  const std::int64_t value = (std::int64_t{1} << 60U) + (std::int64_t{1} << 36U) + 1;
  EXPECT_EQ(static_cast<float>(value), 0x1p60F + 0x1p37F);
  EXPECT_EQ(ToFloat32<std::int64_t>(DType::kInt64, {value}), (std::vector<float>{0x1p60F}));
  EXPECT_EQ(ToFloat32<std::uint64_t>(DType::kUint64, {static_cast<std::uint64_t>(value), ~0ULL}),
            (std::vector<float>{0x1p60F, 0x1p64F}));
}

TEST(ConvertToFloat32Test, EqualsMindSporesFloatDataForEveryTensorOfTheCorpus) {
  for (const std::string& tag : testing::MindSporeTags("tensor")) {
    const NpyArray input = testing::MindSporeInput(tag);
    const nlohmann::json answer = testing::MindSporeAnswer(tag, "tensor");
    std::vector<float> ours(input.View().ElementCount());
    ConvertToFloat32(input.dtype, input.data.data(), ours.size(), ours.data());
    ASSERT_EQ(ours.size(), answer["float_data"].size()) << tag;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const auto theirs = static_cast<float>(testing::JsonNumber(answer["float_data"][i]));
      EXPECT_TRUE(ours[i] == theirs || (std::isnan(ours[i]) && std::isnan(theirs)))
          << tag << " " << i;
    }
  }
}

TEST(ConvertToFloat32Test, ReadsUnalignedSources) {
  std::vector<char> bytes(1 + 2 * sizeof(double));
  const double values[] = {1.25, -3};
  std::memcpy(bytes.data() + 1, values, sizeof(values));
  std::vector<float> out(2);
  ConvertToFloat32(DType::kFloat64, bytes.data() + 1, 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{1.25F, -3}));
}

TEST(ConvertToFloat32Test, ComplexBecomesNaN) {
  const float source[] = {1, 2};
  float out = 0;
  ConvertToFloat32(DType::kComplex64, source, 1, &out);
  EXPECT_TRUE(std::isnan(out));
}

TEST(ConvertToFloat64Test, KeepsDigitsThatFloat32Loses) {
  const std::int32_t ints[] = {16777217, -5};
  double out[2];
  ConvertToFloat64(DType::kInt32, ints, 2, out);
  EXPECT_EQ(out[0], 16777217);
  EXPECT_EQ(out[1], -5);
  const float floats[] = {0.1F};
  ConvertToFloat64(DType::kFloat32, floats, 1, out);
  EXPECT_EQ(out[0], 0.1F);
}

TEST(Float32IsExactTest, HoldsForNarrowTypesOnly) {
  std::set<DType> exact;
  for (const DType dtype : kAll) {
    if (Float32IsExact(dtype)) exact.insert(dtype);
  }
  EXPECT_EQ(exact,
            (std::set<DType>{DType::kBool, DType::kInt8, DType::kInt16, DType::kUint8,
                             DType::kUint16, DType::kFloat16, DType::kFloat32, DType::kBfloat16}));
}

TEST(DataTypeTest, NumbersAreThoseOfTheSchemas) {
  EXPECT_EQ(MindSporeDataType(DType::kFloat32), 11);
  EXPECT_EQ(MindSporeDataType(DType::kComplex64), 43);
  EXPECT_EQ(MindSporeDataType(DType::kBfloat16), 46);
  EXPECT_EQ(TensorFlowDataType(DType::kFloat32), 1);
  EXPECT_EQ(TensorFlowDataType(DType::kUint64), 23);
}

TEST(DataTypeTest, EveryNumberLeadsBack) {
  for (const DType dtype : kAll) {
    EXPECT_EQ(DTypeOfMindSpore(MindSporeDataType(dtype)), dtype) << DTypeName(dtype);
    EXPECT_EQ(DTypeOfTensorFlow(TensorFlowDataType(dtype)), dtype) << DTypeName(dtype);
  }
}

TEST(DataTypeTest, OtherNumbersAreNoDType) {
  for (const int number : {-1, 0, 13, 45, 47, 1000})
    EXPECT_FALSE(DTypeOfMindSpore(number)) << number;
  for (const int number : {-1, 0, 7, 11, 20, 1000})
    EXPECT_FALSE(DTypeOfTensorFlow(number)) << number;
}

}  // namespace
}  // namespace sightline
