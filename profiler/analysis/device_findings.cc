#include "sightline/profiler/analysis/device_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/profiler/analysis/idle_causes.h"
#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kShare = 0.1;
constexpr double kMost = 0.5;
constexpr double kNearly = 0.9;    // Spans that tell less than this of a table are an excerpt.
constexpr double kExplains = 0.1;  // Of the idle time; less is no cause.
constexpr std::size_t kNamed = 3;

double Millis(double nanoseconds) { return nanoseconds / 1e6; }
double Millis(std::int64_t nanoseconds) { return Millis(static_cast<double>(nanoseconds)); }

// Of the steps, without the first if there are others, or of the whole profile.
MedianPart PartOf(const DeviceUseTable& uses, std::int64_t DeviceUse::*part) {
  if (uses.steps.empty()) return MedianPartOf<DeviceUse>({uses.all}, 0, part, &DeviceUse::total);
  return MedianPartOf(uses.steps, uses.steps.size() > 1 ? 1 : 0, part, &DeviceUse::total);
}

std::string OfSteps(const DeviceUseTable& uses) {
  if (uses.steps.empty()) return "the whole profile";
  if (uses.steps.size() == 1) return "one step";
  return fmt::format("median of {} steps", uses.steps.size() - 1);
}

// Whether the profiler was told so, by its own configuration.
bool Configured(const Profile& profile, std::string_view setting) {
  return std::any_of(
      profile.model.attributes.begin(), profile.model.attributes.end(), [&](const auto& one) {
        return one.first == "config" && one.second.find(setting) != std::string::npos;
      });
}

// "hcom_allReduce__586_0_1@175226" -> "hcom_allReduce".
std::string_view KindOf(std::string_view collective) {
  return collective.substr(0, std::min(collective.find("__"), collective.find('@')));
}

// Collectives of one kind.
struct Kind {
  std::int64_t time = 0;
  std::size_t count = 0;
  std::int64_t longest = 0;
  std::string name_of_longest;

  void Add(std::string_view name, std::int64_t duration) {
    time = AddTimes(time, duration);
    ++count;
    if (duration < longest) return;
    longest = duration;
    name_of_longest = name.substr(0, name.find('@'));
  }
};
using Kinds = std::map<std::string, Kind, std::less<>>;

// What each kind of collective took while nothing was computed, by the device's spans.
Kinds BareBySpans(const Model& model, const BusyTimes& busy) {
  const Cover computing(busy.computing);
  Kinds kinds;
  for (const Lane& lane : model.lanes) {
    if (lane.kind != LaneKind::kStream) continue;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      if (model.spans.kind[i] != SpanKind::kCommunication) continue;
      const std::string_view name = model.names[model.spans.name[i]];
      const std::int64_t covered = computing.Within(model.spans.start[i], model.spans.end(i));
      kinds[std::string(KindOf(name))].Add(name, model.spans.duration[i] - covered);
    }
  }
  return kinds;
}

Kinds ElapsedByTable(const Profile& profile) {
  Kinds kinds;
  for (const CommunicationUse& use : profile.communication)
    if (use.elapsed > 0) kinds[std::string(KindOf(use.name))].Add(use.name, use.elapsed);
  return kinds;
}

double Sum(const Kinds& kinds) {
  double sum = 0;
  for (const auto& [name, kind] : kinds) sum += static_cast<double>(kind.time);
  return sum;
}

// ": hcom_allReduce 97.93 ms in 4 calls (the longest, hcom_allReduce__586_0_1: 79.09 ms), ...".
std::string NameCollectives(const Kinds& kinds) {
  std::vector<std::pair<std::string, Kind>> ordered(kinds.begin(), kinds.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ordered.size()); ++i) {
    const auto& [name, kind] = ordered[i];
    if (kind.time == 0) break;
    text += fmt::format("{} {:.2f} ms in {} {}", i == 0 ? ": " + name : ", " + name,
                        Millis(kind.time), kind.count, kind.count == 1 ? "call" : "calls");
    if (i == 0 && kind.count > 1) {
      text +=
          fmt::format(" (the longest, {}: {:.2f} ms)", kind.name_of_longest, Millis(kind.longest));
    }
  }
  return text;
}

