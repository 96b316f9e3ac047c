#include "sightline/collectors/rules/nonfinite.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

// Highway compiles what follows once for each instruction set and takes the best at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sightline/collectors/rules/nonfinite.cc"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sightline {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The number of vectors that are read between two decisions.
constexpr std::size_t kVectorsABlock = 16;

// A float is NaN or infinite when all bits of its exponent are set. Then, and only then, adding the
// lowest exponent bit to the exponent carries into the sign's place.
//
// Returns the index at which the first block with such an element begins, or at which the whole
// blocks end.
template <typename Bits>
std::size_t SkipFinite(const Bits* data, std::size_t count, Bits exponent) {
  const hn::ScalableTag<Bits> d;
  const hn::RebindToSigned<decltype(d)> as_signed;
  const std::size_t lanes = hn::Lanes(d);
  const auto mask = hn::Set(d, exponent);
  const auto lowest = hn::Set(d, static_cast<Bits>(exponent & (~exponent + 1)));
  std::size_t begin = 0;
  for (; count - begin >= kVectorsABlock * lanes; begin += kVectorsABlock * lanes) {
    auto carries = hn::Zero(d);
    for (std::size_t i = 0; i < kVectorsABlock; ++i) {
      const auto bits = hn::LoadU(d, data + begin + i * lanes);
      carries = hn::Or(carries, hn::Add(hn::And(bits, mask), lowest));
    }
    const auto found = hn::Lt(hn::BitCast(as_signed, carries), hn::Zero(as_signed));
    if (!hn::AllFalse(as_signed, found)) break;
  }
  return begin;
}

std::size_t SkipFinite16(const std::uint16_t* data, std::size_t count, std::uint16_t exponent) {
  return SkipFinite(data, count, exponent);
}
std::size_t SkipFinite32(const std::uint32_t* data, std::size_t count, std::uint32_t exponent) {
  return SkipFinite(data, count, exponent);
}
std::size_t SkipFinite64(const std::uint64_t* data, std::size_t count, std::uint64_t exponent) {
  return SkipFinite(data, count, exponent);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sightline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline {

HWY_EXPORT(SkipFinite16);
HWY_EXPORT(SkipFinite32);
HWY_EXPORT(SkipFinite64);

namespace {

template <typename Bits>
Bits Load(const void* data, std::size_t index) {
  Bits bits;
  std::memcpy(&bits, static_cast<const char*>(data) + index * sizeof(Bits), sizeof(Bits));
  return bits;
}

// The bits of the first element, from `begin` on, with a full exponent.
template <typename Bits>
std::optional<Bits> FirstFrom(const void* data, std::size_t begin, std::size_t count,
                              Bits exponent) {
  for (std::size_t i = begin; i < count; ++i) {
    const auto bits = Load<Bits>(data, i);
    if ((bits & exponent) == exponent) return bits;
  }
  return std::nullopt;
}

std::optional<double> Find16(const void* data, std::size_t count, std::uint16_t exponent) {
  const std::size_t begin =
      HWY_DYNAMIC_DISPATCH(SkipFinite16)(static_cast<const std::uint16_t*>(data), count, exponent);
  const auto bits = FirstFrom(data, begin, count, exponent);
  if (!bits) return std::nullopt;
  if ((*bits & ~exponent & 0x7fff) != 0) return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return (*bits & 0x8000) != 0 ? -infinity : infinity;
}

std::optional<double> Find32(const void* data, std::size_t count) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  const std::size_t begin =
      HWY_DYNAMIC_DISPATCH(SkipFinite32)(static_cast<const std::uint32_t*>(data), count, kExponent);
  const auto bits = FirstFrom(data, begin, count, kExponent);
  if (!bits) return std::nullopt;
  return std::bit_cast<float>(*bits);
}

std::optional<double> Find64(const void* data, std::size_t count) {
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  const std::size_t begin =
      HWY_DYNAMIC_DISPATCH(SkipFinite64)(static_cast<const std::uint64_t*>(data), count, kExponent);
  const auto bits = FirstFrom(data, begin, count, kExponent);
  if (!bits) return std::nullopt;
  return std::bit_cast<double>(*bits);
}

}  // namespace

std::optional<double> FindNonFinite(const TensorView& tensor) {
  const std::size_t count = tensor.ElementCount();
  switch (tensor.dtype) {
    case DType::kFloat16:
      return Find16(tensor.data, count, 0x7c00);
    case DType::kBfloat16:
      return Find16(tensor.data, count, 0x7f80);
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

}  // namespace sightline
#endif
