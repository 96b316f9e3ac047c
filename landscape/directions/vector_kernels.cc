#include "sightline/landscape/directions/vector_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

// Highway compiles what follows once for each instruction set and takes the best at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sightline/landscape/directions/vector_kernels.cc"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sightline::landscape {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;

HWY_INLINE float FloatAt(const char* bytes, std::size_t i) {
  float value = 0;
  std::memcpy(&value, bytes + i * sizeof(float), sizeof(value));
  return value;
}

// Loads from any address, since mapped files align nothing.
HWY_INLINE hn::Vec<Doubles> LoadWide(Doubles d, const char* bytes, std::size_t i) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, FloatAt(bytes, i));
#else
  const hn::Repartition<std::uint8_t, Floats> as_bytes;
  const auto raw =
      hn::LoadU(as_bytes, reinterpret_cast<const std::uint8_t*>(bytes) + i * sizeof(float));
  return hn::PromoteTo(d, hn::BitCast(Floats(), raw));
#endif
}

void Widen(const void* floats, double* HWY_RESTRICT out, std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const char* bytes = static_cast<const char*>(floats);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(LoadWide(d, bytes, i), d, out + i);
  for (; i < n; ++i) out[i] = FloatAt(bytes, i);
}

void SubtractFrom(const void* floats, const double* HWY_RESTRICT base, double* HWY_RESTRICT out,
                  std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const char* bytes = static_cast<const char*>(floats);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Sub(LoadWide(d, bytes, i), hn::LoadU(d, base + i)), d, out + i);
  for (; i < n; ++i) out[i] = static_cast<double>(FloatAt(bytes, i)) - base[i];
}

double SumAll(const double* HWY_RESTRICT a, std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  auto sums = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) sums = hn::Add(sums, hn::LoadU(d, a + i));
  double sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; i < n; ++i) sum += a[i];
  return sum;
}

// Four vectors at a time, so that one load of `a` serves four products.
void Dots(const double* HWY_RESTRICT a, const double* const* vectors, std::size_t count,
          std::size_t n, double* HWY_RESTRICT sums) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < count; k += 4) {
    const std::size_t last = std::min<std::size_t>(count - k, 4) - 1;
    // If fewer are left, the last one is computed again and not stored.
    const double* b0 = vectors[k];
    const double* b1 = vectors[k + std::min<std::size_t>(1, last)];
    const double* b2 = vectors[k + std::min<std::size_t>(2, last)];
    const double* b3 = vectors[k + last];
    auto s0 = hn::Zero(d);
    auto s1 = s0;
    auto s2 = s0;
    auto s3 = s0;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const auto x = hn::LoadU(d, a + i);
      s0 = hn::MulAdd(x, hn::LoadU(d, b0 + i), s0);
      s1 = hn::MulAdd(x, hn::LoadU(d, b1 + i), s1);
      s2 = hn::MulAdd(x, hn::LoadU(d, b2 + i), s2);
      s3 = hn::MulAdd(x, hn::LoadU(d, b3 + i), s3);
    }
    double r[4] = {hn::GetLane(hn::SumOfLanes(d, s0)), hn::GetLane(hn::SumOfLanes(d, s1)),
                   hn::GetLane(hn::SumOfLanes(d, s2)), hn::GetLane(hn::SumOfLanes(d, s3))};
    const double* b[4] = {b0, b1, b2, b3};
    for (std::size_t j = 0; j <= last; ++j) {
      for (std::size_t t = i; t < n; ++t) r[j] += a[t] * b[j][t];
      sums[k + j] += r[j];
    }
  }
}

void CombineAll(const double* const* vectors, const double* HWY_RESTRICT factors, std::size_t count,
                double offset, double* HWY_RESTRICT out, std::size_t n) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    auto sum = hn::Set(d, -offset);
    for (std::size_t k = 0; k < count; ++k)
      sum = hn::MulAdd(hn::Set(d, factors[k]), hn::LoadU(d, vectors[k] + i), sum);
    hn::StoreU(sum, d, out + i);
  }
  for (; i < n; ++i) {
    double sum = -offset;
    for (std::size_t k = 0; k < count; ++k) sum += factors[k] * vectors[k][i];
    out[i] = sum;
  }
}

void FormAll(const float* HWY_RESTRICT base, const float* HWY_RESTRICT first,
             const float* HWY_RESTRICT second, double x, double y, float* HWY_RESTRICT out,
             std::size_t n) {
  const Doubles d;
  const Floats f;
  const std::size_t lanes = hn::Lanes(d);
  const auto xs = hn::Set(d, x);
  const auto ys = hn::Set(d, y);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto b = hn::PromoteTo(d, hn::LoadU(f, base + i));
    const auto up = hn::Mul(ys, hn::PromoteTo(d, hn::LoadU(f, second + i)));
    const auto right = hn::Mul(xs, hn::PromoteTo(d, hn::LoadU(f, first + i)));
    hn::StoreU(hn::DemoteTo(f, hn::Add(hn::Add(b, up), right)), f, out + i);
  }
  for (; i < n; ++i) {
    const double up = y * static_cast<double>(second[i]);
    const double right = x * static_cast<double>(first[i]);
    out[i] = static_cast<float>((static_cast<double>(base[i]) + up) + right);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sightline::landscape
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::landscape {

HWY_EXPORT(Widen);
HWY_EXPORT(SubtractFrom);
HWY_EXPORT(SumAll);
HWY_EXPORT(Dots);
HWY_EXPORT(CombineAll);
HWY_EXPORT(FormAll);

void WidenFloats(const void* floats, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Widen)(floats, out, n);
}

void SubtractFromFloats(const void* floats, const double* base, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(SubtractFrom)(floats, base, out, n);
}

double Sum(const double* a, std::size_t n) { return HWY_DYNAMIC_DISPATCH(SumAll)(a, n); }

void AddDots(const double* a, std::span<const double* const> vectors, std::size_t n, double* sums) {
  HWY_DYNAMIC_DISPATCH(Dots)(a, vectors.data(), vectors.size(), n, sums);
}

void Combine(std::span<const double* const> vectors, const double* factors, double offset,
             double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(CombineAll)(vectors.data(), factors, vectors.size(), offset, out, n);
}

void FormPoint(const float* base, const float* first, const float* second, double x, double y,
               float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(FormAll)(base, first, second, x, y, out, n);
}

}  // namespace sightline::landscape
#endif
