#include "sightline/profiler/analysis/disagreements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/steps.h"

namespace sightline::profiler {
namespace {

constexpr double kShare = 0.01;
constexpr double kLeastNanos = 1000;  // Less is rounding.

bool Has(const Profile& profile, std::string_view file) {
  return std::any_of(profile.files.begin(), profile.files.end(), [&](const SourceFile& one) {
    return one.modelled > 0 && one.path.ends_with("/" + std::string(file));
  });
}

std::string Format(Unit unit, double value) {
  switch (unit) {
    case Unit::kNanoseconds:
      return fmt::format("{:.2f} ms", value / 1e6);
    case Unit::kBytes:
      return fmt::format("{:.1f} MB", value / 1e6);
    case Unit::kCount:
      return fmt::format("{:.0f}", value);
  }
  return "";
}

double DifferenceOf(const Disagreement& one) {
  return std::abs(one.first_value - one.second_value);
}

// Collects the disagreements between two sources.
class Comparison {
 public:
  Comparison(std::string first, std::string second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void Add(std::string what, Unit unit, double first, double second) {
    Disagreement one = {std::move(what), unit, first_, second_, first, second};
    const double least = unit == Unit::kNanoseconds ? kLeastNanos : 0;
    if (DifferenceOf(one) > std::max(kShare * std::max(first, second), least))
      found_.push_back(std::move(one));
  }
  void AddTime(std::string what, std::int64_t first, std::int64_t second) {
    Add(std::move(what), Unit::kNanoseconds, static_cast<double>(first),
        static_cast<double>(second));
  }

  void MoveTo(std::vector<Disagreement>& all) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Disagreement& a, const Disagreement& b) {
                       return DifferenceOf(a) > DifferenceOf(b);
                     });
    std::move(found_.begin(), found_.end(), std::back_inserter(all));
  }

 private:
  std::string first_, second_;
  std::vector<Disagreement> found_;
};

void CompareSteps(const DeviceUseTable& table, const DeviceUseTable& other, bool with_idle,
                  Comparison& comparison) {
  if (!table.known || !other.known || !other.of_device) return;
  for (std::size_t i = 0; i < std::min(table.steps.size(), other.steps.size()); ++i) {
    const DeviceUse& a = table.steps[i];
    const DeviceUse& b = other.steps[i];
    const std::string step = " of step " + std::to_string(a.number.value_or(0));
    comparison.AddTime("computing" + step, a.computing, b.computing);
    comparison.AddTime("communication" + step, a.communication, b.communication);
    comparison.AddTime("communication alone" + step, a.communication_alone, b.communication_alone);
    if (with_idle) comparison.AddTime("idle time" + step, a.idle, b.idle);
  }
}

void CompareUses(const Profile& profile, std::vector<Disagreement>& all) {
  if (!Has(profile, "step_trace_time.csv")) return;
  const StepTable steps = AnalyzeSteps(profile);
  if (steps.source != StepSource::kMarked) return;
  const DeviceUseSources uses = MeasureDeviceUseOfEach(profile, steps);
  const bool has_trace = Has(profile, "trace_view.json");
  Comparison lanes("step_trace_time.csv", "trace_view.json (Overlap Analysis)");
  CompareSteps(uses.rows, uses.lanes, true, lanes);
  lanes.MoveTo(all);
  Comparison spans("step_trace_time.csv",
                   has_trace ? "trace_view.json (tasks)" : "kernel_details.csv");
  // The marks of a trace include the time before the first task, and the tables of kernels do not.
  CompareSteps(uses.rows, uses.spans, !has_trace, spans);
  spans.MoveTo(all);
}

using Types = std::map<std::string, std::pair<std::uint64_t, std::int64_t>, std::less<>>;

Types SumByType(const Profile& profile, const std::vector<ListedOperator>& operators) {
  Types types;
  for (const ListedOperator& one : operators) {
    auto& [count, total] = types[std::string(profile.model.names[one.type])];
    count += one.count;
    total = AddTimes(total, one.total);
  }
  return types;
}

void CompareTypes(const Profile& profile, std::vector<Disagreement>& all) {
  if (profile.operator_types.empty() || profile.operators.empty()) return;
  Comparison comparison("kernel_details.csv", "op_statistic.csv");
  const Types kernels = SumByType(profile, profile.operators);
  Types types = SumByType(profile, profile.operator_types);
  for (const auto& [type, sum] : kernels) types.try_emplace(type);
  for (const auto& [type, sum] : types) {
    const auto found = kernels.find(type);
    const auto [count, total] = found != kernels.end() ? found->second : Types::mapped_type();
    comparison.Add("number of " + type, Unit::kCount, static_cast<double>(count),
                   static_cast<double>(sum.first));
    comparison.AddTime("time of " + type, total, sum.second);
  }
  comparison.MoveTo(all);
}

