#include "sightline/recorder/tensor/tensor_data.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace sightline {
namespace {

// Converts each element. The elements are copied into a block first, since the source may be at any
// address. The compiler turns the copy into unaligned loads and vectorises the loop.
template <typename T, typename Out, typename F>
void ConvertEach(const void* source, std::size_t n, Out* out, F convert) {
  const char* bytes = static_cast<const char*>(source);
  for (std::size_t i = 0; i < n; ++i) {
    T element;
    std::memcpy(&element, bytes + i * sizeof(T), sizeof(T));
    out[i] = convert(element);
  }
}

template <typename T, typename Out>
void CastEach(const void* source, std::size_t n, Out* out) {
  // Through float64 (see ConvertToFloat32). It changes nothing for narrower types, so they skip it.
  if constexpr (sizeof(T) == 8) {
    ConvertEach<T>(source, n, out, [](T v) { return static_cast<Out>(static_cast<double>(v)); });
  } else {
    ConvertEach<T>(source, n, out, [](T v) { return static_cast<Out>(v); });
  }
}

template <typename Out>
void Convert(DType dtype, const void* source, std::size_t n, Out* out) {
  switch (dtype) {
    case DType::kBool:
      return ConvertEach<std::uint8_t>(source, n, out,
                                       [](std::uint8_t v) { return static_cast<Out>(v != 0); });
    case DType::kInt8:
      return CastEach<std::int8_t>(source, n, out);
    case DType::kInt16:
      return CastEach<std::int16_t>(source, n, out);
    case DType::kInt32:
      return CastEach<std::int32_t>(source, n, out);
    case DType::kInt64:
      return CastEach<std::int64_t>(source, n, out);
    case DType::kUint8:
      return CastEach<std::uint8_t>(source, n, out);
    case DType::kUint16:
      return CastEach<std::uint16_t>(source, n, out);
    case DType::kUint32:
      return CastEach<std::uint32_t>(source, n, out);
    case DType::kUint64:
      return CastEach<std::uint64_t>(source, n, out);
    case DType::kFloat16:
      return ConvertEach<std::uint16_t>(
          source, n, out, [](std::uint16_t v) { return static_cast<Out>(HalfToFloat(v)); });
    case DType::kBfloat16:
      return ConvertEach<std::uint16_t>(
          source, n, out, [](std::uint16_t v) { return static_cast<Out>(BfloatToFloat(v)); });
    case DType::kFloat32:
      if constexpr (std::is_same_v<Out, float>) {
        if (n != 0) std::memcpy(out, source, n * sizeof(float));
        return;
      } else {
        return CastEach<float>(source, n, out);
      }
    case DType::kFloat64:
      return CastEach<double>(source, n, out);
    case DType::kComplex64:
    case DType::kComplex128:
      break;
  }
  for (std::size_t i = 0; i < n; ++i) out[i] = std::numeric_limits<Out>::quiet_NaN();
}

}  // namespace

bool Float32IsExact(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kFloat32:
    case DType::kBfloat16:
      return true;
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint32:
    case DType::kUint64:
    case DType::kFloat64:
    case DType::kComplex64:
    case DType::kComplex128:
      return false;
  }
  return false;
}

void ConvertToFloat32(DType dtype, const void* source, std::size_t n, float* out) {
  Convert(dtype, source, n, out);
}

void ConvertToFloat64(DType dtype, const void* source, std::size_t n, double* out) {
  Convert(dtype, source, n, out);
}

std::uint16_t DoubleToHalf(double value) {
  constexpr double kSmallestNormal = 0x1p-14;
  constexpr double kHalfSubnormalStep = 0x1p-24;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48U & 0x8000U);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 65520.0) return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < kSmallestNormal) {
    // After adding 2^52 steps, the low bits are the number of steps, rounded to even.
    const double rounded = magnitude / kHalfSubnormalStep + 0x1p52;
    return static_cast<std::uint16_t>(sign |
                                      std::bit_cast<std::uint64_t>(rounded - 0x1p52 + 0x1p52));
  }
  // 42 of the 52 mantissa bits are cut off. Before that, add half of the last kept unit, minus one
  // if that unit's bit is even.
  const std::uint64_t mantissa_and_exponent = std::bit_cast<std::uint64_t>(magnitude);
  const std::uint64_t even = mantissa_and_exponent >> 42U & 1U;
  const std::uint64_t rounded =
      (mantissa_and_exponent + (std::uint64_t{1} << 41U) - 1U + even) >> 42U;
  constexpr std::uint64_t kRebias = std::uint64_t{1023 - 15} << 10U;
  return static_cast<std::uint16_t>(sign | (rounded - kRebias));
}

int MindSporeDataType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 1;
    case DType::kInt8:
      return 2;
    case DType::kInt16:
      return 3;
    case DType::kInt32:
      return 4;
    case DType::kInt64:
      return 5;
    case DType::kUint8:
      return 6;
    case DType::kUint16:
      return 7;
    case DType::kUint32:
      return 8;
    case DType::kUint64:
      return 9;
    case DType::kFloat16:
      return 10;
    case DType::kFloat32:
      return 11;
    case DType::kFloat64:
      return 12;
    case DType::kComplex64:
      return 43;
    case DType::kComplex128:
      return 44;
    case DType::kBfloat16:
      return 46;
  }
  return 0;  // DT_UNDEFINED
}

int TensorFlowDataType(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return 1;
    case DType::kFloat64:
      return 2;
    case DType::kInt32:
      return 3;
    case DType::kUint8:
      return 4;
    case DType::kInt16:
      return 5;
    case DType::kInt8:
      return 6;
    case DType::kComplex64:
      return 8;
    case DType::kInt64:
      return 9;
    case DType::kBool:
      return 10;
    case DType::kBfloat16:
      return 14;
    case DType::kUint16:
      return 17;
    case DType::kComplex128:
      return 18;
    case DType::kFloat16:
      return 19;
    case DType::kUint32:
      return 22;
    case DType::kUint64:
      return 23;
  }
  return 0;  // DT_INVALID
}

namespace {

// Searches the few dtypes, which avoids a second table.
std::optional<DType> Inverse(int (*number_of)(DType), int number) {
  for (int i = 1; i <= static_cast<int>(DType::kComplex128); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (number_of(dtype) == number) return dtype;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DType> DTypeOfMindSpore(int data_type) {
  return Inverse(MindSporeDataType, data_type);
}

std::optional<DType> DTypeOfTensorFlow(int data_type) {
  return Inverse(TensorFlowDataType, data_type);
}

}  // namespace sightline
