#include "sightline/recorder/tensor/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "sightline/recorder/tensor/float_kernels.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

std::size_t BucketCount(std::int64_t finite) {
  if (finite == 0) return 0;
  if (finite <= 5) return 2;
  if (finite <= 10) return 3;
  if (finite <= 880) return static_cast<std::size_t>(finite / 10 + 1);
  return kMaxBuckets;
}

template <typename T>
double FloorWithin(double value) {
  return std::clamp(std::floor(value), static_cast<double>(std::numeric_limits<T>::lowest()),
                    static_cast<double>(std::numeric_limits<T>::max()));
}

// `value` as an edge or a width in this dtype. The result is exact as a float64, except that 2^63
// and 2^64 stand for the largest 64-bit integers.
double RoundToDType(DType dtype, double value) {
  switch (dtype) {
    case DType::kInt8:
      return FloorWithin<std::int8_t>(value);
    case DType::kInt16:
      return FloorWithin<std::int16_t>(value);
    case DType::kInt32:
      return FloorWithin<std::int32_t>(value);
    case DType::kInt64:
      return FloorWithin<std::int64_t>(value);
    case DType::kUint8:
      return FloorWithin<std::uint8_t>(value);
    case DType::kUint16:
      return FloorWithin<std::uint16_t>(value);
    case DType::kUint32:
      return FloorWithin<std::uint32_t>(value);
    case DType::kUint64:
      return FloorWithin<std::uint64_t>(value);
    case DType::kFloat16:
      return HalfToFloat(DoubleToHalf(value));
    case DType::kFloat32:
    case DType::kBool:
    case DType::kBfloat16:
      return static_cast<float>(value);
    case DType::kFloat64:
    case DType::kComplex64:
    case DType::kComplex128:
      break;
  }
  return value;
}

// The difference of two edges. For float32 and float16, rounding to float64 and then to the dtype
// gives the same as rounding once. A difference of integers needs no rounding and may exceed the
// dtype.
double Width(DType dtype, double left, double right) {
  const bool integer = RoundToDType(dtype, 0.5) == 0;
  return integer ? right - left : RoundToDType(dtype, right - left);
}

// The edges as numpy.linspace computes them, in its order of operations.
std::vector<double> Edges(DType dtype, double min, double max, std::size_t buckets) {
  if (!(min < max)) {
    min -= 0.5;
    max += 0.5;
  }
  const auto divisions = static_cast<double>(buckets);
  const double range = max - min;
  const double step = range / divisions;
  std::vector<double> edges(buckets + 1);
  for (std::size_t k = 0; k < buckets; ++k) {
    const auto i = static_cast<double>(k);
    double edge = step == 0 ? i / divisions * range + min : i * step + min;
    if (!std::isfinite(range)) edge = std::lerp(min, max, i / divisions);
    edges[k] = RoundToDType(dtype, edge);
  }
  edges[buckets] = RoundToDType(dtype, max);
  return edges;
}

template <typename T>
T ElementAt(const void* data, std::size_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
  return value;
}

// The edges in the type in which values are compared. A float64 that exceeds an integer type
// becomes its limit.
template <typename T>
std::vector<T> ThresholdsOf(const std::vector<double>& edges) {
  std::vector<T> thresholds;
  for (const double edge : edges) {
    const bool beyond =
        std::is_integral_v<T> && edge >= static_cast<double>(std::numeric_limits<T>::max());
    thresholds.push_back(beyond ? std::numeric_limits<T>::max() : static_cast<T>(edge));
  }
  return thresholds;
}

// Counts in the cases that CountInBuckets does not cover: types wider than float32, and edges that
// rounding has moved too close together.
template <typename T>
class Searcher {
 public:
  explicit Searcher(const std::vector<double>& edges)
      : thresholds_(ThresholdsOf<T>(edges)),
        buckets_(edges.size() - 1),
        first_(edges.front()),
        scale_(static_cast<double>(buckets_) / (edges.back() - edges.front())) {}

  void Count(T value, BucketCounts& counts) const {
    // NaN also fails this. As in NumPy, rounding may leave some 64-bit integers outside.
    if (!(value >= thresholds_.front() && value <= thresholds_.back())) return;
    const std::size_t guess = Guess(value);
    const bool right = value >= thresholds_[guess] && value < thresholds_[guess + 1];
    ++counts[right ? guess : Search(value)];
  }

 private:
  std::size_t Guess(T value) const {
    const double estimate = (static_cast<double>(value) - first_) * scale_;
    const auto last = static_cast<double>(buckets_ - 1);
    return static_cast<std::size_t>(estimate > 0 ? std::min(estimate, last) : 0);
  }

