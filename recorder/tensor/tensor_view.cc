#include "sightline/recorder/tensor/tensor_view.h"

#include <fmt/format.h>

namespace sightline {
namespace {

constexpr std::size_t kMaxRank = 32;

}  // namespace

std::size_t DTypeSize(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kInt8:
    case DType::kUint8:
      return 1;
    case DType::kInt16:
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kBfloat16:
      return 2;
    case DType::kInt32:
    case DType::kUint32:
    case DType::kFloat32:
      return 4;
    case DType::kInt64:
    case DType::kUint64:
    case DType::kFloat64:
    case DType::kComplex64:
      return 8;
    case DType::kComplex128:
      return 16;
  }
  return 0;
}

std::string_view DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "bool";
    case DType::kInt8:
      return "int8";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kUint8:
      return "uint8";
    case DType::kUint16:
      return "uint16";
    case DType::kUint32:
      return "uint32";
    case DType::kUint64:
      return "uint64";
    case DType::kFloat16:
      return "float16";
    case DType::kFloat32:
      return "float32";
    case DType::kFloat64:
      return "float64";
    case DType::kBfloat16:
      return "bfloat16";
    case DType::kComplex64:
      return "complex64";
    case DType::kComplex128:
      return "complex128";
  }
  return "unknown";
}

std::size_t TensorView::ElementCount() const {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

Status TensorView::Check() const {
  const std::size_t element_size = DTypeSize(dtype);
  if (element_size == 0) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("tensor: unknown dtype {}", static_cast<int>(dtype)));
  }
  if (shape.size() > kMaxRank) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("tensor: {} dimensions, at most {} are allowed", shape.size(), kMaxRank));
  }
  std::size_t bytes = element_size;
  for (const std::int64_t size : shape) {
    if (size < 0) {
      return Status(StatusCode::kInvalidArgument,
                    fmt::format("tensor: negative dimension {}", size));
    }
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(size), &bytes)) {
      return Status(StatusCode::kInvalidArgument, "tensor: its size in bytes overflows 64 bits");
    }
  }
  if (bytes != 0 && data == nullptr) return Status(StatusCode::kInvalidArgument, "tensor: no data");
  return {};
}

}  // namespace sightline
