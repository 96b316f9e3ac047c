#include "sightline/profiler/analysis/ranks.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profile {
namespace {

constexpr double kSlower = 1.2;

template <typename Part>
double MedianBehindFirst(const std::vector<StepUse>& use, Part part) {
  std::vector<double> values;
  for (std::size_t i = use.size() > 1 ? 1 : 0; i < use.size(); ++i)
    values.push_back(static_cast<double>(part(use[i])));
  return MedianOf(std::move(values));
}

// Steps that are no marks: what the step trace has of them.
std::vector<StepUse> UseOfTotals(const std::vector<Step>& steps) {
  std::vector<StepUse> use;
  use.reserve(steps.size());
  for (const Step& step : steps) {
    use.push_back({.number = step.number,
                   .period = step.total(),
                   .data_wait = step.gap,
                   .communication = std::min(step.communication, step.total() - step.gap)});
  }
  return use;
}

}  // namespace

RankUse RankUseOf(const Profile& profile, std::int64_t rank) {
  const StepTable table = StepsOf(profile);
  std::vector<StepUse> use = StepUseOf(profile.model, table);
  if (use.empty()) use = UseOfTotals(table.steps);
  RankUse out;
  out.rank = profile.rank.value_or(rank);
  out.path = profile.path;
  out.steps = use.size();
  out.step = MedianBehindFirst(use, [](const StepUse& one) { return one.period; });
  out.data_wait = MedianBehindFirst(use, [](const StepUse& one) { return one.data_wait; });
  out.communication = MedianBehindFirst(use, [](const StepUse& one) { return one.communication; });
  return out;
}

std::optional<Finding> StragglerOf(const std::vector<RankUse>& ranks) {
  if (ranks.size() < 2) return std::nullopt;
  const auto slowest =
      std::max_element(ranks.begin(), ranks.end(),
                       [](const RankUse& a, const RankUse& b) { return a.own() < b.own(); });
  std::vector<double> others;
  std::vector<double> waits;
  for (const RankUse& one : ranks) {
    if (&one == &*slowest) continue;
    others.push_back(one.own());
    waits.push_back(one.communication);
  }
  const double typical = MedianOf(std::move(others));
  const double waiting = MedianOf(std::move(waits));
  if (slowest->own() <= kSlower * typical || slowest->step <= 0) return std::nullopt;
  if (waiting > 0 && waiting <= slowest->communication) return std::nullopt;
  const auto ms = [](double nanoseconds) { return nanoseconds / 1e6; };
  const bool data = slowest->data_wait > (slowest->own() - typical) / 2;
  return Finding{
      .rule = "straggler",
      .subject = fmt::format("rank {}", slowest->rank),
      .what = fmt::format("Rank {} keeps the others waiting.", slowest->rank),
      .evidence =
          fmt::format("a step takes it {:.2f} ms of its own, the others {:.2f} ms; they "
                      "spend {:.2f} ms of a step in communication, it {:.2f} ms",
                      ms(slowest->own()), ms(typical), ms(waiting), ms(slowest->communication)),
      .change = data ? "look at its data first: it waits for it; its disk, its shard, its loader"
                     : "look at its machine (other programs, temperature, memory) and whether it "
                       "has more work than the others; `sightline profile compare` of its "
                       "profile and another rank's names the operators",
      .share = (slowest->own() - typical) / slowest->step};
}

}  // namespace sightline::profile
