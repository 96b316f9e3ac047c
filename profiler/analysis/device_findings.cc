#include "sightline/profiler/analysis/device_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/profiler/analysis/step_use.h"
#include "sightline/profiler/device/device_timeline.h"
#include "sightline/profiler/device/host_work.h"
#include "sightline/profiler/device/idle_causes.h"
#include "sightline/profiler/model/lane_search.h"

namespace sightline::profiler {
namespace {

constexpr double kShare = 0.1;
constexpr double kMost = 0.5;
constexpr double kNearly = 0.9;    // Spans that tell less than this of a table are an excerpt.
constexpr double kExplains = 0.1;  // Of the idle time; less is no cause.
constexpr std::size_t kNamed = 3;
constexpr std::size_t kManySteps = 4;

double Millis(double nanoseconds) { return nanoseconds / 1e6; }
double Millis(std::int64_t nanoseconds) { return Millis(static_cast<double>(nanoseconds)); }

// A part of the device's time, and of which time.
struct Part {
  double time = 0;  // Nanoseconds, like `whole`.
  double whole = 0;
  double share = 0;
  std::string of;  // "of a step's 9.90 ms (median of 5 steps)"
};

// Of the tasks of devices. The first of many steps often compiles and warms up.
Part PartOfTasks(const DeviceUseTable& uses, std::int64_t DeviceUse::*part) {
  const bool many = uses.steps.size() >= kManySteps;
  const DeviceUse left_out = many ? uses.steps.front() : DeviceUse();
  Part out;
  out.time = static_cast<double>(uses.all.*part - left_out.*part);
  out.whole = static_cast<double>(uses.all.total - left_out.total);
  out.share = out.whole > 0 ? out.time / out.whole : 0;
  // The times of several devices are added.
  const std::size_t devices = uses.devices.size();
  out.of = fmt::format("of the {:.2f} ms from its first task to its last{}{}", Millis(out.whole),
                       devices > 1 ? fmt::format(", all {} devices together", devices) : "",
                       many ? ", the first step aside" : "");
  return out;
}

// Of the steps, without the first if there are others, or of the whole profile.
Part PartOf(const DeviceUseTable& uses, std::int64_t DeviceUse::*part) {
  if (uses.by_tasks && (uses.has_launches || uses.steps.empty())) return PartOfTasks(uses, part);
  const bool has_steps = !uses.steps.empty();
  const std::size_t first = uses.steps.size() > 1 ? 1 : 0;
  const MedianPart median = has_steps
                                ? MedianPartOf(uses.steps, first, part, &DeviceUse::total)
                                : MedianPartOf<DeviceUse>({uses.all}, 0, part, &DeviceUse::total);
  const std::string of = !has_steps   ? "the whole profile"
                         : first == 0 ? "one step"
                                      : fmt::format("median of {} steps", uses.steps.size() - 1);
  return {median.time, median.whole, median.share,
          fmt::format("of a step's {:.2f} ms ({})", Millis(median.whole), of)};
}

// Whether the profiler was told so, by its own configuration.
bool Configured(const Profile& profile, std::string_view setting) {
  return std::any_of(
      profile.model.attributes.begin(), profile.model.attributes.end(), [&](const auto& one) {
        return one.first == "config" && one.second.find(setting) != std::string::npos;
      });
}

// "hcom_allReduce__586_0_1@175226" -> "hcom_allReduce", and of a kernel
// "void a::reduce<half>(half*)" -> "a::reduce".
std::string_view KindOf(std::string_view collective) {
  constexpr std::string_view kResult = "void ";
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (const std::string_view before : {kResult, kUnnamed})
    if (collective.starts_with(before)) collective.remove_prefix(before.size());
  const auto end = std::min({collective.find("__"), collective.find('@'), collective.find('<'),
                             collective.find("(ncclDevComm"), collective.find("(ncclDevKernel")});
  return collective.substr(0, end);
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
    name_of_longest = name.substr(0, std::min(name.find('@'), name.find('(')));
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
                                  const Part& alone, const BusyTimes& busy) {
  const Kinds by_spans = BareBySpans(profile.model, busy);
  const Kinds by_table = ElapsedByTable(profile);
  const bool spans_tell =
      by_table.empty() ||
      Sum(by_spans) > kNearly * static_cast<double>(uses.all.communication_alone);
  const Kinds& kinds = spans_tell ? by_spans : by_table;
  const Part bubble = PartOf(uses, &DeviceUse::bubble);
  Finding finding = {
      .rule = "communication",
      .subject = "",
      .what = "The device spends much of its time in communication alone.",
      .evidence = fmt::format("it computes nothing while it communicates for {:.2f} ms {}",
                              Millis(alone.time), alone.of),
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
  for (const Intervals* others : {&busy.communication, &busy.copies})
    tasks.insert(tasks.end(), others->begin(), others->end());
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

bool MarksSteps(const Model& model, const Lane& lane) {
  return lane.kind == LaneKind::kThread && HasSpan(model, lane, SpanKind::kStep);
}

// When the devices, or the device of the steps, did nothing, and what the host did meanwhile.
struct IdleTime {
  Intervals gaps;
  TimesOfLanes times;         // Of the threads that should have launched something.
  std::int64_t for_host = 0;  // In which the device waited for a launch.
};

IdleTime IdleOfDevices(const std::vector<DeviceTimeline>& devices) {
  IdleTime idle;
  idle.times = TimesForHost(devices);
  for (const DeviceTimeline& device : devices) {
    idle.for_host = AddTimes(idle.for_host, device.for_host.all());
    for (const IdleGap& gap : device.gaps) idle.gaps.push_back({gap.from, gap.to});
  }
  Merge(idle.gaps);
  return idle;
}

// Without launches: the threads that mark steps.
IdleTime IdleInSteps(const Model& model, const StepTable& steps, const DeviceUseTable& uses,
                     const BusyTimes& busy) {
  IdleTime idle;
  if (steps.source != StepSource::kMarked || !busy.of_device) return idle;
  idle.gaps = IdleTimes(steps, busy);
  // If there are more gaps than idle time, tasks are missing.
  const bool too_many =
      kNearly * static_cast<double>(Cover(idle.gaps).all()) > static_cast<double>(uses.all.idle);
  if (too_many) idle.gaps.clear();
  for (std::size_t of = 0; of < model.lanes.size(); ++of)
    if (MarksSteps(model, model.lanes[of])) idle.times[static_cast<LaneId>(of)] = idle.gaps;
  return idle;
}

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

// Two causes may have one remedy, which is named once.
void AddChange(std::string_view change, Finding& finding) {
  if (finding.change.find(change) != std::string::npos) return;
  if (!finding.change.empty()) finding.change += "; ";
  finding.change += change;
}

// Why the device was idle during `gaps`, by causes that explain a part of it. Returns how much the
// greatest explains.
double AddCauses(const Model& model, const Intervals& gaps, double all, Finding& finding) {
  double explained = 0;
  for (const IdleCause& cause : FindIdleCauses(model, gaps)) {
    const auto time = static_cast<double>(cause.time);
    if (time < kExplains * all) continue;
    explained = std::max(explained, time);
    finding.evidence +=
        fmt::format("; for {:.2f} ms of it {} ({})", Millis(time), cause.what, cause.calls);
    AddChange(cause.change, finding);
  }
  return explained;
}

// "; meanwhile the host: operators 34.10 ms (most: aten::mm 0.55 ms), Python 20.00 ms (...)".
std::string Describe(const std::vector<HostActivity>& activities) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, activities.size()); ++i) {
    const HostActivity& one = activities[i];
    text += fmt::format("{}{} {:.2f} ms", i == 0 ? "; meanwhile the host: " : ", ",
                        HostDoingName(one.doing), Millis(one.time));
    if (!one.call.empty())
      text += fmt::format(" (most: {} {:.2f} ms)", one.call, Millis(one.call_time));
  }
  return text;
}

std::string_view ChangeFor(HostDoing doing) {
  switch (doing) {
    case HostDoing::kWaitingForData:
      return "more workers of the loader, a deeper queue, or less work for each sample";
    case HostDoing::kReadingValue:
    case HostDoing::kSynchronizing:
      return kWaitLess;
    case HostDoing::kAllocating:
      return "no allocations in the loop: no empty_cache(), and buffers that are used again";
    case HostDoing::kCollectingGarbage:
      return kCollectLess;
    case HostDoing::kLaunching:
    case HostDoing::kOperator:
    case HostDoing::kPython:
      return "fewer and larger operators: larger batches, fused operators (torch.compile), or "
             "graphs that launch many kernels at once (CUDA graphs)";
    case HostDoing::kOther:
      break;
  }
  return "record what the host does there: its operators and Python's stacks (with_stack)";
}

// A device that idles because the next task had not been launched.
void DescribeHostBound(const Model& model, const IdleTime& idle, const HostWork& host, double all,
                       Finding& finding) {
  finding.rule = "host-bound";
  finding.what = "The device waits for the host for much of its time.";
  const auto activities = host.Activities();
  finding.evidence +=
      fmt::format(
          "; for {:.2f} ms of it, the host launched the next task only after the device "
          "had become idle",
          Millis(idle.for_host)) +
      Describe(activities);
  AddCauses(model, idle.gaps, all, finding);
  AddChange(ChangeFor(activities.empty() ? HostDoing::kOther : activities.front().doing), finding);
}

void DescribeOtherIdle(const Model& model, const IdleTime& idle, const HostWork& host, double all,
                       Finding& finding) {
  const std::string work = host.LongestCalls();
  if (work.empty()) {
    finding.change =
        "record the host with its launches, too (activities with the CPU, and a trace), to see "
        "what it does in the gaps";
  } else if (static_cast<double>(host.TimeOf(HostDoing::kWaitingForData)) > kMost * all) {
    finding.evidence += "; the host waits for data meanwhile";
    finding.change = ChangeFor(HostDoing::kWaitingForData);
  } else {
    const double explained = AddCauses(model, idle.gaps, all, finding);
    finding.evidence += "; the host's innermost calls meanwhile: " + work;
    AddChange(explained > kMost * all
                  ? "fewer and larger operators, too"
                  : "probably the host launches too slowly: larger or fused operators, graphs "
                    "instead of single calls, and fewer calls that wait for the device",
              finding);
  }
}

// None if the data for which the steps wait explains it, which is a finding already.
std::optional<Finding> DescribeIdle(const Profile& profile, const StepTable& steps,
                                    const DeviceUseTable& uses, const Part& part,
                                    const BusyTimes& busy, bool waits_for_data) {
  Finding finding = {
      .rule = "device-idle",
      .subject = "",
      .what = "The device has nothing to do for much of its time.",
      .evidence = fmt::format("it is idle for {:.2f} ms {}", Millis(part.time), part.of),
      .change = "",
      .share = part.share};
  const Model& model = profile.model;
  const bool knows_launches = uses.by_tasks && uses.has_launches;
  const IdleTime idle =
      knows_launches ? IdleOfDevices(uses.devices) : IdleInSteps(model, steps, uses, busy);
  const auto all = static_cast<double>(Cover(idle.gaps).all());
  const HostWork host(model, idle.times);
  const bool data_explains =
      static_cast<double>(host.TimeOf(HostDoing::kWaitingForData)) > kMost * all;
  if (waits_for_data && all > 0 && data_explains) return std::nullopt;
  if (!idle.gaps.empty()) {
    finding.evidence += fmt::format("; that is {} {} between its tasks, {:.1f} us on average",
                                    idle.gaps.size(), idle.gaps.size() == 1 ? "gap" : "gaps",
                                    all / 1e3 / static_cast<double>(idle.gaps.size()));
  }
  if (static_cast<double>(idle.for_host) > kMost * all) {
    DescribeHostBound(model, idle, host, all, finding);
  } else {
    DescribeOtherIdle(model, idle, host, all, finding);
  }
  finding.change += MissingSwitches(profile);
  return finding;
}

}  // namespace

std::vector<Finding> JudgeDevice(const Profile& profile, const StepTable& steps,
                                 const DeviceUseTable& uses, bool waits_for_data) {
  const Part alone = PartOf(uses, &DeviceUse::communication_alone);
  const Part idle = PartOf(uses, &DeviceUse::idle);
  std::vector<Finding> found;
  if (alone.share <= kShare && idle.share <= kShare) return found;
  // If a table tells the times, nobody has read the tasks of the trace yet.
  const std::vector<DeviceTimeline> own =
      uses.by_tasks ? std::vector<DeviceTimeline>() : FindDevices(profile.model);
  const BusyTimes busy = FindBusyTimes(profile.model, uses.by_tasks ? uses.devices : own);
  if (alone.share > kShare) found.push_back(DescribeBareCommunication(profile, uses, alone, busy));
  if (idle.share <= kShare) return found;
  if (auto one = DescribeIdle(profile, steps, uses, idle, busy, waits_for_data))
    found.push_back(*std::move(one));
  return found;
}

}  // namespace sightline::profiler
