#include "sightline/profiler/analysis/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/profiler/analysis/device_findings.h"
#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/environment_findings.h"
#include "sightline/profiler/analysis/kernel_findings.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/operator_findings.h"
#include "sightline/profiler/analysis/step_use.h"
#include "sightline/profiler/analysis/steps.h"

namespace sightline::profiler {
namespace {

constexpr double kWaitShare = 0.1;
constexpr double kGapShare = 0.3;
constexpr double kGapNanos = 500'000;
constexpr std::size_t kMinSteps = 4;
constexpr double kFirstStep = 3;
constexpr double kFirstShare = 0.2;
constexpr double kGrowth = 0.1;
constexpr double kLateShare = 0.25;
constexpr std::size_t kWindows = 8;
constexpr std::size_t kMinSamples = 10;

double Millis(double nanoseconds) { return nanoseconds / 1e6; }

// The rule of the empty queue in MindSpore's pipeline, with the operator that is too slow.
std::optional<Finding> FindEmptyQueue(const Profile& profile) {
  const DataReport report = AnalyzeDataPipeline(profile);
  const auto advice = [&](std::string_view rule) {
    return std::find_if(report.advice.begin(), report.advice.end(),
                        [&](const Advice& one) { return one.rule == rule; });
  };
  const auto empty = advice("data-process");
  if (empty == report.advice.end()) return std::nullopt;
  Finding finding{
      .rule = "data-wait",
      .subject = "",
      .what = "The steps wait for their data.",
      .evidence = empty->evidence,
      .change = empty->change,
      .share = report.total_mean > 0 ? std::min(report.get_mean / report.total_mean, 1.0) : 0};
  if (const auto slow = advice("slow-operator"); slow != report.advice.end()) {
    finding.subject = slow->subject;
    finding.evidence += fmt::format("; {}: {}", slow->subject, slow->evidence);
    finding.change = slow->change;
  }
  return finding;
}

// Without the first step.
MedianPart MeasurePart(const std::vector<StepUse>& use, std::int64_t StepUse::*part) {
  return MedianPartOf(use, 1, part, &StepUse::period);
}

// `of_device`: a device's own rules judge its communication.
void AddWaits(const Profile& profile, const std::vector<StepUse>& use, bool of_device,
              std::vector<Finding>& found) {
  const MedianPart data = MeasurePart(use, &StepUse::data_wait);
  auto empty = FindEmptyQueue(profile);
  // If the steps record how long they wait, an empty queue only explains it.
  if (empty && data.time == 0) {
    found.push_back(*std::move(empty));
  } else if (data.share > kWaitShare) {
    Finding finding = {
        .rule = "data-wait",
        .subject = "",
        .what = "The steps wait for their data.",
        .evidence = fmt::format("a step waits {:.2f} ms of its {:.2f} ms (median of {} steps)",
                                Millis(data.time), Millis(data.whole), use.size() - 1),
        .change =
            "more workers of the loader, a deeper queue, less work for each sample, or data on a "
            "faster disk",
        .share = data.share};
    if (empty) {
      finding.subject = empty->subject;
      finding.evidence += "; " + empty->evidence;
    }
    found.push_back(std::move(finding));
  }
  const MedianPart others = MeasurePart(use, &StepUse::communication);
  if (of_device || others.share <= kWaitShare) return;
  found.push_back(
      {.rule = "communication",
       .subject = "",
       .what = "The steps spend much of their time in communication.",
       .evidence = fmt::format("{:.2f} ms of a step's {:.2f} ms (median of {} steps)",
                               Millis(others.time), Millis(others.whole), use.size() - 1),
       .change =
           "compare the ranks (`sightline profile cluster`), since waiting for a slow one looks "
           "the same; otherwise larger batches, fewer and larger messages, or communication "
           "during the backward pass",
       .share = others.share});
}

// For steps that MindSpore recorded: the time before their first operator. Marked steps have their
// waits marked, too, and nothing is found by steps that are only inferred.
void AddLateStart(const StepTable& table, std::vector<Finding>& found) {
  if (table.source != StepSource::kRecorded || table.steps.size() < kMinSteps) return;
  std::vector<double> gaps;
  std::vector<double> shares;
  for (std::size_t i = 1; i < table.steps.size(); ++i) {
    const Step& step = table.steps[i];
    if (step.total() <= 0) continue;
    gaps.push_back(static_cast<double>(step.gap));
    shares.push_back(gaps.back() / static_cast<double>(step.total()));
  }
  const double share = Median(std::move(shares));
  const double gap = Median(std::move(gaps));
  if (share <= kGapShare || gap <= kGapNanos) return;
  found.push_back(
      {.rule = "late-start",
       .subject = "",
       .what = "The steps begin late.",
       .evidence =
           fmt::format("{:.2f} ms of a step, {:.0f} % of it, pass before its first operator "
                       "(median of {} steps)",
                       Millis(gap), share * 100, table.steps.size() - 1),
       .change = "see whether data is missing there (`sightline profile data`), or the program "
                 "does something else between its steps: callbacks, logs, checkpoints",
       .share = share});
}

void AddFirstStep(const StepTable& table, std::vector<Finding>& found) {
  if (table.source == StepSource::kInferred || table.steps.size() < kMinSteps) return;
  std::vector<double> others;
  double all = 0;
  for (const Step& step : table.steps) {
    all += static_cast<double>(step.total());
    if (&step != &table.steps.front()) others.push_back(static_cast<double>(step.total()));
  }
  const auto first = static_cast<double>(table.steps.front().total());
  const double typical = Median(std::move(others));
  const double excess = first - typical;
  if (first < kFirstStep * typical || excess <= kFirstShare * all) return;
  found.push_back(
      {.rule = "first-step",
       .subject = fmt::format("step {}", table.steps.front().number),
       .what = "The first step is slow.",
       .evidence =
           fmt::format("it takes {:.2f} ms, the others {:.2f} ms (median of {}); the "
                       "difference is {:.0f} % of all steps",
                       Millis(first), Millis(typical), table.steps.size() - 1, excess / all * 100),
       .change = "its one-time work (compiling, allocating, filling caches) can be saved (a "
                 "compile cache, a warm-up before the clock runs) or matters less in a longer run",
       .share = excess / all});
}

// The smallest value of each window, after the first fifth of the samples.
std::array<double, kWindows> LowestInWindows(const ColumnVector<double>& values) {
  std::array<double, kWindows> lowest{};
  const std::size_t skipped = values.size() / 5;
  const std::size_t left = values.size() - skipped;
  for (std::size_t i = 0; i < kWindows; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(skipped + left * i / kWindows);
    const auto last =
        values.begin() + static_cast<std::ptrdiff_t>(skipped + left * (i + 1) / kWindows);
    lowest.at(i) = *std::min_element(first, last);
  }
  return lowest;
}

// What an allocator took from its device. It keeps that for later, so that it rises and never
// falls.
bool IsOfAllocator(const Profile& profile, const MemoryCurve& curve) {
  return profile.format == SourceFormat::kMemorySnapshot && curve.name.starts_with("Reserved");
}

std::string TimeText(const Profile& profile, std::int64_t time) {
  if (!profile.has_clock) return fmt::format("{} events", time);
  return fmt::format("{:.1f} s", static_cast<double>(time) / 1e9);
}

void AddMemoryGrowth(const Profile& profile, std::vector<Finding>& found) {
  std::optional<Finding> worst;
  for (const MemoryCurve& curve : FindMemoryCurves(profile)) {
    if (curve.samples->value.size() < kMinSamples || IsOfAllocator(profile, curve)) continue;
    const auto lowest = LowestInWindows(curve.samples->value);
    std::size_t rises = 0;
    for (std::size_t i = 1; i < kWindows; ++i) {
      if (lowest.at(i) > lowest.at(i - 1)) ++rises;
    }
    const double grown = lowest.back() - lowest.front();
    // A program that warms up, or takes a buffer once, grows early and then hardly at all.
    const double grown_late = lowest.back() - lowest.at(kWindows / 2 - 1);
    const bool leaks = rises + 1 >= kWindows - 1 && lowest.front() > 0 &&
                       grown > kGrowth * lowest.front() && grown_late > kLateShare * grown &&
                       lowest.back() > lowest.at(kWindows - 2);
    const double share = leaks ? grown / lowest.back() : 0;
    if (!leaks || (worst && worst->share >= share)) continue;
    const auto& times = curve.samples->time;
    worst = {
        .rule = "memory-growth",
        .subject = curve.name,
        .what = "Memory grows from step to step.",
        .evidence = fmt::format("{} rose from {:.1f} to {:.1f} million in {}, without falling back",
                                curve.name, lowest.front() / 1e6, lowest.back() / 1e6,
                                TimeText(profile, times.back() - times[times.size() / 5])),
        .change =
            "look for objects that each step leaves behind: losses with their graphs, a list of "
            "results, a cache without a limit",
        .share = share};
  }
  if (worst) found.push_back(*std::move(worst));
}

}  // namespace

std::vector<Finding> Greatest(std::vector<Finding> findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.share > b.share; });
  if (findings.size() > kMaxFindings) findings.resize(kMaxFindings);
  return findings;
}

