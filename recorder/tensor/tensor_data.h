// Converts elements between dtypes, and dtypes to and from their numbers in the file formats.
//
// Pure functions; may be called from any thread. Sources need no alignment, since elements in
// journals and mapped files may be at any address.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// Whether float32 can hold every value of the dtype: bool, integers of at most 16 bits, float16,
// bfloat16 and float32. For other dtypes, `float_data` loses digits, so events also have
// `raw_data`.
bool Float32IsExact(DType dtype);

// Converts `n` elements to float32, rounding to nearest even. As in MindSpore, 64-bit integers are
// first rounded to float64. Magnitudes that exceed float32 become infinite. A bool is 1 if its byte
// is not 0. REQUIRES: `dtype` is not complex (such elements become NaN), and `source` and `out` do
// not overlap.
void ConvertToFloat32(DType dtype, const void* source, std::size_t n, float* out);
// The same to float64, which is exact except for large 64-bit integers.
void ConvertToFloat64(DType dtype, const void* source, std::size_t n, double* out);

// Converts an IEEE 754 binary16 from its bits, exactly.
constexpr float HalfToFloat(std::uint16_t half) {
  // No denormal float32 occurs on the way, so the caller's flush-to-zero mode does not matter: the
  // bits of a subnormal after the exponent of 2^-14 are 2^-14 plus its value. The choices are masks
  // made from a sign bit, since the compiler would turn a comparison into a branch and would not
  // vectorise the loop.
  const std::int32_t magnitude = half & 0x7fff;
  const auto is_subnormal = static_cast<std::uint32_t>((magnitude - 0x400) >> 31);
  const auto is_infinite_or_nan = static_cast<std::uint32_t>((0x7bff - magnitude) >> 31);
  const std::uint32_t normal = (static_cast<std::uint32_t>(magnitude) << 13U) + (112U << 23U);
  const auto subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(normal + (1U << 23U)) -
                                                      std::bit_cast<float>(113U << 23U));
  const std::uint32_t finite = (subnormal & is_subnormal) | (normal & ~is_subnormal);
  const std::uint32_t bits = finite + (is_infinite_or_nan & 112U << 23U);
  return std::bit_cast<float>(bits | (half & 0x8000U) << 16U);
}

// Returns the bits of the nearest binary16. Ties go to even; numbers that would round to more than
// 65504 become infinite; NaN stays NaN.
std::uint16_t DoubleToHalf(double value);

// Converts a bfloat16, which is the upper half of a float32.
constexpr float BfloatToFloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16U);
}

// The DataType in MindSpore's anf_ir.proto (docs/event_file.md), e.g. DT_FLOAT32 = 11.
int MindSporeDataType(DType dtype);
// No value if the number is not the element type of a tensor.
std::optional<DType> DTypeOfMindSpore(int data_type);

// The DataType in TensorFlow's types.proto, for TensorBoard's tensors, e.g. DT_FLOAT = 1.
int TensorFlowDataType(DType dtype);
std::optional<DType> DTypeOfTensorFlow(int data_type);

}  // namespace sightline
