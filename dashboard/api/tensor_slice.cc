#include "sightline/dashboard/api/tensor_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "sightline/base/trimmed.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::dashboard {
namespace {

constexpr std::string_view kBlank = " ";

struct Range {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  bool keep = true;  // The result has this dimension.
};

// No value: it is not a number.
std::optional<std::int64_t> ParseIndex(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Python's rules (slice.indices) for one dimension of `size` elements.
std::optional<Range> ParseRange(std::string_view text, std::int64_t size) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(Trimmed(text.substr(begin, end - begin), kBlank));
    begin = end + 1;
  }
  if (parts.size() > 3) return std::nullopt;
  std::optional<std::int64_t> numbers[3];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    numbers[i] = ParseIndex(parts[i]);
    // Far beyond any tensor, so that nothing below overflows.
    constexpr std::int64_t kFar = std::int64_t{1} << 60U;
    if (!numbers[i] || *numbers[i] > kFar || *numbers[i] < -kFar) return std::nullopt;
  }
  if (parts.size() == 1) {
    if (!numbers[0]) return std::nullopt;
    const std::int64_t index = *numbers[0] < 0 ? *numbers[0] + size : *numbers[0];
    if (index < 0 || index >= size) return std::nullopt;
    return Range{index, 1, 1, false};
  }
  const std::int64_t step = numbers[2].value_or(1);
  if (step == 0) return std::nullopt;
  const std::int64_t lowest = step > 0 ? 0 : -1;
  const std::int64_t highest = step > 0 ? size : size - 1;
  const auto bound = [&](std::optional<std::int64_t> at, std::int64_t otherwise) {
    if (!at) return otherwise;
    return std::clamp(*at < 0 ? *at + size : *at, lowest, highest);
  };
  const std::int64_t start = bound(numbers[0], step > 0 ? lowest : highest);
  const std::int64_t stop = bound(numbers[1], step > 0 ? highest : lowest);
  const std::int64_t span = step > 0 ? stop - start : start - stop;
  const std::int64_t width = step > 0 ? step : -step;
  return Range{start, step, span > 0 ? (span + width - 1) / width : 0, true};
}

Result<std::vector<Range>> ParseSlice(std::string_view text,
                                      const std::vector<std::int64_t>& shape) {
  const auto refuse = [&] {
    return Error(StatusCode::kInvalidArgument, fmt::format("slice '{}' does not fit the shape [{}]",
                                                           text, fmt::join(shape, ",")));
  };
  std::string_view rest = Trimmed(text, kBlank);
  if (!rest.empty()) {
    if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']') return refuse();
    rest = Trimmed(rest.substr(1, rest.size() - 2), kBlank);
  }
  std::vector<Range> ranges;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (ranges.size() == shape.size()) return refuse();
    const auto range = ParseRange(Trimmed(rest.substr(0, end), kBlank), shape[ranges.size()]);
    if (!range) return refuse();
    ranges.push_back(*range);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  while (ranges.size() < shape.size()) ranges.push_back({0, 1, shape[ranges.size()], true});
  return ranges;
}

}  // namespace

Result<TensorData> SliceTensor(const TensorData& tensor, std::string_view text) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Range> ranges, ParseSlice(text, tensor.shape));
  TensorData slice;
  slice.dtype = tensor.dtype;
  std::size_t count = 1;
  for (const Range& range : ranges) {
    count *= static_cast<std::size_t>(range.count);
    if (range.keep) slice.shape.push_back(range.count);
  }
  const std::size_t element = DTypeSize(tensor.dtype);
  slice.data.resize(count * element);
  std::vector<std::int64_t> strides(ranges.size(), 1);
  for (std::size_t i = ranges.size(); i-- > 1;) strides[i - 1] = strides[i] * tensor.shape[i];
  std::vector<std::int64_t> index(ranges.size(), 0);
  for (std::size_t out = 0; out < count; ++out) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      at += (ranges[i].start + index[i] * ranges[i].step) * strides[i];
    std::memcpy(slice.data.data() + out * element,
                tensor.data.data() + static_cast<std::size_t>(at) * element, element);
    for (std::size_t i = ranges.size(); i-- > 0;) {
      if (++index[i] < ranges[i].count) break;
      index[i] = 0;
    }
  }
  return slice;
}

Result<std::vector<double>> ToNumbers(const TensorView& tensor) {
  SIGHTLINE_RETURN_IF_ERROR(tensor.Check());
  if (tensor.dtype == DType::kComplex64 || tensor.dtype == DType::kComplex128)
    return Error(StatusCode::kUnimplemented, "complex numbers are not shown");
  std::vector<double> numbers(tensor.ElementCount());
  ConvertToFloat64(tensor.dtype, tensor.data, numbers.size(), numbers.data());
  return numbers;
}

NumberStats StatsOf(const std::vector<double>& numbers) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  NumberStats stats;
  stats.count = numbers.size();
  stats.min = stats.max = stats.mean = stats.std = kNaN;
  std::size_t finite = 0;
  double sum = 0;
  for (const double value : numbers) {
    if (std::isnan(value)) {
      ++stats.nan;
    } else if (std::isinf(value)) {
      ++(value > 0 ? stats.positive_inf : stats.negative_inf);
    } else {
      stats.min = finite == 0 ? value : std::min(stats.min, value);
      stats.max = finite == 0 ? value : std::max(stats.max, value);
      sum += value;
      ++finite;
    }
  }
  if (finite == 0) return stats;
  stats.mean = sum / static_cast<double>(finite);
  double squares = 0;
  for (const double value : numbers) {
    const double off = value - stats.mean;
    if (std::isfinite(value)) squares += off * off;
  }
  stats.std = std::sqrt(squares / static_cast<double>(finite));
  return stats;
}

}  // namespace sightline::dashboard
