// The functions of a query that make one value of a scalar series (docs/query.md). Private to this
// folder. Plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/model/series.h"
#include "sightline/runs/query/query.h"

namespace sightline {

enum class SeriesFunction : std::uint8_t {
  kFirst,
  kLast,
  kMin,
  kMax,
  kCount,
  kStep,
  kMean,
  kMedian,
  kP95,
  kStd,
  kFirstNan,
};

// As it is typed; none if no function is called so.
std::optional<SeriesFunction> SeriesFunctionOf(std::string_view name);
// The names of all, in the order above.
const std::vector<std::string>& SeriesFunctionNames();
// Mean, median, p95 and std: they can be of the last steps, and their values are computed.
bool IsStatistic(SeriesFunction function);

// The value of a function of a scalar series; empty if it has none. `steps`: for a statistic, how
// many of the last recorded steps count, at least 1; all if it is empty. Loads the points for
// statistics, and to find the first NaN if there is one.
QueryValue ValueOf(const Series& series, SeriesFunction function,
                   std::optional<std::size_t> steps = std::nullopt);

}  // namespace sightline
