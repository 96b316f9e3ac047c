// Computes histograms with MindSpore's buckets, bit for bit, at memory speed.
//
// The rules follow MindSpore 2.7 with NumPy 1.26. n is the number of finite values.
// - Buckets: none if n = 0, 2 if n <= 5, 3 if n <= 10, n / 10 + 1 (integer division) if n <= 880,
//   otherwise 90.
// - Edges: linspace(min, max); if min and max are equal, linspace(min - 0.5, max + 0.5). Edge i is
//   i * ((max - min) / buckets) + min in float64, and the last one is max. They are then converted
//   to the array's dtype: rounded to float32 or float16, or rounded down to an integer.
// - Bucket i counts a value v if edge[i] <= v < edge[i + 1]; the last bucket also counts its right
//   edge. Left is edge i, and width is the difference of two edges, both in the array's dtype.
// - Sum: in float64, with 0 for NaN and infinity, in NumPy's order (float_kernels.cc): in pairs
//   within runs of 8192 elements, and the sums of the runs one after another.
// - Cases that MindSpore does not define: bool and bfloat16 have float32 edges; integer edges
//   saturate at the limits of the dtype; a width never wraps around; a range that exceeds float64
//   is divided before it is subtracted.
//
// Pure; may be called from any thread. The result depends neither on the processor nor on the
// caller's floating-point mode (rounding, flush-to-zero).
//
//   Result<HistogramData> histogram = ComputeHistogram(View(weights.data(), shape));
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct HistogramBucket {
  double left = 0;
  double width = 0;  // 0 if neighbouring edges are the same number in the dtype.
  double count = 0;  // A whole number, except in normalized histograms of other programs.
};

struct HistogramData {
  std::vector<HistogramBucket> buckets;  // Ascending; empty if there are no finite values.
  std::int64_t nan_count = 0;
  std::int64_t pos_inf_count = 0;
  std::int64_t neg_inf_count = 0;
  // These are of the finite values only, and 0 if there are none.
  double max = 0;
  double min = 0;
  double sum = 0;
  double sum_squares = 0;  // TensorBoard's histogram has it, MindSpore's does not.
  double count = 0;        // All values, with NaN and infinities.
  bool has_finite = false;
  bool has_sum = true;  // False if the file that was read does not have it.
};

// kInvalidArgument if TensorView::Check refuses the tensor, and for complex dtypes.
Result<HistogramData> ComputeHistogram(const TensorView& values);

}  // namespace sightline
