// Histograms with MindSpore's buckets, bit for bit, at memory speed.
//
// The rules, n being the number of finite values (NumPy 1.26 behind MindSpore 2.7 is the
// reference):
// - Buckets: n = 0 none; n <= 5 2; n <= 10 3; n <= 880 n / 10 + 1 (integer division); else 90.
// - Edges: linspace(min, max) with min - 0.5 and max + 0.5 when both are equal. Computed in
// float64, edge i being
//   i * ((max - min) / buckets) + min and the last one max, then converted to the array's dtype:
//   rounded to float32 or float16, rounded down to an integer.
// - A value counts in bucket i when edge[i] <= v < edge[i + 1]; the last bucket is closed. Left and
// width are
//   the edge and the difference of two edges in the array's dtype.
// - Sum: in float64, NaN and infinity counting 0, in NumPy's order: pairs within blocks (see
// histogram.cc), the
//   whole array for float64, runs of 8192 elements added one after another for every other dtype.
// - Where MindSpore has no answer: bool and bfloat16 have float32 edges; integer edges saturate at
// the dtype's
//   limits; a width is never wrapped around; a range beyond float64 is divided before it is
//   subtracted.
//
// Pure: callable from any thread; the result depends neither on the processor nor on the caller's
// floating-point mode (rounding, flush-to-zero).
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
  double width = 0;  // May be 0 where neighbouring edges are the same number of the dtype.
  std::int64_t count = 0;
};

struct HistogramData {
  std::vector<HistogramBucket> buckets;  // Ascending; empty without finite values.
  std::int64_t nan_count = 0;
  std::int64_t pos_inf_count = 0;
  std::int64_t neg_inf_count = 0;
  // Of the finite values only; 0 without any.
  double max = 0;
  double min = 0;
  double sum = 0;
  double sum_squares = 0;  // TensorBoard's histogram has it, MindSpore's has not.
  std::int64_t count = 0;  // All values, NaN and infinity included.
  bool has_finite = false;
};

// kInvalidArgument for what TensorView::Check refuses and for complex dtypes.
Result<HistogramData> ComputeHistogram(const TensorView& values);

}  // namespace sightline
