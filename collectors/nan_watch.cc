#include "sightline/collectors/nan_watch.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace sightline {
namespace {

// Elements looked at between two decisions; a constant, so that the loop becomes SIMD.
constexpr std::size_t kBlock = 256;

// A float is NaN or infinite when all bits of its exponent are set. Then, and only then, adding the
// lowest exponent bit carries into the sign's place.
template <typename Bits, Bits kExponent>
Bits CarryOf(Bits bits) {
  constexpr Bits kLowest = kExponent & static_cast<Bits>(~kExponent + 1);
  return static_cast<Bits>((bits & kExponent) + kLowest);
}

template <typename Bits>
Bits Load(const char* data, std::size_t index) {
  Bits bits;
  std::memcpy(&bits, data + index * sizeof(Bits), sizeof(Bits));  // It may be unaligned.
  return bits;
}

// The index of the first NaN or infinity, or `count`.
template <typename Bits, Bits kExponent>
std::size_t FirstNonFinite(const void* elements, std::size_t count) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const char* const data = static_cast<const char*>(elements);
  std::size_t begin = 0;
  for (; count - begin >= kBlock; begin += kBlock) {
    Bits carries = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      carries |= CarryOf<Bits, kExponent>(Load<Bits>(data, begin + i));
    }
    if ((carries & kSign) != 0) break;
  }
  for (; begin < count; ++begin) {
    if ((CarryOf<Bits, kExponent>(Load<Bits>(data, begin)) & kSign) != 0) return begin;
  }
  return count;
}

// The value that a 16-bit float which is no finite number stands for.
double NonFiniteOf16(std::uint16_t bits, std::uint16_t exponent) {
  const auto mantissa = static_cast<std::uint16_t>(bits & ~exponent & 0x7fffU);
  if (mantissa != 0) return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return (bits & 0x8000U) != 0 ? -infinity : infinity;
}

template <std::uint16_t kExponent>
std::optional<double> Find16(const void* data, std::size_t count) {
  const std::size_t at = FirstNonFinite<std::uint16_t, kExponent>(data, count);
  if (at == count) return std::nullopt;
  return NonFiniteOf16(Load<std::uint16_t>(static_cast<const char*>(data), at), kExponent);
}

std::optional<double> Find32(const void* data, std::size_t count) {
  const std::size_t at = FirstNonFinite<std::uint32_t, 0x7f800000U>(data, count);
  if (at == count) return std::nullopt;
  return std::bit_cast<float>(Load<std::uint32_t>(static_cast<const char*>(data), at));
}

std::optional<double> Find64(const void* data, std::size_t count) {
  const std::size_t at = FirstNonFinite<std::uint64_t, 0x7ff0000000000000U>(data, count);
  if (at == count) return std::nullopt;
  return std::bit_cast<double>(Load<std::uint64_t>(static_cast<const char*>(data), at));
}

}  // namespace

std::string NonFinite::ToString() const {
  const std::string_view what = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return fmt::format("{} is {} at step {}", tag, what, step);
}

std::optional<double> FindNonFinite(const TensorView& tensor) {
  const std::size_t count = tensor.ElementCount();
  switch (tensor.dtype) {
    case DType::kFloat16:
      return Find16<0x7c00>(tensor.data, count);
    case DType::kBfloat16:
      return Find16<0x7f80>(tensor.data, count);
    case DType::kFloat32:
      return Find32(tensor.data, count);
    case DType::kFloat64:
      return Find64(tensor.data, count);
    case DType::kComplex64:
      return Find32(tensor.data, 2 * count);
    case DType::kComplex128:
      return Find64(tensor.data, 2 * count);
    case DType::kBool:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
      return std::nullopt;
  }
  return std::nullopt;
}

void NanWatch::Check(std::string_view tag, std::int64_t step, const TensorView& tensor) {
  if (const std::optional<double> value = FindNonFinite(tensor)) Found(tag, step, *value);
}

void NanWatch::Found(std::string_view tag, std::int64_t step, double value) {
  if (seen_.find(tag) != seen_.end()) return;
  seen_.emplace(tag);
  const NonFinite found{std::string(tag), step, value};
  if (!first_) first_ = found;
  if (!report_) return;
  try {
    report_(found);
  } catch (
      ...) {  // NOLINT(bugprone-empty-catch): a callback's exception must not end the training.
  }
}

}  // namespace sightline
