#include "sightline/runs/compare/run_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sightline/runs/compare/series_comparison.h"
#include "sightline/runs/model/step_cursor.h"

namespace sightline {
namespace {

constexpr std::size_t kMostWindows = 40;
constexpr std::size_t kLeastWindows = 4;
constexpr std::size_t kStepsPerWindow = 5;  // At least.
constexpr std::size_t kPooled = 4;          // Windows on each side that share a variance.
constexpr double kRounding = 1e-6;          // Of float32, as a share of the values.
constexpr double kLeastSpread = 0.05;       // No smaller deviation of a logarithm is believed.
constexpr double kWalkBack = 2;             // Deviations.

// The probability that |t| of Student's distribution is beyond `t`. The logarithm is Wallace's
// normal approximation (Bounds on normal approximations to Student's and the chi-square
// distributions, Ann. Math. Statist. 30, 1959), good to some per cent of the probability.
double ChanceOf(double t, double freedom) {
  const double z =
      (8 * freedom + 1) / (8 * freedom + 3) * std::sqrt(freedom * std::log1p(t * t / freedom));
  return std::erfc(z / std::sqrt(2.0));
}

// Steps that all have, and the values of each run there; the last row is the series in question.
struct Values {
  std::vector<std::int64_t> steps;
  std::vector<std::vector<double>> rows;
};

Values CommonValues(const Series& series, std::span<const Series* const> kind) {
  std::vector<StepCursor> cursors;
  cursors.reserve(kind.size() + 1);
  for (const Series* one : kind) cursors.emplace_back(*one);
  cursors.emplace_back(series);
  Values values;
  values.rows.resize(cursors.size());
  const auto none_done = [&] {
    return std::none_of(cursors.begin(), cursors.end(), [](const auto& at) { return at.done(); });
  };
  while (none_done()) {
    std::int64_t step = cursors.front().step();
    for (const StepCursor& at : cursors) step = std::max(step, at.step());
    bool common = true;
    for (StepCursor& at : cursors) {
      while (!at.done() && at.step() < step) at.Next();
      common = common && !at.done() && at.step() == step;
    }
    if (!common) continue;
    values.steps.push_back(step);
    for (std::size_t r = 0; r < cursors.size(); ++r) {
      values.rows[r].push_back(cursors[r].value());
      cursors[r].Next();
    }
  }
  return values;
}

// The first of kLeavingSteps steps in a row at which only the series in question is not finite.
// Leaves only steps at which all are finite in `values`.
std::optional<std::int64_t> TakeNonFinite(Values& values) {
  std::optional<std::int64_t> leaves;
  std::size_t kept = 0;
  std::size_t row = 0;
  for (std::size_t i = 0; i < values.steps.size(); ++i) {
    const auto is_finite = [i](const auto& of) { return std::isfinite(of[i]); };
    const bool kind = std::all_of(values.rows.begin(), values.rows.end() - 1, is_finite);
    const bool own = is_finite(values.rows.back());
    row = kind && !own ? row + 1 : 0;
    if (row == kLeavingSteps && !leaves) leaves = values.steps[i + 1 - kLeavingSteps];
    if (!kind || !own) continue;
    values.steps[kept] = values.steps[i];
    for (auto& of : values.rows) of[kept] = of[i];
    ++kept;
  }
  values.steps.resize(kept);
  for (auto& of : values.rows) of.resize(kept);
  return leaves;
}

// A number for each run (row) and window.
using Measure = std::vector<std::vector<double>>;

struct Windows {
  Measure level;
  Measure spread;                 // The logarithm.
  std::vector<double> magnitude;  // Of the kind's level.
};

Windows WindowsOf(const Values& values, std::size_t count) {
  const std::size_t runs = values.rows.size();
  const auto kind = static_cast<double>(runs - 1);
  Windows windows{Measure(runs, std::vector<double>(count)), {}, std::vector<double>(count)};
  windows.spread = windows.level;
  std::vector<double> mean(values.steps.size());  // Of the kind, at each step.
  for (std::size_t r = 0; r + 1 < runs; ++r) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += values.rows[r][i] / kind;
  }
  for (std::size_t w = 0; w < count; ++w) {
    const std::size_t begin = mean.size() * w / count;
    const std::size_t end = mean.size() * (w + 1) / count;
    const auto size = static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) windows.magnitude[w] += std::abs(mean[i]) / size;
    for (std::size_t r = 0; r < runs; ++r) {
      double sum = 0;
      double squares = 0;
      double level = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const double off = values.rows[r][i] - mean[i];
        level += values.rows[r][i] / size;
        sum += off / size;
        squares += off * off / size;
      }
      // The mean contains the runs of the kind, and not the other one.
      const double share = r + 1 < runs ? kind / (kind - 1) : kind / (kind + 1);
      const double least = kRounding * windows.magnitude[w];
      const double variance = std::max(0.0, squares - sum * sum) * share;
      windows.level[r][w] = level;
      windows.spread[r][w] = std::log(std::sqrt(variance) + least + 1e-300);
    }
  }
  return windows;
}

