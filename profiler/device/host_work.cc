#include "sightline/profiler/device/host_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sightline/profiler/device/idle_causes.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kNamed = 3;

bool Allocates(std::string_view name) {
  constexpr std::array<std::string_view, 8> kStarts = {
      "cudaMalloc", "cudaFree", "cudaHostAlloc", "cuMem",
      "hipMalloc",  "hipFree",  "hipHostMalloc", "cudaHostRegister"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// What a call means for all that runs within it; none for most calls.
std::optional<HostDoing> MeaningOf(const Model& model, std::size_t span) {
  const SpanKind kind = model.spans.kind[span];
  if (kind == SpanKind::kDataWait) return HostDoing::kWaitingForData;
  const std::string_view name = model.names[model.spans.name[span]];
  if (ReadsValue(name)) return HostDoing::kReadingValue;
  if (WaitsForDevice(name)) return HostDoing::kSynchronizing;
  if (CollectsGarbage(name)) return HostDoing::kCollectingGarbage;
  if (kind == SpanKind::kRuntime && Allocates(name)) return HostDoing::kAllocating;
  return std::nullopt;
}

HostDoing DoingByKind(SpanKind kind) {
  switch (kind) {
    case SpanKind::kOperator:
    case SpanKind::kCommunication:
    case SpanKind::kKernel:
      return HostDoing::kOperator;
    case SpanKind::kPython:
      return HostDoing::kPython;
    case SpanKind::kRuntime:
      return HostDoing::kLaunching;
    case SpanKind::kDataWait:
      return HostDoing::kWaitingForData;
    case SpanKind::kStep:
    case SpanKind::kScope:
    case SpanKind::kAnnotation:
    case SpanKind::kOther:
      break;
  }
  return HostDoing::kOther;
}

}  // namespace

std::string_view HostDoingName(HostDoing doing) {
  switch (doing) {
    case HostDoing::kWaitingForData:
      return "waiting for data";
    case HostDoing::kReadingValue:
      return "reading a value from the device (item)";
    case HostDoing::kSynchronizing:
      return "waiting for the device";
    case HostDoing::kAllocating:
      return "allocating memory";
    case HostDoing::kCollectingGarbage:
      return "collecting garbage";
    case HostDoing::kLaunching:
      return "launching";
    case HostDoing::kOperator:
      return "operators";
    case HostDoing::kPython:
      return "Python";
    case HostDoing::kOther:
      return "nothing that is recorded";
  }
  return "";
}

std::string_view HostDoingId(HostDoing doing) {
  switch (doing) {
    case HostDoing::kWaitingForData:
      return "waiting_for_data";
    case HostDoing::kReadingValue:
      return "reading_value";
    case HostDoing::kSynchronizing:
      return "synchronizing";
    case HostDoing::kAllocating:
      return "allocating";
    case HostDoing::kCollectingGarbage:
      return "collecting_garbage";
    case HostDoing::kLaunching:
      return "launching";
    case HostDoing::kOperator:
      return "operator";
    case HostDoing::kPython:
      return "python";
    case HostDoing::kOther:
      return "other";
  }
  return "";
}

TimesOfLanes TimesForHost(const std::vector<DeviceTimeline>& devices) {
  TimesOfLanes times;
  for (const DeviceTimeline& device : devices) {
    for (const IdleGap& gap : device.gaps)
      if (gap.reason == IdleReason::kForHost) times[gap.launcher].push_back({gap.from, gap.to});
  }
  for (auto& [lane, its] : times) Merge(its);
  return times;
}

HostWork::HostWork(const Model& model, const TimesOfLanes& times) : model_(model) {
  for (const auto& [lane, when] : times)
    AddLane(model.lanes[static_cast<std::uint32_t>(lane)], when);
}

// The spans are ordered by start, outer ones first; `open` are those around the current one.
void HostWork::AddLane(const Lane& lane, const Intervals& times) {
  const Cover cover(times);
  std::int64_t counted = 0;
  std::vector<std::size_t> open;
  std::int64_t at = -kMaxTime;
  const auto advance = [&](std::int64_t to) {
    if (!open.empty() && to > at) {
      const std::int64_t time = cover.Within(at, to);
      if (time > 0) Count(open, time);
      counted = AddTimes(counted, time);
    }
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
  by_doing_.at(static_cast<std::size_t>(HostDoing::kOther)).time += cover.all() - counted;
}

void HostWork::Count(const std::vector<std::size_t>& open, std::int64_t time) {
  Sum& sum = by_doing_.at(static_cast<std::size_t>(DoingOf(open)));
  sum.time = AddTimes(sum.time, time);
  if (model_.spans.kind[open.back()] == SpanKind::kStep) return;  // Nothing is recorded within it.
  std::int64_t& call = sum.calls[model_.spans.name[open.back()]];
  call = AddTimes(call, time);
}

HostDoing HostWork::DoingOf(const std::vector<std::size_t>& open) const {
  for (const std::size_t span : open)
    if (const auto meaning = MeaningOf(model_, span)) return *meaning;
  return DoingByKind(model_.spans.kind[open.back()]);
}

std::vector<HostActivity> HostWork::Activities() const {
  std::vector<HostActivity> activities;
  for (std::size_t doing = 0; doing < kHostDoings; ++doing) {
    const Sum& sum = by_doing_.at(doing);
    if (sum.time == 0) continue;
    HostActivity one = {static_cast<HostDoing>(doing), sum.time, "", 0};
    for (const auto& [name, time] : sum.calls) {
      if (time <= one.call_time) continue;
      one.call = model_.names[name];
      one.call_time = time;
    }
    activities.push_back(std::move(one));
  }
  std::stable_sort(activities.begin(), activities.end(),
                   [](const HostActivity& a, const HostActivity& b) { return a.time > b.time; });
  return activities;
}

std::string HostWork::LongestCalls() const {
  std::map<NameId, std::int64_t> by_name;
  for (const Sum& sum : by_doing_)
    for (const auto& [name, time] : sum.calls) by_name[name] = AddTimes(by_name[name], time);
  std::vector<std::pair<std::int64_t, NameId>> ordered;
  ordered.reserve(by_name.size());
  for (const auto& [name, time] : by_name) ordered.emplace_back(time, name);
  std::sort(ordered.rbegin(), ordered.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ordered.size()); ++i) {
    text += fmt::format("{}{} {:.2f} ms", i == 0 ? "" : ", ", model_.names[ordered[i].second],
                        static_cast<double>(ordered[i].first) / 1e6);
  }
  return text;
}

std::vector<HostActivity> HostWhileIdle(const Model& model,
                                        const std::vector<DeviceTimeline>& devices) {
  return HostWork(model, TimesForHost(devices)).Activities();
}

}  // namespace sightline::profiler
