#include "sightline/recorder/tensor/float_kernels.h"

#include <algorithm>
#include <cmath>

// Highway compiles the following once for each instruction set, and chooses the best at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sightline/recorder/tensor/float_kernels.cc"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sightline {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// NumPy's pairwise sum: up to kLeaf elements are added to kStreams running sums; more are summed as
// two halves.
constexpr std::size_t kStreams = 8;
constexpr std::size_t kLeaf = 128;

struct Sums {
  double sum;
  double squares;
};

double AddStreams(const double* r) {
  return ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadAsDouble(D d, const float* v) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), v));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadAsDouble(D d, const double* v) {
  return hn::LoadU(d, v);
}

// Sums at most kLeaf values. Vectors contain neighbouring streams, so their width does not change
// the order of additions.
template <typename T>
HWY_INLINE Sums SumLeaf(const T* HWY_RESTRICT v, std::size_t n) {
  const hn::CappedTag<double, kStreams> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double sum[kStreams];
  HWY_ALIGN double squares[kStreams];
  const std::size_t whole = n - n % kStreams;
  for (std::size_t s = 0; s < kStreams; s += lanes) {
    auto sums = hn::Zero(d);
    auto products = hn::Zero(d);
    for (std::size_t i = s; i < whole; i += kStreams) {
      const auto x = LoadAsDouble(d, v + i);
      sums = hn::Add(sums, x);
      products = hn::Add(products, hn::Mul(x, x));
    }
    hn::Store(sums, d, sum + s);
    hn::Store(products, d, squares + s);
  }
  Sums result = {AddStreams(sum), AddStreams(squares)};
  for (std::size_t i = whole; i < n; ++i) {
    const double x = v[i];
    result.sum += x;
    result.squares += x * x;
  }
  return result;
}

template <typename T>
Sums SumPairwise(const T* v, std::size_t n) {
  if (n <= kLeaf) return SumLeaf(v, n);
  const std::size_t half = n / 2 - n / 2 % kStreams;
  const Sums left = SumPairwise(v, half);
  const Sums right = SumPairwise(v + half, n - half);
  return {left.sum + right.sum, left.squares + right.squares};
}

// REQUIRES: all values are finite.
template <typename T>
void AddFiniteRun(const T* HWY_RESTRICT v, std::size_t n, ValueStats& stats) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto min0 = hn::Inf(d);
  auto max0 = hn::Neg(min0);
  auto min1 = min0;
  auto max1 = max0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = hn::LoadU(d, v + i);
    const auto b = hn::LoadU(d, v + i + lanes);
    min0 = hn::Min(min0, a);
    max0 = hn::Max(max0, a);
    min1 = hn::Min(min1, b);
    max1 = hn::Max(max1, b);
  }
  T min = hn::GetLane(hn::MinOfLanes(d, hn::Min(min0, min1)));
  T max = hn::GetLane(hn::MaxOfLanes(d, hn::Max(max0, max1)));
  for (; i < n; ++i) {
    min = std::min(min, v[i]);
    max = std::max(max, v[i]);
  }
  stats.min = std::min<double>(stats.min, min);
  stats.max = std::max<double>(stats.max, max);
  stats.finite_count += static_cast<std::int64_t>(n);
}

