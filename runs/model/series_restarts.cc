#include "sightline/runs/model/series_restarts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "sightline/runs/model/series_points.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxRestarts = 100;

// A time for comparisons, of which NaN allows none.
double Known(double time) { return std::isnan(time) ? 0 : time; }

// Calls take(i) for the positions of the points that are not superseded, ascending.
template <typename Take>
void ForEachNewest(std::span<const std::int64_t> steps, std::span<const double> times,
                   const Take& take) {
  double latest = -std::numeric_limits<double>::infinity();
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin;
    for (; end < steps.size() && steps[end] == steps[begin]; ++end)
      latest = std::max(latest, times[end]);
    for (; begin < end; ++begin)
      if (!(times[begin] < latest)) take(begin);
  }
}

// Whether each point was recorded after the one before it, for a later step: nearly always.
bool IsOneAttempt(std::span<const std::int64_t> steps, std::span<const double> times) {
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (!(steps[i - 1] < steps[i] && times[i - 1] <= times[i])) return false;
  return true;
}

std::vector<std::int64_t> FirstSteps(std::span<const std::int64_t> steps,
                                     std::span<const double> times) {
  if (std::is_sorted(times.begin(), times.end())) return {};
  std::vector<std::size_t> recorded(steps.size());  // Positions in the order of recording.
  std::iota(recorded.begin(), recorded.end(), std::size_t{0});
  std::stable_sort(recorded.begin(), recorded.end(),
                   [&](std::size_t a, std::size_t b) { return Known(times[a]) < Known(times[b]); });
  std::vector<std::int64_t> restarts;
  std::int64_t last = steps[recorded.front()];
  for (const std::size_t i : recorded) {
    if (steps[i] < last) {
      restarts.push_back(steps[i]);
      if (restarts.size() > kMaxRestarts) return {};
    }
    last = steps[i];
  }
  return restarts;
}

}  // namespace

SeriesRestarts FindRestarts(std::span<const std::int64_t> steps, std::span<const double> times) {
  if (IsOneAttempt(steps, times)) return {};
  std::size_t newest = 0;
  ForEachNewest(steps, times, [&](std::size_t /*i*/) { ++newest; });
  return {FirstSteps(steps, times), steps.size() - newest};
}

std::shared_ptr<const Series> NewestOf(const Series& series) {
  if (series.restarts().superseded == 0) return nullptr;
  SeriesPoints points;
  ForEachNewest(series.steps(), series.wall_times(), [&](std::size_t i) {
    points.steps.push_back(series.steps()[i]);
    points.wall_times.push_back(series.wall_times()[i]);
    points.values.push_back(series.values()[i]);
  });
  return std::make_shared<const Series>(series.key(), std::move(points));
}

}  // namespace sightline
