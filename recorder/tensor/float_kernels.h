// The two passes over values that histograms and stretched images need, in the best instruction set
// of this processor; for histogram.cc and image.cc. Every instruction set gives the same bits. Pure
// functions; may be called from any thread.
//
// REQUIRES: the thread rounds to nearest and keeps denormals (ScopedFloatEnvironment).
#pragma once

#include <array>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sightline {

// The elements of a run of this size are summed in pairs, and the sums of the runs one after
// another. It is NumPy's buffer size, which decides how a sum is rounded.
inline constexpr std::size_t kSumRun = 8192;

struct ValueStats {
  std::int64_t finite_count = 0;
  std::int64_t nan_count = 0;
  std::int64_t pos_inf_count = 0;
  std::int64_t neg_inf_count = 0;
  // These are of the finite values only.
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double sum_squares = 0;
};

// The instruction set that this processor gets, in Highway's words: "AVX2", "NEON".
const char* FloatKernelsName();

// Adds `n` values. The sum of several calls equals NumPy's if every `n` except the last is a
// multiple of kSumRun.
void AddToStats(const float* values, std::size_t n, ValueStats& stats);
void AddToStats(const double* values, std::size_t n, ValueStats& stats);

inline constexpr std::size_t kMaxBuckets = 90;
using BucketCounts = std::array<std::int64_t, kMaxBuckets>;

// Buckets of equal width whose edges were rounded. Bucket i counts edges[i] <= v < edges[i + 1];
// the last one also counts its right edge.
struct FloatBuckets {
  std::size_t count = 0;  // 1 to kMaxBuckets.
  // The count + 1 edges, ascending; no finite value is outside of them.
  std::array<float, kMaxBuckets + 1> edges = {};
  // Buckets per unit: f(v) = (v - edges[0]) * scale, in float32, is about the bucket of v.
  float scale = 0;
  // The largest |f(edges[i]) - i|.
  float margin = 0;

  // Fills scale and margin. False if rounding has moved an edge too far for CountInBuckets.
  bool Prepare();
};

// Adds the number of values in bucket i to counts[i], exactly. NaN and infinities are not counted.
// REQUIRES: buckets.Prepare() returned true.
void CountInBuckets(const FloatBuckets& buckets, const float* values, std::size_t n,
                    BucketCounts& counts);

// Sets the default floating-point environment for a scope, since the threads of a training
// framework may flush denormals to zero.
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