Finding DescribeBareCommunication(const Profile& profile, const DeviceUseTable& uses,
                                  const MedianPart& alone, const BusyTimes& busy) {
  const Kinds by_spans = BareBySpans(profile.model, busy);
  const Kinds by_table = ElapsedByTable(profile);
  const bool spans_tell =
      by_table.empty() ||
      Sum(by_spans) > kNearly * static_cast<double>(uses.all.communication_alone);
  const Kinds& kinds = spans_tell ? by_spans : by_table;
  const MedianPart bubble = PartOf(uses, &DeviceUse::bubble);
  Finding finding = {
      .rule = "communication",
      .subject = "",
      .what = "The device spends much of its time in communication alone.",
      .evidence = fmt::format(
          "it computes nothing while it communicates for {:.2f} ms of a step's {:.2f} ms ({})",
          Millis(alone.time), Millis(alone.whole), OfSteps(uses)),
      .change =
          "compare the ranks (`sightline profile cluster`), since waiting for a slow one looks "
          "the same; otherwise fewer and larger messages, or communication during the "
          "backward pass",
      .share = alone.share};
  const std::string collectives = NameCollectives(kinds);
  if (!collectives.empty())
    finding.evidence += (spans_tell ? "; by kind" : "; the collectives take") + collectives;
  if (bubble.time > kMost * alone.time) {
    finding.evidence += fmt::format("; {:.2f} ms of it waits for another stage of the pipeline",
                                    Millis(bubble.time));
    finding.change =
        "balance the stages (`sightline profile cluster` names a slow one), and use "
        "more micro-batches";
  }
  if (profile.communication.empty() && Configured(profile, "Level0")) {
    finding.change +=
        "; profiler_level=Level1 records how long each collective waits and what its "
        "links carry";
  }
  return finding;
}

// When the device does nothing between the first and the last of its tasks in each step.
Intervals IdleTimes(const StepTable& steps, const BusyTimes& busy) {
  Intervals tasks = busy.computing;
  tasks.insert(tasks.end(), busy.communication.begin(), busy.communication.end());
  Merge(tasks);
  Intervals within;
  for (const Step& step : steps.steps) {
    if (step.total() > 0) within.push_back({step.start, step.end});
  }
  Merge(within);
  const Intervals in_steps = Combine(tasks, within, true);
  Intervals idle;
  for (std::size_t i = 1; i < in_steps.size(); ++i) {
    if (in_steps[i].from > in_steps[i - 1].to)
      idle.push_back({in_steps[i - 1].to, in_steps[i].from});
  }
  return Combine(idle, within, true);
}

// What the threads that mark steps did during these times, by name: the innermost span counts.
class HostWork {
 public:
  HostWork(const Model& model, const Intervals& idle) : model_(model), idle_(idle) {
    for (const Lane& lane : model.lanes)
      if (lane.kind == LaneKind::kThread && MarksSteps(lane)) AddLane(lane);
  }

  std::int64_t data_wait() const { return data_wait_; }

  // "aten::item 2.31 ms, aten::copy_ 1.20 ms"; empty if nothing is known.
  std::string Greatest() const {
    std::vector<std::pair<std::int64_t, NameId>> ordered;
    for (const auto& [name, time] : by_name_) ordered.emplace_back(time, name);
    std::sort(ordered.rbegin(), ordered.rend());
    std::string text;
    for (std::size_t i = 0; i < std::min(kNamed, ordered.size()); ++i) {
      text += fmt::format("{}{} {:.2f} ms", i == 0 ? "" : ", ", model_.names[ordered[i].second],
                          Millis(ordered[i].first));
    }
    return text;
  }

 private:
  bool MarksSteps(const Lane& lane) const {
    const auto begin = model_.spans.kind.begin() + static_cast<std::ptrdiff_t>(lane.first);
    return std::find(begin, begin + static_cast<std::ptrdiff_t>(lane.count), SpanKind::kStep) !=
           begin + static_cast<std::ptrdiff_t>(lane.count);
  }

  // The spans are ordered by start, outer ones first; `open` are those around the current one.
  void AddLane(const Lane& lane) {
    std::vector<std::size_t> open;
    std::int64_t at = -kMaxTime;
    const auto advance = [&](std::int64_t to) {
      if (!open.empty() && to > at) Count(open.back(), at, to);
      at = std::max(at, to);
    };
    const auto close = [&](std::int64_t until) {
      while (!open.empty() && model_.spans.end(open.back()) <= until) {
        advance(model_.spans.end(open.back()));
        open.pop_back();
      }
    };
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      close(model_.spans.start[i]);
      advance(model_.spans.start[i]);
      open.push_back(i);
    }
    close(kMaxTime);
  }

  void Count(std::size_t span, std::int64_t from, std::int64_t to) {
    if (model_.spans.kind[span] == SpanKind::kStep) return;  // Nothing is recorded within it.
    const std::int64_t time = idle_.Within(from, to);
    if (time == 0) return;
    std::int64_t& sum = by_name_[model_.spans.name[span]];
    sum = AddTimes(sum, time);
    if (model_.spans.kind[span] == SpanKind::kDataWait) data_wait_ = AddTimes(data_wait_, time);
  }

  const Model& model_;
  const Cover idle_;
  std::map<NameId, std::int64_t> by_name_;
  std::int64_t data_wait_ = 0;
};