// Counts NaN and infinities, and puts 0 in their place, so that they add nothing to a sum.
template <typename T>
Sums AddMixedRun(const T* HWY_RESTRICT v, std::size_t n, ValueStats& stats) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto infinity = hn::Inf(d);
  const auto minus_infinity = hn::Neg(infinity);
  auto min = infinity;
  auto max = minus_infinity;
  std::size_t finite_count = 0;
  std::size_t pos_inf_count = 0;
  std::size_t neg_inf_count = 0;
  T clean[kSumRun + hn::MaxLanes(d)];
  std::copy(v, v + n, clean);
  const std::size_t padded = (n + lanes - 1) / lanes * lanes;
  std::fill(clean + n, clean + padded, std::numeric_limits<T>::quiet_NaN());
  for (std::size_t i = 0; i < padded; i += lanes) {
    const auto x = hn::LoadU(d, clean + i);
    const auto finite = hn::IsFinite(x);
    finite_count += hn::CountTrue(d, finite);
    pos_inf_count += hn::CountTrue(d, hn::Eq(x, infinity));
    neg_inf_count += hn::CountTrue(d, hn::Eq(x, minus_infinity));
    min = hn::Min(min, hn::IfThenElse(finite, x, infinity));
    max = hn::Max(max, hn::IfThenElse(finite, x, minus_infinity));
    hn::StoreU(hn::IfThenElseZero(finite, x), d, clean + i);
  }
  stats.min = std::min<double>(stats.min, hn::GetLane(hn::MinOfLanes(d, min)));
  stats.max = std::max<double>(stats.max, hn::GetLane(hn::MaxOfLanes(d, max)));
  stats.finite_count += static_cast<std::int64_t>(finite_count);
  stats.pos_inf_count += static_cast<std::int64_t>(pos_inf_count);
  stats.neg_inf_count += static_cast<std::int64_t>(neg_inf_count);
  stats.nan_count += static_cast<std::int64_t>(n - finite_count - pos_inf_count - neg_inf_count);
  return SumPairwise(clean, n);
}

template <typename T>
void AddRuns(const T* v, std::size_t n, ValueStats& stats) {
  for (std::size_t begin = 0; begin < n; begin += kSumRun) {
    const std::size_t run = std::min(kSumRun, n - begin);
    Sums sums = SumPairwise(v + begin, run);
    // The sum is not finite if any value is NaN or infinite. (Finite float64 values may also
    // overflow; the slower way is right for them, too.)
    if (std::isfinite(sums.sum)) {
      AddFiniteRun(v + begin, run, stats);
    } else {
      sums = AddMixedRun(v + begin, run, stats);
    }
    stats.sum += sums.sum;
    stats.sum_squares += sums.squares;
  }
}

void AddFloats(const float* v, std::size_t n, ValueStats& stats) { AddRuns(v, n, stats); }
void AddDoubles(const double* v, std::size_t n, ValueStats& stats) { AddRuns(v, n, stats); }

// Increments of the same counter wait for each other, so neighbouring values use different copies.
constexpr std::size_t kCopies = 8;
// The slot after the buckets counts values that equal the last edge, the next one NaN and
// infinities.
constexpr std::int32_t kNowhere = kMaxBuckets + 1;
constexpr std::size_t kSlots = 96;

// If v rises, f(v) of FloatBuckets never falls, since rounding never does. So f(v) < f(edge) proves
// v < edge, and f(v) > f(edge) proves v > edge. The edges themselves decide only if f(v) is within
// the margin of an integer, which is rare unless many values equal an edge.

// The largest f that is used. It is beyond f(the last edge), which no valid value exceeds. But the
// values may be in memory that their owner changes between the two passes, which must not lead
// outside of the counters.
HWY_INLINE float Ceiling(const FloatBuckets& buckets) {
  return static_cast<float>(buckets.count) + 0.49F;
}

// The bucket of a value that may be near an edge: it is below or above the nearest edge.
HWY_INLINE std::int32_t LocateNearEdge(const FloatBuckets& buckets, float v) {
  if (!std::isfinite(v)) return kNowhere;
  const float f = (v - buckets.edges[0]) * buckets.scale;
  const float estimate = std::clamp(f, 0.0F, Ceiling(buckets));
  const auto floor = static_cast<std::int32_t>(estimate);
  const std::int32_t nearest = floor + (estimate - static_cast<float>(floor) > 0.5F ? 1 : 0);
  const bool below = nearest > 0 && v < buckets.edges[static_cast<std::size_t>(nearest)];
  return nearest - (below ? 1 : 0);
}

