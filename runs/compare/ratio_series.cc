#include "sightline/runs/compare/ratio_series.h"

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "sightline/runs/compare/series_comparison.h"
#include "sightline/runs/model/series_points.h"

namespace sightline {

std::shared_ptr<const Series> RatioSeries(const Series& b, const Series& a) {
  const JoinedSteps joined = JoinSteps(a, b);
  if (joined.steps.empty()) return nullptr;
  std::vector<double> ratios(joined.steps.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = joined.b[i] / joined.a[i];
  SeriesPoints points;
  points.steps = joined.steps;
  points.wall_times = std::vector(ratios.size(), std::numeric_limits<double>::quiet_NaN());
  points.values = ratios;
  return std::make_shared<const Series>(b.key(), std::move(points));
}

}  // namespace sightline
