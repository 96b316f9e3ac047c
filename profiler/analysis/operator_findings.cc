#include "sightline/profiler/analysis/operator_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sightline/profiler/analysis/comparison.h"
#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kSlowerThanSiblings = 1.5;
constexpr double kSlowerThanBefore = 1.3;
constexpr double kDrift = 1.5;
constexpr double kSteady = 1.2;     // The other operators may drift this much.
constexpr double kMinShare = 0.05;  // A share of the operators' time.
constexpr double kMinShareOfTime =
    0.02;  // A share of the profile's time; nobody would notice less.
constexpr std::size_t kMinExecutions = 8;  // In each of the two thirds.

double Micros(double nanoseconds) { return nanoseconds / 1e3; }

Finding SlowOperator(std::string_view name, std::string evidence, std::string change,
                     double share) {
  return {.rule = "slow-operator",
          .subject = std::string(name),
          .what = fmt::format("The operator {} is slow.", name),
          .evidence = std::move(evidence),
          .change = std::move(change),
          .share = share};
}

bool Executes(SpanKind kind) { return kind == SpanKind::kOperator || kind == SpanKind::kKernel; }

// The executions of an operator of the host, or of a kernel; durations in nanoseconds.
struct Executions {
  NameId name = kNoName;
  bool of_device = false;
  NameId type = kNoName;
  NameId work = kNoName;  // The shapes: operators of one type with the same shapes do the same.
  bool varies = false;    // Its shapes differ between executions.
  ColumnVector<double> all, early, late;  // Of the profile; of its first and last third.
  double total = 0;
  double typical = 0;  // Lower quartile.
};

// By name, the host's apart from a device's.
using ExecutionsByName = std::map<std::pair<NameId, bool>, Executions>;

// Adds a table's operators whose executions are not in the trace, and the shapes of all.
void AddListed(const Profile& profile, ExecutionsByName& operators) {
  for (const ListedOperator& listed : profile.operators) {
    if (listed.count == 0) continue;
    Executions& one = operators[{listed.name, operators.contains({listed.name, true})}];
    one.type = listed.type;
    one.work = listed.shapes;
    one.varies = false;
    if (!one.all.empty()) continue;
    one.total = static_cast<double>(listed.total);
    one.all.assign(1, one.total / static_cast<double>(listed.count));
  }
}

std::vector<Executions> FindExecutions(const Profile& profile) {
  const Spans& spans = profile.model.spans;
  const TimeRange extent = Extent(profile.model);
  const std::int64_t third = (extent.to - extent.from) / 3;
  ExecutionsByName operators;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    if (!Executes(spans.kind[i])) continue;
    Executions& one = operators[{spans.name[i], spans.kind[i] == SpanKind::kKernel}];
    one.varies = one.varies || (!one.all.empty() && one.work != spans.detail[i]);
    one.type = spans.type[i];
    one.work = spans.detail[i];
    const auto duration = static_cast<double>(spans.duration[i]);
    one.all.push_back(duration);
    one.total += duration;
    if (spans.start[i] < extent.from + third) one.early.push_back(duration);
    if (spans.start[i] >= extent.to - third) one.late.push_back(duration);
  }
  AddListed(profile, operators);
  std::vector<Executions> found;
  for (auto& [key, one] : operators) {
    std::tie(one.name, one.of_device) = key;
    one.typical = LowerQuartile(one.all);
    found.push_back(std::move(one));
  }
  return found;
}

// Of the host, or of the device.
double Total(const std::vector<Executions>& operators, bool of_device) {
  double total = 0;
  for (const Executions& one : operators)
    if (one.of_device == of_device) total += one.total;
  return std::max(total, 1.0);
}