  std::size_t Search(T value) const {
    const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), value);
    const auto bucket = static_cast<std::size_t>(above - thresholds_.begin()) - 1;
    return std::min(bucket, buckets_ - 1);
  }

  std::vector<T> thresholds_;
  std::size_t buckets_;
  double first_;
  double scale_;
};

template <typename T>
void CountElements(const TensorView& values, const std::vector<double>& edges,
                   BucketCounts& counts) {
  const Searcher<T> searcher(edges);
  const std::size_t n = values.ElementCount();
  for (std::size_t i = 0; i < n; ++i) searcher.Count(ElementAt<T>(values.data, i), counts);
}

// Calls f(elements, n) for runs of kSumRun elements converted to T. If the elements are of type T
// and aligned, calls it once with all of them.
template <typename T, typename F>
void ForEachRun(const TensorView& values, F f) {
  const std::size_t total = values.ElementCount();
  const auto* data = static_cast<const char*>(values.data);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
  if (values.dtype == DTypeOf<T>() && aligned) return f(static_cast<const T*>(values.data), total);
  T converted[kSumRun];
  for (std::size_t begin = 0; begin < total; begin += kSumRun) {
    const std::size_t n = std::min(kSumRun, total - begin);
    const char* source = data + begin * DTypeSize(values.dtype);
    if constexpr (std::is_same_v<T, float>) {
      ConvertToFloat32(values.dtype, source, n, converted);
    } else {
      ConvertToFloat64(values.dtype, source, n, converted);
    }
    f(static_cast<const T*>(converted), n);
  }
}

template <typename T>
ValueStats StatsOf(const TensorView& values) {
  ValueStats stats;
  ForEachRun<T>(values, [&stats](const T* v, std::size_t n) { AddToStats(v, n, stats); });
  return stats;
}

void CountNarrow(const TensorView& values, const std::vector<double>& edges, BucketCounts& counts) {
  FloatBuckets buckets;
  buckets.count = edges.size() - 1;
  for (std::size_t i = 0; i < edges.size(); ++i) buckets.edges[i] = static_cast<float>(edges[i]);
  if (buckets.Prepare()) {
    return ForEachRun<float>(
        values, [&](const float* v, std::size_t n) { CountInBuckets(buckets, v, n, counts); });
  }
  const Searcher<float> searcher(edges);
  ForEachRun<float>(values, [&](const float* v, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) searcher.Count(v[i], counts);
  });
}

void CountAny(const TensorView& values, const std::vector<double>& edges, BucketCounts& counts) {
  switch (values.dtype) {
    case DType::kInt32:
      return CountElements<std::int32_t>(values, edges, counts);
    case DType::kInt64:
      return CountElements<std::int64_t>(values, edges, counts);
    case DType::kUint32:
      return CountElements<std::uint32_t>(values, edges, counts);
    case DType::kUint64:
      return CountElements<std::uint64_t>(values, edges, counts);
    case DType::kFloat64:
      return CountElements<double>(values, edges, counts);
    case DType::kBool:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kFloat32:
    case DType::kBfloat16:
      return CountNarrow(values, edges, counts);
    case DType::kComplex64:
    case DType::kComplex128:
      return;  // ComputeHistogram has refused it.
  }
}

}  // namespace

Result<HistogramData> ComputeHistogram(const TensorView& values) {
  SIGHTLINE_RETURN_IF_ERROR(values.Check());
  if (values.dtype == DType::kComplex64 || values.dtype == DType::kComplex128) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("histogram: {} has no order; record histograms of its real and imaginary "
                    "part, or of its magnitude",
                    DTypeName(values.dtype)));
  }
  const ScopedFloatEnvironment environment;
  const ValueStats stats =
      Float32IsExact(values.dtype) ? StatsOf<float>(values) : StatsOf<double>(values);
  HistogramData data;
  data.count = static_cast<double>(values.ElementCount());
  data.nan_count = stats.nan_count;
  data.pos_inf_count = stats.pos_inf_count;
  data.neg_inf_count = stats.neg_inf_count;
  if (stats.finite_count == 0) return data;
  data.has_finite = true;
  // Adding 0 turns -0 into 0. Otherwise the order of comparisons would decide which of the two
  // zeros is the minimum.
  data.min = stats.min + 0.0;
  data.max = stats.max + 0.0;
  data.sum = stats.sum;
  data.sum_squares = stats.sum_squares;

  const std::vector<double> edges =
      Edges(values.dtype, data.min, data.max, BucketCount(stats.finite_count));
  BucketCounts counts = {};
  CountAny(values, edges, counts);
  data.buckets.resize(edges.size() - 1);
  for (std::size_t i = 0; i < data.buckets.size(); ++i) {
    data.buckets[i] = {edges[i], Width(values.dtype, edges[i], edges[i + 1]),
                       static_cast<double>(counts[i])};
  }
  return data;
}

}  // namespace sightline
