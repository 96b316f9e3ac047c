#include "sightline/recorder/tensor/png_filter.h"

#include <algorithm>
#include <cstdlib>

// Highway compiles the following once for each instruction set, and chooses the best at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sightline/recorder/tensor/png_filter.cc"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sightline {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE V AbsDiff8(V a, V b) {
  return hn::Or(hn::SaturatedSub(a, b), hn::SaturatedSub(b, a));
}

template <class V>
HWY_INLINE hn::Mask<hn::DFromV<V>> LessEqual(V a, V b) {
  return hn::Eq(hn::Min(a, b), a);
}

// Chooses the neighbour with 8-bit arithmetic only. With p = b - c and q = a - c, the distances to
// a, b and c are |p|, |q| and |p + q|. If p and q have the same sign, |p + q| is the largest and c
// is not chosen; otherwise it is the difference of |p| and |q|.
template <class V>
HWY_INLINE V Predict(V a, V b, V c) {
  const V to_a = AbsDiff8(b, c);
  const V to_b = AbsDiff8(a, c);
  const auto between = hn::Xor(LessEqual(c, a), LessEqual(c, b));
  const V to_c = AbsDiff8(to_a, to_b);
  const V a_or_b = hn::IfThenElse(LessEqual(to_a, to_b), a, b);
  const V nearest = hn::Min(to_a, to_b);
  const auto take_ab = LessEqual(nearest, to_c);
  const V if_between = hn::IfThenElse(take_ab, a_or_b, c);
  return hn::IfThenElse(between, if_between, a_or_b);
}

void Paeth(const std::uint8_t* HWY_RESTRICT row, const std::uint8_t* HWY_RESTRICT above,
           std::size_t bytes, std::size_t pixel, std::uint8_t* HWY_RESTRICT out) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t first = std::min(bytes, pixel);
  for (std::size_t i = 0; i < first; ++i) out[i] = static_cast<std::uint8_t>(row[i] - above[i]);
  std::size_t i = first;
  for (; i + hn::Lanes(d) <= bytes; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, row + i - pixel);
    const auto b = hn::LoadU(d, above + i);
    const auto c = hn::LoadU(d, above + i - pixel);
    hn::StoreU(hn::Sub(hn::LoadU(d, row + i), Predict(a, b, c)), d, out + i);
  }
  for (; i < bytes; ++i) {
    const int a = row[i - pixel];
    const int b = above[i];
    const int c = above[i - pixel];
    const int to_a = std::abs(b - c);
    const int to_b = std::abs(a - c);
    const int to_c = std::abs(a + b - 2 * c);
    const int predicted = to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
    out[i] = static_cast<std::uint8_t>(row[i] - predicted);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sightline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline {

HWY_EXPORT(Paeth);

void FilterPaeth(const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                 std::size_t pixel, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(Paeth)(row, above, bytes, pixel, out);
}

}  // namespace sightline
#endif