void CompareKernels(const Profile& profile, std::vector<Disagreement>& all) {
  if (profile.operator_source != OperatorSource::kKernelDetails || !Has(profile, "trace_view.json"))
    return;
  std::int64_t listed = 0;
  for (const ListedOperator& one : profile.operators) listed = AddTimes(listed, one.total);
  std::int64_t drawn = 0;
  const Model& model = profile.model;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    MemoryLimit::Keep(i);
    if (model.spans.kind[i] == SpanKind::kKernel) drawn = AddTimes(drawn, model.spans.duration[i]);
  }
  Comparison comparison("kernel_details.csv", "trace_view.json");
  comparison.AddTime("time of all kernels", listed, drawn);
  comparison.MoveTo(all);
}

void CompareCollectives(const Profile& profile, std::vector<Disagreement>& all) {
  if (profile.communication.empty()) return;
  std::map<std::string, std::int64_t, std::less<>> elapsed;
  for (const CommunicationUse& use : profile.communication) {
    std::int64_t& sum = elapsed[use.name.substr(0, use.name.find('@'))];
    sum = AddTimes(sum, use.elapsed);
  }
  std::map<std::string_view, std::int64_t> drawn;
  const Model& model = profile.model;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    MemoryLimit::Keep(i);
    if (model.spans.kind[i] != SpanKind::kCommunication) continue;
    std::int64_t& sum = drawn[model.names[model.spans.name[i]]];
    sum = AddTimes(sum, model.spans.duration[i]);
  }
  Comparison comparison("communication.json",
                        Has(profile, "trace_view.json") ? "trace_view.json" : "kernel_details.csv");
  for (const auto& [name, time] : drawn) {
    const auto found = elapsed.find(name);
    if (found != elapsed.end() && found->second > 0)
      comparison.AddTime("time of " + std::string(name), found->second, time);
  }
  comparison.MoveTo(all);
}

// "memory reserved, APP, NPU:0" of the table is "APP/Memory/Bytes" of the trace.
void CompareMemory(const Profile& profile, std::vector<Disagreement>& all) {
  constexpr std::string_view kListed = "memory reserved, ";
  constexpr std::string_view kDrawn = "/Memory/Bytes";
  Comparison comparison("memory_record.csv", "trace_view.json");
  const std::vector<MemoryCurve> curves = FindMemoryCurves(profile);
  for (const MemoryCurve& drawn : curves) {
    if (!drawn.name.ends_with(kDrawn)) continue;
    const std::string component = drawn.name.substr(0, drawn.name.size() - kDrawn.size());
    for (const MemoryCurve& listed : curves) {
      if (listed.name.starts_with(std::string(kListed) + component + ","))
        comparison.Add("peak of the memory of " + component, Unit::kBytes, listed.peak, drawn.peak);
    }
  }
  comparison.MoveTo(all);
}

}  // namespace

std::vector<Disagreement> FindDisagreements(const Profile& profile) {
  std::vector<Disagreement> all;
  CompareUses(profile, all);
  CompareTypes(profile, all);
  CompareKernels(profile, all);
  CompareCollectives(profile, all);
  CompareMemory(profile, all);
  return all;
}

std::string Describe(const Disagreement& one) {
  return fmt::format("{}: {} in {}, {} in {}", one.what, Format(one.unit, one.first_value),
                     one.first, Format(one.unit, one.second_value), one.second);
}

std::optional<Finding> DisagreementFinding(const Profile& profile) {
  constexpr std::size_t kShown = 3;
  const std::vector<Disagreement> all = FindDisagreements(profile);
  if (all.empty()) return std::nullopt;
  std::string evidence;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    evidence += (i == 0 ? "" : "; ") + Describe(all[i]);
  if (all.size() > kShown) {
    evidence +=
        fmt::format("; and {} more, which `sightline profile info` lists", all.size() - kShown);
  }
  return Finding{.rule = "disagreement",
                 .subject = "",
                 .what = "Two sources of this profile disagree by more than 1 %.",
                 .evidence = std::move(evidence),
                 .change = "see whether a file of it was cut, or belongs to another profile"};
}

}  // namespace sightline::profiler
