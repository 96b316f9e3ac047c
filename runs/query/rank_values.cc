#include "sightline/runs/query/rank_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sightline/base/quantile.h"

namespace sightline {

RankValues::RankValues(std::vector<std::pair<std::int32_t, double>> of_ranks, std::size_t count)
    : values(std::move(of_ranks)), ranks(count) {
  std::vector<double> numbers;
  for (const auto& [rank, value] : values) {
    if (std::isfinite(value)) {
      numbers.push_back(value);
    } else {
      nonfinite.push_back(rank);
    }
  }
  finite = numbers.size();
  if (numbers.empty()) return;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  min = *least;
  max = *most;
  // Each is divided first: the sum of large numbers may be infinite.
  const auto count_of_numbers = static_cast<double>(finite);
  mean = std::accumulate(numbers.begin(), numbers.end(), 0.0, [&](double sum, double number) {
    return sum + number / count_of_numbers;
  });
  median = QuantileOf(numbers, 0.5);
  if (!nonfinite.empty()) {
    worst = nonfinite.front();
    return;
  }
  const auto distance = [this](const auto& each) { return std::abs(each.second - median); };
  const auto is_nearer = [&](const auto& a, const auto& b) { return distance(a) < distance(b); };
  const auto farthest = std::max_element(values.begin(), values.end(), is_nearer);
  const auto nearest = std::min_element(values.begin(), values.end(), is_nearer);
  // The median between two numbers is rounded.
  constexpr double kRounding = 1e-9;
  if (distance(*nearest) < distance(*farthest) * (1 - kRounding)) worst = farthest->first;
}

bool RankValues::differ() const { return finite != 0 && (!nonfinite.empty() || min != max); }

std::optional<double> RankValues::spread() const {
  if (finite < 2 || median == 0) return std::nullopt;
  return (max - min) / std::abs(median);
}

}  // namespace sightline