// Finds operators that are slower than others that do the same work.
void AddSlowerThanSiblings(const Model& model, const std::vector<Executions>& operators,
                           std::vector<Finding>& found) {
  const NamePool& names = model.names;
  const TimeRange extent = Extent(model);
  const auto time = static_cast<double>(extent.to - extent.from);
  std::map<std::tuple<NameId, NameId, bool>, std::vector<const Executions*>> alike;
  for (const Executions& one : operators) {
    if (one.work != kNoName && !one.varies)
      alike[{one.type, one.work, one.of_device}].push_back(&one);
  }
  for (const auto& [key, group] : alike) {
    if (group.size() < 3) continue;
    const Executions* slowest =
        *std::max_element(group.begin(), group.end(),
                          [](const auto* a, const auto* b) { return a->typical < b->typical; });
    std::vector<double> others;
    for (const Executions* one : group) {
      if (one != slowest) others.push_back(one->typical);
    }
    const double usual = Median(std::move(others));
    const double excess = slowest->total * (1 - usual / std::max(slowest->typical, 1.0));
    const double share = excess / Total(operators, slowest->of_device);
    if (slowest->typical <= kSlowerThanSiblings * usual || share < kMinShare ||
        excess < kMinShareOfTime * time)
      continue;
    found.push_back(SlowOperator(
        names[slowest->name],
        fmt::format("it usually takes {:.1f} us, the {} others of type {} with the same shapes "
                    "{:.1f} us",
                    Micros(slowest->typical), group.size() - 1, names[std::get<0>(key)],
                    Micros(usual)),
        "compare its inputs' layout, type and values with those of the others, and what runs at "
        "the same time",
        share));
  }
}

struct Drift {
  NameId name = kNoName;
  bool of_device = false;
  double early = 0;  // Lower quartile of its executions, nanoseconds.
  double late = 0;
  double excess = 0;  // Of the executions in the last third.

  double ratio() const { return early > 0 ? late / early : 1; }
};

std::vector<Drift> FindDrifts(const std::vector<Executions>& operators) {
  std::vector<Drift> drifts;
  for (const Executions& one : operators) {
    if (std::min(one.early.size(), one.late.size()) < kMinExecutions) continue;
    Drift drift{one.name, one.of_device, LowerQuartile(one.early), LowerQuartile(one.late), 0};
    drift.excess = (drift.late - drift.early) * static_cast<double>(one.late.size());
    drifts.push_back(drift);
  }
  return drifts;
}

// Finds operators that are slower at the end than at the beginning while the others are not, so
// that the machine as a whole is not the cause.
void AddSlowerThanAtFirst(const NamePool& names, const std::vector<Executions>& operators,
                          std::vector<Finding>& found) {
  const std::vector<Drift> drifts = FindDrifts(operators);
  if (drifts.empty()) return;
  const Drift& worst =
      *std::max_element(drifts.begin(), drifts.end(),
                        [](const Drift& a, const Drift& b) { return a.excess < b.excess; });
  const double total = Total(operators, worst.of_device);
  std::vector<double> others;
  for (const Drift& one : drifts) {
    if (one.name != worst.name && one.of_device == worst.of_device) others.push_back(one.ratio());
  }
  if (worst.ratio() < kDrift || worst.excess < kMinShare * total) return;
  if (!others.empty() && Median(std::move(others)) > kSteady) return;
  found.push_back(SlowOperator(
      names[worst.name],
      fmt::format(
          "it usually takes {:.1f} us in the last third of the profile, {:.1f} us in the first",
          Micros(worst.late), Micros(worst.early)),
      "look at what changes with the steps: growing inputs, another branch, fragmented memory",
      worst.excess / total));
}

void AddSlowerThanBefore(const Profile& profile, const Profile& before,
                         std::vector<Finding>& found) {
  const Comparison comparison = Compare(before, profile);
  double total = 0;
  for (const ComparedPart& part : comparison.operators) total += part.after;
  for (const ComparedPart& part : comparison.operators) {
    if (part.before <= 0 || part.after <= kSlowerThanBefore * part.before) continue;
    if (part.difference() < kMinShare * total) continue;
    found.push_back(SlowOperator(
        part.name,
        fmt::format("it takes {:.1f} us in a step, and took {:.1f} us in the earlier profile; that "
                    "is {:.0f} % of what got slower",
                    Micros(part.after), Micros(part.before), part.share * 100),
        "look at what changed since then: its inputs, its version, the threads that it may use",
        part.difference() / total));
  }
}

}  // namespace

std::vector<Finding> FindSlowOperators(const Profile& profile, const Profile* before) {
  std::vector<Finding> found;
  if (before != nullptr) AddSlowerThanBefore(profile, *before, found);
  const std::vector<Executions> operators = FindExecutions(profile);
  AddSlowerThanSiblings(profile.model, operators, found);
  AddSlowerThanAtFirst(profile.model.names, operators, found);
  found = Greatest(std::move(found));
  if (found.size() > 1) found.resize(1);
  return found;
}

}  // namespace sightline::profiler