// Finds the buckets of one vector of values. The vectors repeat the numbers of `buckets`.
template <class D, class V>
HWY_INLINE void Locate(D d, const FloatBuckets& buckets, V first, V scale, V margin, V ceiling,
                       const float* HWY_RESTRICT v, std::int32_t* HWY_RESTRICT bucket) {
  const hn::RebindToSigned<D> di;
  // After adding 1.5 * 2^23, the low bits are the integer nearest to a small number.
  const auto magic = hn::Set(d, 12582912.0F);
  const auto value = hn::LoadU(d, v);
  const auto finite = hn::IsFinite(value);
  const auto f = hn::IfThenElseZero(finite, hn::Mul(hn::Sub(value, first), scale));
  // The minimum is certainly in bucket 0, and after a ReLU it is every other value. So its estimate
  // is moved away from the edge.
  const auto estimate = hn::Min(hn::Max(f, hn::Set(d, 0.25F)), ceiling);
  const auto shifted = hn::Add(estimate, magic);
  const auto nearest = hn::Sub(shifted, magic);
  const auto near_edge = hn::Le(hn::Abs(hn::Sub(estimate, nearest)), margin);
  if (HWY_UNLIKELY(!hn::AllFalse(d, near_edge))) {
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) bucket[i] = LocateNearEdge(buckets, v[i]);
    return;
  }
  const auto rounded = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, magic));
  const auto minus_one_if_up = hn::BitCast(di, hn::VecFromMask(d, hn::Lt(estimate, nearest)));
  const auto floor = hn::Add(rounded, minus_one_if_up);
  hn::Store(hn::IfThenElse(hn::RebindMask(di, finite), floor, hn::Set(di, kNowhere)), di, bucket);
}

void Count(const FloatBuckets& buckets, const float* HWY_RESTRICT v, std::size_t n,
           BucketCounts& counts) {
  const hn::ScalableTag<float> d;
  const auto first = hn::Set(d, buckets.edges[0]);
  const auto scale = hn::Set(d, buckets.scale);
  const auto margin = hn::Set(d, buckets.margin);
  const auto ceiling = hn::Set(d, Ceiling(buckets));
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t step = std::max(lanes, kCopies);
  HWY_ALIGN std::int32_t bucket[std::max(hn::MaxLanes(d), kCopies)];
  std::uint64_t counters[kCopies][kSlots] = {};
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    for (std::size_t j = 0; j < step; j += lanes) {
      Locate(d, buckets, first, scale, margin, ceiling, v + i + j, bucket + j);
    }
    for (std::size_t j = 0; j < step; ++j) ++counters[j % kCopies][bucket[j]];
  }
  for (; i < n; ++i) ++counters[0][LocateNearEdge(buckets, v[i])];
  for (std::size_t b = 0; b <= buckets.count; ++b) {
    std::uint64_t sum = 0;
    for (const auto& copy : counters) sum += copy[b];
    counts[std::min(b, buckets.count - 1)] += static_cast<std::int64_t>(sum);
  }
}

const char* NameOfTarget() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sightline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline {

HWY_EXPORT(AddFloats);
HWY_EXPORT(AddDoubles);
HWY_EXPORT(Count);
HWY_EXPORT(NameOfTarget);

const char* FloatKernelsName() { return HWY_DYNAMIC_DISPATCH(NameOfTarget)(); }

bool FloatBuckets::Prepare() {
  // Half of the distance between two edges, without what the estimate's own rounding needs.
  constexpr float kMaxMargin = 0.45F;
  const double range = static_cast<double>(edges[count]) - edges[0];
  scale = static_cast<float>(static_cast<double>(count) / range);
  margin = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    const float miss = std::fabs((edges[i] - edges[0]) * scale - static_cast<float>(i));
    if (!(miss <= kMaxMargin)) return false;  // `miss` is NaN if the range exceeds float32.
    margin = std::max(margin, miss);
  }
  return true;
}

void AddToStats(const float* values, std::size_t n, ValueStats& stats) {
  HWY_DYNAMIC_DISPATCH(AddFloats)(values, n, stats);
}

void AddToStats(const double* values, std::size_t n, ValueStats& stats) {
  HWY_DYNAMIC_DISPATCH(AddDoubles)(values, n, stats);
}

void CountInBuckets(const FloatBuckets& buckets, const float* values, std::size_t n,
                    BucketCounts& counts) {
  HWY_DYNAMIC_DISPATCH(Count)(buckets, values, n, counts);
}

}  // namespace sightline
#endif
