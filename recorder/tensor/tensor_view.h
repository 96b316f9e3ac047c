// TensorView: a borrowed, dense, C-ordered array of one of the dtypes that recording knows.
//
// The view owns neither the elements nor the shape; both must live as long as the call that takes
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// Numbers are written into the journal: frozen.
enum class DType : std::uint8_t {
  kBool = 1,
  kInt8 = 2,
  kInt16 = 3,
  kInt32 = 4,
  kInt64 = 5,
  kUint8 = 6,
  kUint16 = 7,
  kUint32 = 8,
  kUint64 = 9,
  kFloat16 = 10,  // IEEE 754 binary16.
  kFloat32 = 11,
  kFloat64 = 12,
  kBfloat16 = 13,  // The upper half of a binary32.
  kComplex64 = 14,
  kComplex128 = 15,
};

// Bytes of one element; 0 for a value that is no DType.
std::size_t DTypeSize(DType dtype);
// "float32", as NumPy names it.
std::string_view DTypeName(DType dtype);

// The DType of a C++ element type; float16 and bfloat16 have none and are named explicitly.
template <typename T>
constexpr DType DTypeOf();

struct TensorView {
  DType dtype = DType::kFloat32;
  std::span<const std::int64_t> shape;  // Empty: one element.
  const void* data = nullptr;

  // Product of the shape; REQUIRES: Check() is OK.
  std::size_t ElementCount() const;
  std::size_t ByteSize() const { return ElementCount() * DTypeSize(dtype); }

  // kInvalidArgument for an unknown dtype, a negative dimension, more than 32 dimensions, a size
  // that overflows, or no data though there are elements.
  Status Check() const;
};

// A view of `data` with the given shape, both borrowed.
template <typename T>
TensorView View(const T* data, std::span<const std::int64_t> shape) {
  return TensorView{DTypeOf<T>(), shape, data};
}

// The same within one call: Add(tag, step, View(data, {64, 10})). The shape is gone after the
// statement, so such a view must not be kept.
template <typename T>
TensorView View(const T* data, std::initializer_list<std::int64_t> shape) {
  return TensorView{DTypeOf<T>(), {shape.begin(), shape.size()}, data};
}

#define SIGHTLINE_DTYPE_OF_(type, value) \
  template <>                            \
  constexpr DType DTypeOf<type>() {      \
    return DType::value;                 \
  }
SIGHTLINE_DTYPE_OF_(bool, kBool)
SIGHTLINE_DTYPE_OF_(std::int8_t, kInt8)
SIGHTLINE_DTYPE_OF_(std::int16_t, kInt16)
SIGHTLINE_DTYPE_OF_(std::int32_t, kInt32)
SIGHTLINE_DTYPE_OF_(std::int64_t, kInt64)
SIGHTLINE_DTYPE_OF_(std::uint8_t, kUint8)
SIGHTLINE_DTYPE_OF_(std::uint16_t, kUint16)
SIGHTLINE_DTYPE_OF_(std::uint32_t, kUint32)
SIGHTLINE_DTYPE_OF_(std::uint64_t, kUint64)
SIGHTLINE_DTYPE_OF_(float, kFloat32)
SIGHTLINE_DTYPE_OF_(double, kFloat64)
#undef SIGHTLINE_DTYPE_OF_

}  // namespace sightline