std::vector<Finding> Summarize(const Profile& profile, const Profile* before) {
  std::vector<Finding> found;
  const StepTable table = AnalyzeSteps(profile);
  const DeviceUseTable uses =
      HasDevice(profile) ? MeasureDeviceUse(profile, table) : DeviceUseTable();
  const bool of_device = uses.of_device && uses.all.total > 0;
  AddWaits(profile, MeasureStepUse(profile.model, table), of_device, found);
  const bool waits_for_data = std::any_of(
      found.begin(), found.end(), [](const Finding& one) { return one.rule == "data-wait"; });
  if (of_device) {
    for (Finding& one : JudgeDevice(profile, table, uses, waits_for_data))
      found.push_back(std::move(one));
  }
  const double idle =
      of_device ? static_cast<double>(uses.all.idle) / static_cast<double>(uses.all.total) : 0;
  for (Finding& one : JudgeEnvironment(profile, idle)) found.push_back(std::move(one));
  for (Finding& one : JudgeKernels(profile, uses.all.total)) found.push_back(std::move(one));
  if (found.empty()) AddLateStart(table, found);
  AddFirstStep(table, found);
  for (Finding& one : FindSlowOperators(profile, before)) found.push_back(std::move(one));
  AddMemoryGrowth(profile, found);
  return Greatest(std::move(found));
}

}  // namespace sightline::profiler