// How many independent windows there are in `pooled` successive ones, by the resemblance of the
// residuals of each run at each distance.
double IndependentOf(const Measure& residuals, std::size_t pooled) {
  const auto product_at = [&](std::size_t lag) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto& of : residuals) {
      for (std::size_t w = lag; w < of.size(); ++w) {
        sum += of[w] * of[w - lag];
        ++count;
      }
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
  };
  const double variance = product_at(0);
  if (variance <= 0) return 1;
  double resemblance = 1;
  for (std::size_t lag = 1; lag < pooled; ++lag) {
    const double like = std::clamp(product_at(lag) / variance, -1.0, 1.0);
    resemblance += 2 * (1 - static_cast<double>(lag) / static_cast<double>(pooled)) * like * like;
  }
  return std::max(1.0, static_cast<double>(pooled) / resemblance);
}

// By how many deviations the last row is out in each window, and the degrees of freedom.
struct Outs {
  std::vector<double> t;
  double freedom = 1;
};

Outs OutsOf(const Measure& measure, const std::vector<double>& least) {
  const std::size_t kind = measure.size() - 1;
  const std::size_t count = least.size();
  const auto runs = static_cast<double>(kind);
  std::vector<double> mean(count);
  std::vector<double> variance(count);
  for (std::size_t r = 0; r < kind; ++r) {
    for (std::size_t w = 0; w < count; ++w) mean[w] += measure[r][w] / runs;
  }
  Measure residuals(kind, std::vector<double>(count));
  for (std::size_t w = 0; w < count; ++w) {
    for (std::size_t r = 0; r < kind; ++r) {
      residuals[r][w] = measure[r][w] - mean[w];
      variance[w] += residuals[r][w] * residuals[r][w] / (runs - 1);
    }
    // Comparable between windows of different noise.
    if (variance[w] > 0) {
      for (auto& of : residuals) of[w] /= std::sqrt(variance[w]);
    }
  }
  Outs outs{std::vector<double>(count), 1};
  outs.freedom = (runs - 1) * IndependentOf(residuals, std::min(count, 2 * kPooled + 1));
  for (std::size_t w = 0; w < count; ++w) {
    const std::size_t begin = w - std::min(w, kPooled);
    const std::size_t end = std::min(count, w + kPooled + 1);
    double pooled = 0;
    for (std::size_t at = begin; at < end; ++at)
      pooled += variance[at] / static_cast<double>(end - begin);
    const double deviation = std::sqrt(std::max(pooled, variance[w])) + least[w];
    outs.t[w] =
        deviation > 0 ? (measure[kind][w] - mean[w]) / (deviation * std::sqrt(1 + 1 / runs)) : 0;
  }
  return outs;
}

// The window from which on the measure is out.
std::optional<std::size_t> FirstOut(const Outs& outs, double chance) {
  const auto is_out = [&](std::size_t w) { return ChanceOf(outs.t[w], outs.freedom) < chance; };
  for (std::size_t w = 0; w + 1 < outs.t.size(); ++w) {
    const bool above = outs.t[w] > 0;
    if (!is_out(w) || !is_out(w + 1) || above != (outs.t[w + 1] > 0)) continue;
    while (w > 0 && std::abs(outs.t[w - 1]) > kWalkBack && above == (outs.t[w - 1] > 0)) --w;
    return w;
  }
  return std::nullopt;
}

}  // namespace

NoiseFinding LeavesNoise(const Series& series, std::span<const Series* const> kind, double chance) {
  if (kind.size() < kLeastLikeRuns + 1) return {};
  Values values = CommonValues(series, kind);
  NoiseFinding found{false, TakeNonFinite(values)};
  const std::size_t count = std::min(kMostWindows, values.steps.size() / kStepsPerWindow);
  found.known = found.leaves || count >= kLeastWindows;
  if (count < kLeastWindows) return found;
  const Windows windows = WindowsOf(values, count);
  std::vector<double> rounding = windows.magnitude;
  for (double& one : rounding) one *= kRounding;
  const double share = chance / (2 * static_cast<double>(count));
  const std::vector<double> least_spread(count, kLeastSpread);
  for (const Outs& outs : {OutsOf(windows.level, rounding), OutsOf(windows.spread, least_spread)}) {
    const auto window = FirstOut(outs, share);
    if (!window) continue;
    const std::int64_t step = values.steps[values.steps.size() * *window / count];
    found.leaves = std::min(found.leaves.value_or(step), step);
  }
  return found;
}

}  // namespace sightline