// What would have to be recorded to know more, by the switches that are off.
std::string MissingSwitches(const Profile& profile) {
  std::vector<std::string> switches;
  if (Configured(profile, "\"with_stack\": false"))
    switches.emplace_back("with_stack (the lines that call them)");
  if (Configured(profile, "\"_gc_detect_threshold\": null"))
    switches.emplace_back("gc_detect_threshold (collections of garbage)");
  if (Configured(profile, "\"_msprof_tx\": false"))
    switches.emplace_back("msprof_tx (marks of your own)");
  std::string text;
  for (const std::string& one : switches) text += (text.empty() ? "" : ", ") + one;
  return text.empty() ? text : "; what is not recorded: " + text;
}

// Why the device was idle during `gaps`: by causes that explain a part of it, and by what the host
// did meanwhile.
void AddCauses(const Model& model, const Intervals& gaps, double all, const std::string& work,
               Finding& finding) {
  double explained = 0;
  for (const IdleCause& cause : FindIdleCauses(model, gaps)) {
    const auto time = static_cast<double>(cause.time);
    if (time < kExplains * all) continue;
    explained = std::max(explained, time);
    finding.evidence +=
        fmt::format("; for {:.2f} ms of it {} ({})", Millis(time), cause.what, cause.calls);
    finding.change += cause.change + "; ";
  }
  finding.evidence += "; the host's innermost calls meanwhile: " + work;
  finding.change += explained > kMost * all
                        ? "fewer and larger operators, too"
                        : "probably the host launches too slowly: larger or fused operators, "
                          "graphs instead of single calls, and fewer calls that wait for the "
                          "device";
}

Finding DescribeIdle(const Profile& profile, const StepTable& steps, const DeviceUseTable& uses,
                     const MedianPart& idle, const BusyTimes& busy) {
  Finding finding = {.rule = "device-idle",
                     .subject = "",
                     .what = "The device has nothing to do for much of its time.",
                     .evidence = fmt::format("it is idle for {:.2f} ms of a step's {:.2f} ms ({})",
                                             Millis(idle.time), Millis(idle.whole), OfSteps(uses)),
                     .change = "",
                     .share = idle.share};
  const bool has_times = steps.source == StepSource::kMarked && busy.of_device;
  Intervals gaps = has_times ? IdleTimes(steps, busy) : Intervals();
  auto all = static_cast<double>(Cover(gaps).all());
  // If there are more gaps than idle time, tasks are missing.
  if (kNearly * all > static_cast<double>(uses.all.idle)) {
    gaps.clear();
    all = 0;
  }
  const HostWork host(profile.model, gaps);
  const std::string work = host.Greatest();
  if (!gaps.empty()) {
    finding.evidence += fmt::format("; that is {} gaps between its tasks, {:.1f} us on average",
                                    gaps.size(), all / 1e3 / static_cast<double>(gaps.size()));
  }
  if (work.empty()) {
    finding.change =
        "record the host, too (activities with the CPU, and a trace), to see what it "
        "does in the gaps";
  } else if (static_cast<double>(host.data_wait()) > kMost * all) {
    finding.evidence += "; the host waits for data meanwhile";
    finding.change = "more workers of the loader, a deeper queue, or less work for each sample";
  } else {
    AddCauses(profile.model, gaps, all, work, finding);
  }
  finding.change += MissingSwitches(profile);
  return finding;
}

}  // namespace

std::vector<Finding> JudgeDevice(const Profile& profile, const StepTable& steps,
                                 const DeviceUseTable& uses) {
  const MedianPart alone = PartOf(uses, &DeviceUse::communication_alone);
  const MedianPart idle = PartOf(uses, &DeviceUse::idle);
  std::vector<Finding> found;
  if (alone.share <= kShare && idle.share <= kShare) return found;
  const BusyTimes busy = FindBusyTimes(profile.model);
  if (alone.share > kShare) found.push_back(DescribeBareCommunication(profile, uses, alone, busy));
  if (idle.share > kShare) found.push_back(DescribeIdle(profile, steps, uses, idle, busy));
  return found;
}

}  // namespace sightline::profiler
