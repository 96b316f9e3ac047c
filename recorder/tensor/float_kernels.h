// The two passes over values behind histograms and stretched images, in the best instruction set of
// the processor at hand. Used by histogram.cc and image.cc. Pure; callable from any thread. Every
// instruction set gives the same bits.
//
// REQUIRES: the processor rounds to nearest and keeps denormals (ScopedFloatEnvironment).
#pragma once

#include <array>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sightline {

// Runs of this many elements are summed by pairs, and the runs one after another: NumPy's buffer
// size, which decides how a sum is rounded.
inline constexpr std::size_t kSumRun = 8192;

struct ValueStats {
  std::int64_t finite_count = 0;
  std::int64_t nan_count = 0;
  std::int64_t pos_inf_count = 0;
  std::int64_t neg_inf_count = 0;
  // Of the finite values only.
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double sum_squares = 0;
};

// Adds `n` values. A sum over several calls is NumPy's when every `n` but the last is a multiple of
// kSumRun.
void AddToStats(const float* values, std::size_t n, ValueStats& stats);
void AddToStats(const double* values, std::size_t n, ValueStats& stats);

inline constexpr std::size_t kMaxBuckets = 90;
using BucketCounts = std::array<std::int64_t, kMaxBuckets>;

// Buckets of equal width whose edges were rounded: bucket i holds edges[i] <= v < edges[i + 1], the
// last one its right edge too.
struct FloatBuckets {
  std::size_t count = 0;  // 1 to kMaxBuckets.
  // Ascending, count + 1 of them; no finite value lies outside.
  std::array<float, kMaxBuckets + 1> edges = {};
  // Buckets per unit: f(v) = (v - edges[0]) * scale, in float32, is about the bucket of v.
  float scale = 0;
  // The largest |f(edges[i]) - i|.
  float margin = 0;

  // Fills scale and margin. False where rounding has moved an edge too far for CountInBuckets.
  bool Prepare();
};

// Adds to counts[i] the values in bucket i, exactly; NaN and infinities count nowhere.
// REQUIRES: buckets.Prepare() was true.
void CountInBuckets(const FloatBuckets& buckets, const float* values, std::size_t n,
                    BucketCounts& counts);

// The default floating-point environment for a scope: a training framework's threads may flush
// denormals to zero.
class ScopedFloatEnvironment {
 public:
  ScopedFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedFloatEnvironment() { std::fesetenv(&saved_); }
  ScopedFloatEnvironment(const ScopedFloatEnvironment&) = delete;
  ScopedFloatEnvironment& operator=(const ScopedFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_ = {};
};

}  // namespace sightline
