#include "sightline/runs/model/band.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace sightline {

Spread SpreadOfNumbers(std::span<const double> numbers) {
  Spread spread;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    spread.min = spread.count == 0 ? number : std::min(spread.min, number);
    spread.max = spread.count == 0 ? number : std::max(spread.max, number);
    ++spread.count;
  }
  if (spread.count == 0) return spread;
  const auto count = static_cast<double>(spread.count);
  spread.mean = 0;
  double squares = 0;
  for (const double number : numbers) spread.mean += std::isfinite(number) ? number / count : 0;
  for (const double number : numbers) {
    const double away = std::isfinite(number) ? number - spread.mean : 0;
    squares += away * away / (count - 1);
  }
  if (spread.count > 1) spread.deviation = std::sqrt(squares);
  return spread;
}

Band BandOf(std::span<const std::shared_ptr<const Run>> runs, std::string_view tag) {
  struct Next {
    std::int64_t step;
    const Series* series;
    std::size_t position;
    bool operator>(const Next& other) const { return step > other.step; }
  };
  // The position of the last point of a step, which is the one that counts.
  const auto last_of_step = [](const Series& series, std::size_t position) {
    while (position + 1 < series.size() && series.steps()[position + 1] == series.steps()[position])
      ++position;
    return position;
  };
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (const auto& run : runs) {
    const Series* series = run->Find(ContentKind::kScalar, tag);
    if (series != nullptr) next.push({series->steps()[0], series, 0});
  }
  Band band;
  std::vector<double> values;
  while (!next.empty()) {
    const std::int64_t step = next.top().step;
    values.clear();
    while (!next.empty() && next.top().step == step) {
      const auto [of_step, series, position] = next.top();
      next.pop();
      const std::size_t last = last_of_step(*series, position);
      values.push_back(series->values()[last]);
      if (last + 1 < series->size()) next.push({series->steps()[last + 1], series, last + 1});
    }
    band.steps.push_back(step);
    band.spreads.push_back(SpreadOfNumbers(values));
  }
  return band;
}

}  // namespace sightline
