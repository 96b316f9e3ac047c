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

// The positions of the points that are not superseded, ascending.
std::vector<std::size_t> NewestPositions(const Series& series) {
  const auto steps = series.steps();
  const auto times = series.wall_times();
  std::vector<std::size_t> newest;
  double latest = -std::numeric_limits<double>::infinity();
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin;
    for (; end < steps.size() && steps[end] == steps[begin]; ++end)
      latest = std::max(latest, times[end]);
    for (; begin < end; ++begin)
      if (!(times[begin] < latest)) newest.push_back(begin);
  }
  return newest;
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

SeriesRestarts RestartsOf(const Series& series) {
  return {FirstSteps(series.steps(), series.wall_times()),
          series.size() - NewestPositions(series).size()};
}

std::shared_ptr<const Series> NewestOf(const Series& series) {
  const std::vector<std::size_t> newest = NewestPositions(series);
  if (newest.size() == series.size()) return nullptr;
  SeriesPoints points;
  for (const std::size_t i : newest) {
    points.steps.push_back(series.steps()[i]);
    points.wall_times.push_back(series.wall_times()[i]);
    points.values.push_back(series.values()[i]);
  }
  return std::make_shared<const Series>(series.key(), std::move(points));
}

}  // namespace sightline
