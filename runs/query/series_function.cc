#include "sightline/runs/query/series_function.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "sightline/base/quantile.h"

namespace sightline {
namespace {

// The position of the first point of the last `steps` steps.
std::size_t BeginOfLast(const Series& series, std::optional<std::size_t> steps) {
  const auto all = series.steps();
  if (!steps || *steps >= all.size()) return 0;
  std::size_t begin = all.size();
  for (std::size_t seen = 0; begin > 0; --begin) {
    const bool is_next = begin == all.size() || all[begin - 1] != all[begin];
    if (is_next && ++seen > *steps) break;
  }
  return begin;
}

// NaN if no value is finite, so that a series that has diverged does not look like a missing one.
QueryValue StatisticOf(const Series& series, SeriesFunction function,
                       std::optional<std::size_t> steps) {
  const auto counting = series.values().subspan(BeginOfLast(series, steps));
  std::vector<double> finite;
  std::copy_if(counting.begin(), counting.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (function == SeriesFunction::kMedian) return QuantileOf(finite, 0.5);
  if (function == SeriesFunction::kP95) return QuantileOf(finite, 0.95);
  // Wider than the values, so that the sum of equal ones is exact enough to give their mean.
  const auto count = static_cast<long double>(finite.size());
  const auto mean =
      static_cast<double>(std::accumulate(finite.begin(), finite.end(), 0.0L) / count);
  if (function == SeriesFunction::kMean) return mean;
  if (finite.size() == 1) return {};
  long double squares = 0;
  for (const double value : finite) {
    const long double away = static_cast<long double>(value) - mean;
    squares += away * away;
  }
  return static_cast<double>(std::sqrt(squares / (count - 1)));
}

QueryValue FirstNan(const Series& series) {
  if (series.ExtremesOf(0, series.size()).nonfinite() == 0) return {};
  const auto values = series.values();
  const auto first = std::find_if_not(values.begin(), values.end(),
                                      [](double value) { return std::isfinite(value); });
  if (first == values.end()) return {};
  return static_cast<double>(series.steps()[static_cast<std::size_t>(first - values.begin())]);
}

QueryValue Finite(double value) { return std::isnan(value) ? QueryValue() : QueryValue(value); }

}  // namespace

const std::vector<std::string>& SeriesFunctionNames() {
  static const std::vector<std::string> names = {
      "first", "last", "min", "max", "count", "step", "mean", "median", "p95", "std", "first_nan"};
  return names;
}

std::optional<SeriesFunction> SeriesFunctionOf(std::string_view name) {
  const auto& names = SeriesFunctionNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<SeriesFunction>(found - names.begin());
}

bool IsStatistic(SeriesFunction function) {
  return function >= SeriesFunction::kMean && function <= SeriesFunction::kStd;
}

QueryValue ValueOf(const Series& series, SeriesFunction function,
                   std::optional<std::size_t> steps) {
  switch (function) {
    case SeriesFunction::kFirst:
      return series.first_value();
    case SeriesFunction::kLast:
      return series.last_value();
    case SeriesFunction::kMin:
      return Finite(series.ExtremesOf(0, series.size()).min);
    case SeriesFunction::kMax:
      return Finite(series.ExtremesOf(0, series.size()).max);
    case SeriesFunction::kCount:
      return static_cast<double>(series.size());
    case SeriesFunction::kStep:
      return static_cast<double>(series.last_step());
    case SeriesFunction::kMean:
    case SeriesFunction::kMedian:
    case SeriesFunction::kP95:
    case SeriesFunction::kStd:
      return StatisticOf(series, function, steps);
    case SeriesFunction::kFirstNan:
      return FirstNan(series);
  }
  return {};
}

}  // namespace sightline
