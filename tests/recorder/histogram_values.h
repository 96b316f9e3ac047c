// Histograms of plain vectors, and their buckets as vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sightline/recorder/tensor/histogram.h"

namespace sightline::testing {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

inline HistogramData Histogram(DType dtype, const void* data, std::size_t n) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(n)};
  return ComputeHistogram({dtype, shape, data}).value();
}

template <typename T>
HistogramData Histogram(const std::vector<T>& values) {
  return Histogram(DTypeOf<T>(), values.data(), values.size());
}

inline std::vector<std::int64_t> Counts(const HistogramData& histogram) {
  std::vector<std::int64_t> counts;
  for (const HistogramBucket& bucket : histogram.buckets)
    counts.push_back(static_cast<std::int64_t>(bucket.count));
  return counts;
}

inline std::vector<double> Lefts(const HistogramData& histogram) {
  std::vector<double> lefts;
  for (const HistogramBucket& bucket : histogram.buckets) lefts.push_back(bucket.left);
  return lefts;
}

}  // namespace sightline::testing
