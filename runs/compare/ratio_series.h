// How many times its reference a series is, step by step, for a chart.
//
//   if (const auto ratio = RatioSeries(*mine, *reference)) Draw(ratio->ColumnsBySteps(1, 999,
//   600));
//
// A plain function, callable from any thread. It takes time in proportion to the points.
#pragma once

#include <memory>

#include "sightline/runs/model/series.h"

namespace sightline {

// A scalar series of b / a at the steps that both have, as JoinSteps() joins them. Wall times are
// NaN. A ratio is not finite where a is 0 or one of the two is not finite. Null if no step is
// common. REQUIRES: both are scalars.
std::shared_ptr<const Series> RatioSeries(const Series& b, const Series& a);

}  // namespace sightline
