// Element conversions, and the numbers by which the file formats know a dtype.
//
// Pure functions, callable from any thread. Sources need no alignment: journal records and mapped
// files hand out any address.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// True where every value of the dtype is a float32 value: bool, integers of at most 16 bits,
// float16, bfloat16 and float32. For the others `float_data` loses digits and events carry
// `raw_data` too.
bool Float32IsExact(DType dtype);

// Converts `n` elements, rounding to nearest even. Integers of 64 bits are rounded to float64 on
// the way, as MindSpore does; magnitudes beyond float32 become infinite; a bool is 1 when its byte
// is not 0. REQUIRES: `dtype` is not complex (its elements become NaN). `source` and `out` do not
// overlap.
void ConvertToFloat32(DType dtype, const void* source, std::size_t n, float* out);
// The same to float64, which holds everything but large 64-bit integers exactly.
void ConvertToFloat64(DType dtype, const void* source, std::size_t n, double* out);

// IEEE 754 binary16 from its bits; exact.
constexpr float HalfToFloat(std::uint16_t half) {
  // Without denormal float32 in between, so that the caller's flush-to-zero mode does not matter: a
  // subnormal's bits behind the exponent of 2^-14 are 2^-14 plus its value. Choices are masks from
  // a sign bit, since a comparison becomes a branch in the compiler and the loop scalar.
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

// The bits of the nearest binary16 (ties to even, beyond 65504 infinite, NaN stays NaN).
std::uint16_t DoubleToHalf(double value);

// bfloat16 is the upper half of a float32.
constexpr float BfloatToFloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16U);
}

// The DataType of MindSpore's anf_ir.proto (docs/event_file.md), e.g. DT_FLOAT32 = 11.
int MindSporeDataType(DType dtype);
// Nothing for the numbers that are no element type of a tensor.
std::optional<DType> DTypeOfMindSpore(int data_type);

// The DataType of TensorFlow's types.proto, which TensorBoard's tensors carry, e.g. DT_FLOAT = 1.
int TensorFlowDataType(DType dtype);
std::optional<DType> DTypeOfTensorFlow(int data_type);

}  // namespace sightline
