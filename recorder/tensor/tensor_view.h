// TensorView: a borrowed, dense array in C order, of a dtype that can be recorded.
//
// The view owns neither the elements nor the shape. Both must live until the call that takes the
// view returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// The type of an element. The numbers are written into journals and must not change.
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
// NumPy's name, e.g. "float32".
std::string_view DTypeName(DType dtype);

// The DType of a C++ element type. float16, bfloat16 and the complex types have no such type; name
// their DType explicitly.
template <typename T>
constexpr DType DTypeOf();

struct TensorView {
  DType dtype = DType::kFloat32;
  std::span<const std::int64_t> shape;  // Empty: one element.
  const void* data = nullptr;

  // The product of the shape. REQUIRES: Check() is OK.
  std::size_t ElementCount() const;
  std::size_t ByteSize() const { return ElementCount() * DTypeSize(dtype); }

  // kInvalidArgument for an unknown dtype, a negative dimension, more than 32 dimensions, a size
  // that overflows, or a null `data` if there are elements.
  Status Check() const;
};

// A view of `data` with the given shape, both borrowed.
template <typename T>
TensorView View(const T* data, std::span<const std::int64_t> shape) {
  return TensorView{DTypeOf<T>(), shape, data};
}

// The same for use within one call: Add(tag, step, View(data, {64, 10})). Do not keep such a view,
// since its shape exists only until the end of the statement.
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
