#include "sightline/profiler/analysis/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

void SetShares(std::vector<ComparedPart>& parts) {
  double slower = 0;
  double faster = 0;
  for (const ComparedPart& part : parts)
    (part.difference() > 0 ? slower : faster) += part.difference();
  for (ComparedPart& part : parts) {
    const double all = part.difference() > 0 ? slower : faster;
    part.share = all == 0 ? 0 : part.difference() / all;
  }
}

double StepsIn(const StepTable& table) {
  return static_cast<double>(std::max<std::size_t>(table.steps.size(), 1));
}

// The time from the end of a marked step to the beginning of the next, in which a loop may wait for
// its data.
double BetweenSteps(const Profile& profile, const StepTable& table) {
  const std::vector<StepUse> use = MeasureStepUse(profile.model, table);
  double sum = 0;
  for (std::size_t i = 1; i < use.size(); ++i)
    sum += static_cast<double>(std::max<std::int64_t>(use[i].period - table.steps[i].total(), 0));
  return use.size() < 2 ? 0 : sum / static_cast<double>(use.size() - 1);
}

}  // namespace

Comparison Compare(const Profile& before, const Profile& after, const StepOptions& options) {
  Comparison result;
  const StepTable steps_before = AnalyzeSteps(before, options);
  const StepTable steps_after = AnalyzeSteps(after, options);
  const StepMean mean_before = Mean(steps_before.steps, true);
  const StepMean mean_after = Mean(steps_after.steps, true);
  result.steps_before = steps_before.steps.size();
  result.steps_after = steps_after.steps.size();
  result.step_before = mean_before.total;
  result.step_after = mean_after.total;
  result.phases = {{"gap", mean_before.gap, mean_after.gap},
                   {"work", mean_before.work, mean_after.work},
                   {"tail", mean_before.tail, mean_after.tail}};
  const ComparedPart between = {"between steps", BetweenSteps(before, steps_before),
                                BetweenSteps(after, steps_after)};
  if (between.before > 0 || between.after > 0) result.phases.push_back(between);
  SetShares(result.phases);

  // The host's operators, and a device's kernels: shares are those of one side.
  std::map<std::pair<bool, std::string>, std::pair<double, double>> types;
  for (const OperatorRow& row : AnalyzeOperators(before, OperatorGrouping::kByType).rows) {
    types[{row.of_device, row.type}].first += static_cast<double>(row.self) / StepsIn(steps_before);
  }
  for (const OperatorRow& row : AnalyzeOperators(after, OperatorGrouping::kByType).rows) {
    types[{row.of_device, row.type}].second += static_cast<double>(row.self) / StepsIn(steps_after);
  }
  std::vector<ComparedPart> of_device;
  for (const auto& [key, times] : types)
    (key.first ? of_device : result.operators).push_back({key.second, times.first, times.second});
  SetShares(result.operators);
  SetShares(of_device);
  result.operators.insert(result.operators.end(), of_device.begin(), of_device.end());
  std::stable_sort(result.operators.begin(), result.operators.end(),
                   [](const ComparedPart& a, const ComparedPart& b) {
                     return std::abs(a.difference()) > std::abs(b.difference());
                   });
  return result;
}

}  // namespace sightline::profiler
