#include "sightline/profiler/device/device_timeline.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "sightline/profiler/device/launches.h"
#include "sightline/profiler/model/lane_search.h"

namespace sightline::profiler {
namespace {

enum class Part : std::uint8_t { kComputing, kCommunication, kCopy };

struct PartTask {
  DeviceTimeline::Task task;
  Part part = Part::kComputing;
  LaneId launcher{};
};
using PartTasks = ColumnVector<PartTask>;

bool IsTask(SpanKind kind) { return kind == SpanKind::kKernel || kind == SpanKind::kCommunication; }

// Collects the tasks of all devices.
class TaskReader {
 public:
  explicit TaskReader(const Model& model) : model_(model), launches_(model) {}

  std::vector<PartTasks> Read() {
    std::map<NameId, std::vector<const Lane*>> with_kernels;  // By process.
    std::map<NameId, std::vector<const Lane*>> others;
    for (const Lane& lane : model_.lanes) {
      if (HasKernels(lane)) with_kernels[lane.process];
    }
    for (const Lane& lane : model_.lanes) {
      if (lane.kind != LaneKind::kStream && !HasKernels(lane)) continue;
      const bool is_device = with_kernels.contains(lane.process);
      (is_device ? with_kernels : others)[lane.process].push_back(&lane);
    }
    if (with_kernels.size() == 1) {
      auto& lanes = with_kernels.begin()->second;
      for (const auto& [process, its] : others) lanes.insert(lanes.end(), its.begin(), its.end());
    } else if (!with_kernels.empty()) {
      with_kernels.merge(others);
    }
    std::vector<PartTasks> devices;
    for (const auto& [process, lanes] : with_kernels) {
      PartTasks tasks;
      for (const Lane* lane : lanes) Add(*lane, tasks);
      std::sort(tasks.begin(), tasks.end(),
                [](const PartTask& a, const PartTask& b) { return a.task.start < b.task.start; });
      if (!tasks.empty()) devices.push_back(std::move(tasks));
    }
    return devices;
  }

 private:
  bool HasKernels(const Lane& lane) const { return HasSpan(model_, lane, SpanKind::kKernel); }

  void Add(const Lane& lane, PartTasks& tasks) {
    const Spans& spans = model_.spans;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      // What takes no time does no work.
      if (!IsTask(spans.kind[i]) || spans.duration[i] == 0) continue;
      PartTask one;
      one.task.start = spans.start[i];
      one.task.end = spans.end(i);
      one.part = PartOf(i);
      if (const Launches::Call* call = launches_.Of(i)) {
        one.task.launch = call->start;
        one.launcher = call->lane;
      }
      tasks.push_back(one);
    }
  }

  Part PartOf(std::size_t span) {
    if (model_.spans.kind[span] == SpanKind::kCommunication) return Part::kCommunication;
    const NameId category = model_.spans.category[span];
    const NameId name = model_.spans.name[span];
    const NameId decides = category == kNoName ? name : category;
    const auto [found, is_new] = copies_.try_emplace(decides, false);
    if (is_new) found->second = IsCopy(model_.names[category], model_.names[name]);
    return found->second ? Part::kCopy : Part::kComputing;
  }

  const Model& model_;
  const Launches launches_;
  std::unordered_map<NameId, bool> copies_;  // By the text that decides it.
};

Cover CoverOf(const PartTasks& tasks, std::initializer_list<Part> parts) {
  Intervals times;
  for (const PartTask& one : tasks) {
    if (std::find(parts.begin(), parts.end(), one.part) == parts.end()) continue;
    if (!times.empty() && one.task.start <= times.back().to) {
      times.back().to = std::max(times.back().to, one.task.end);
    } else {
      times.push_back({one.task.start, one.task.end});
    }
  }
  return Cover(std::move(times));
}

Cover CoverOf(const ColumnVector<IdleGap>& gaps, IdleReason reason) {
  Intervals times;
  for (const IdleGap& gap : gaps)
    if (gap.reason == reason) times.push_back({gap.from, gap.to});
  return Cover(std::move(times));
}

IdleReason ReasonOf(std::int64_t idle_from, const DeviceTimeline::Task& next) {
  if (next.launch == kNotLaunched) return IdleReason::kOther;
  if (next.launch > idle_from) return IdleReason::kForHost;
  return next.start - idle_from < kLongestBetween ? IdleReason::kBetween : IdleReason::kOther;
}

DeviceTimeline TimelineOf(const PartTasks& tasks) {
  DeviceTimeline device;
  device.from = device.to = tasks.front().task.start;
  device.tasks.reserve(tasks.size());
  for (const PartTask& one : tasks) {
    if (one.task.start > device.to) {
      const IdleReason reason = ReasonOf(device.to, one.task);
      device.gaps.push_back({device.to, one.task.start, reason, one.launcher});
    }
    device.to = std::max(device.to, one.task.end);
    device.has_launches = device.has_launches || one.task.launch != kNotLaunched;
    device.tasks.push_back(one.task);
  }
  device.computing = CoverOf(tasks, {Part::kComputing});
  device.communication = CoverOf(tasks, {Part::kCommunication});
  device.copies = CoverOf(tasks, {Part::kCopy});
  device.computing_or_communication = CoverOf(tasks, {Part::kComputing, Part::kCommunication});
  device.busy = CoverOf(tasks, {Part::kComputing, Part::kCommunication, Part::kCopy});
  device.for_host = CoverOf(device.gaps, IdleReason::kForHost);
  device.between = CoverOf(device.gaps, IdleReason::kBetween);
  return device;
}

}  // namespace

bool IsCopy(std::string_view category, std::string_view name) {
  if (category.empty()) return name.starts_with("Memcpy");  // XLA: "MemcpyD2D".
  return category == "gpu_memcpy" || category == "Memcpy";
}

std::vector<DeviceTimeline> FindDevices(const Model& model) {
  std::vector<DeviceTimeline> devices;
  for (const PartTasks& tasks : TaskReader(model).Read()) devices.push_back(TimelineOf(tasks));
  return devices;
}

}  // namespace sightline::profiler
