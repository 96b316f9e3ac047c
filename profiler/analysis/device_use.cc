#include "sightline/profiler/analysis/device_use.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/profiler/device/device_timeline.h"

namespace sightline::profiler {
namespace {

bool Has(const Model& model, SpanKind kind) {
  return std::find(model.spans.kind.begin(), model.spans.kind.end(), kind) !=
         model.spans.kind.end();
}

// The spans that compute where no device does: operators, or else the user's spans.
bool Computes(bool operators, SpanKind kind) {
  return operators ? kind == SpanKind::kOperator
                   : kind == SpanKind::kOther || kind == SpanKind::kAnnotation;
}

// Adds the computing and communication of a lane.
void AddLane(const Model& model, const Lane& lane, bool operators, BusyTimes& busy) {
  Intervals work;
  Intervals interrupted;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    const Interval span = {model.spans.start[i], model.spans.end(i)};
    if (span.to <= span.from) continue;
    const SpanKind kind = model.spans.kind[i];
    if (kind == SpanKind::kCommunication) busy.communication.push_back(span);
    if (kind == SpanKind::kCommunication || kind == SpanKind::kDataWait) {
      interrupted.push_back(span);
    } else if (Computes(operators, kind)) {
      work.push_back(span);
    }
  }
  Merge(work);
  Merge(interrupted);
  const Intervals left = Combine(work, interrupted, false);
  busy.computing.insert(busy.computing.end(), left.begin(), left.end());
}

BusyTimes BusyTimesOfHost(const Model& model) {
  const bool operators = Has(model, SpanKind::kOperator);
  BusyTimes busy;
  for (const Lane& lane : model.lanes) AddLane(model, lane, operators, busy);
  Merge(busy.computing);
  Merge(busy.communication);
  return busy;
}

// Calls `use` with the use of any part of the time.
template <typename UseOf>
void FillSteps(const StepTable& steps, UseOf use_of, DeviceUseTable& table) {
  // A recorded step trace has a clock of its own.
  if (steps.source == StepSource::kRecorded) return;
  for (const Step& step : steps.steps) {
    table.steps.push_back(use_of(step.start, step.end));
    table.steps.back().number = step.number;
  }
}

DeviceUseTable FromHost(const Model& model, const StepTable& steps) {
  BusyTimes busy = BusyTimesOfHost(model);
  DeviceUseTable table;
  if (busy.computing.empty() && busy.communication.empty()) return table;
  const Cover both(Combine(busy.computing, busy.communication, true));
  const Cover computing_cover(std::move(busy.computing));
  const Cover communication_cover(std::move(busy.communication));
  const auto use_of = [&](std::int64_t from, std::int64_t to) {
    DeviceUse use;
    use.total = to - from;
    use.computing = computing_cover.Within(from, to);
    use.communication = communication_cover.Within(from, to);
    use.communication_alone = use.communication - both.Within(from, to);
    use.idle = use.total - use.computing - use.communication_alone;
    return use;
  };
  const TimeRange extent = Extent(model);
  table.known = true;
  table.all = use_of(extent.from, extent.to);
  FillSteps(steps, use_of, table);
  return table;
}

DeviceUse UseOf(const DeviceTimeline& device, std::int64_t from, std::int64_t to) {
  DeviceUse use;
  use.total = to - from;
  use.computing = device.computing.Within(from, to);
  use.communication = device.communication.Within(from, to);
  const std::int64_t both = device.computing_or_communication.Within(from, to);
  const std::int64_t busy = device.busy.Within(from, to);
  use.communication_alone = both - use.computing;
  use.copy_alone = busy - both;
  use.idle = use.total - busy;
  use.idle_for_host = device.for_host.Within(from, to);
  use.idle_between = device.between.Within(from, to);
  return use;
}

void Add(DeviceUse& sum, const DeviceUse& use) {
  for (const auto part : {&DeviceUse::total, &DeviceUse::computing, &DeviceUse::communication,
                          &DeviceUse::communication_alone, &DeviceUse::copy_alone, &DeviceUse::idle,
                          &DeviceUse::idle_for_host, &DeviceUse::idle_between,
                          &DeviceUse::preparing, &DeviceUse::bubble})
    sum.*part = AddTimes(sum.*part, use.*part);
}

// When the tasks run that each step launched; from == to: it launched none.
std::vector<Interval> TasksOfSteps(const DeviceTimeline& device, const std::vector<Step>& steps) {
  std::vector<Interval> times(steps.size());
  auto step = steps.end();
  for (const DeviceTimeline::Task& task : device.tasks) {
    // A task whose launch is not recorded belongs to the step of the one before it.
    if (task.launch != kNotLaunched) {
      step = std::partition_point(steps.begin(), steps.end(),
                                  [&](const Step& one) { return one.end <= task.launch; });
      if (step != steps.end() && task.launch < step->start) step = steps.end();
    }
    if (step == steps.end()) continue;
    Interval& its = times[static_cast<std::size_t>(step - steps.begin())];
    its = its.from == its.to ? Interval{task.start, task.end}
                             : Interval{its.from, std::max(its.to, task.end)};
  }
  return times;
}

void AddLaunchedSteps(const DeviceTimeline& device, const std::vector<Step>& steps,
                      std::vector<DeviceUse>& uses) {
  const std::vector<Interval> times = TasksOfSteps(device, steps);
  std::optional<std::int64_t> before;  // The end of the step before.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [first, last] = times[i];
    if (first == last) continue;
    const std::int64_t from = std::max(first, before.value_or(first));
    const std::int64_t to = std::max(from, last);
    DeviceUse use = UseOf(device, from, to);
    use.preparing = from - before.value_or(from);
    Add(uses[i], use);
    before = to;
  }
}

void AddSteps(const DeviceTimeline& device, const std::vector<Step>& steps,
              std::vector<DeviceUse>& uses) {
  if (device.has_launches) return AddLaunchedSteps(device, steps, uses);
  for (std::size_t i = 0; i < steps.size(); ++i)
    Add(uses[i], UseOf(device, steps[i].start, steps[i].end));
}

DeviceUseTable FromDevices(std::vector<DeviceTimeline> devices, const StepTable& steps) {
  DeviceUseTable table;
  table.known = table.of_device = table.by_tasks = true;
  // A recorded step trace has a clock of its own.
  if (steps.source != StepSource::kRecorded) table.steps.resize(steps.steps.size());
  for (std::size_t i = 0; i < table.steps.size(); ++i)
    table.steps[i].number = steps.steps[i].number;
  for (const DeviceTimeline& device : devices) {
    table.has_launches = table.has_launches || device.has_launches;
    Add(table.all, UseOf(device, device.from, device.to));
    if (!table.steps.empty()) AddSteps(device, steps.steps, table.steps);
  }
  table.devices = std::move(devices);
  return table;
}

DeviceUseTable FromSpans(const Model& model, const StepTable& steps) {
  std::vector<DeviceTimeline> devices = FindDevices(model);
  return devices.empty() ? FromHost(model, steps) : FromDevices(std::move(devices), steps);
}

bool IsOfOverlap(const Model& model, const Lane& lane) {
  return model.names[lane.process_name] == "Overlap Analysis";
}

// The spans of the lane "Overlap Analysis" of this name.
Intervals OverlapLane(const Model& model, std::string_view name) {
  Intervals found;
  for (const Lane& lane : model.lanes) {
    if (!IsOfOverlap(model, lane)) continue;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      if (model.names[model.spans.name[i]] == name)
        found.push_back({model.spans.start[i], model.spans.end(i)});
    }
  }
  Merge(found);
  return found;
}

DeviceUseTable FromOverlapLanes(const Model& model, const StepTable& steps) {
  const Cover computing(OverlapLane(model, "Computing"));
  const Cover communication(OverlapLane(model, "Communication"));
  const Cover alone(OverlapLane(model, "Communication(Not Overlapped)"));
  const Cover idle(OverlapLane(model, "Free"));
  DeviceUseTable table;
  if (computing.all() == 0 && communication.all() == 0) return table;
  Intervals tasks = computing.intervals();
  tasks.insert(tasks.end(), communication.intervals().begin(), communication.intervals().end());
  Merge(tasks);
  const auto use_of = [&](std::int64_t from, std::int64_t to) {
    DeviceUse use;
    use.computing = computing.Within(from, to);
    use.communication = communication.Within(from, to);
    use.communication_alone = alone.Within(from, to);
    use.idle = idle.Within(from, to);
    use.total = AddTimes(AddTimes(use.computing, use.communication_alone), use.idle);
    const auto first = std::partition_point(tasks.begin(), tasks.end(),
                                            [&](const Interval& one) { return one.to <= from; });
    if (first != tasks.end())
      use.preparing = std::clamp<std::int64_t>(first->from - from, 0, to - from);
    return use;
  };
  const TimeRange extent = Extent(model);
  table.known = table.of_device = true;
  table.all = use_of(extent.from, extent.to);
  table.all.preparing = 0;
  FillSteps(steps, use_of, table);
  for (const DeviceUse& step : table.steps)
    table.all.preparing = AddTimes(table.all.preparing, step.preparing);
  return table;
}

// How long the operators between the stages of a pipeline waited, by step.
using Waits = std::map<std::optional<std::int64_t>, std::int64_t>;

Waits WaitsForOtherStages(const Profile& profile) {
  Waits waits;
  for (const CommunicationUse& use : profile.communication) {
    if (!use.point_to_point || use.group != "pp") continue;
    std::int64_t& wait = waits[use.step];
    wait = AddTimes(wait, std::max(use.elapsed - use.transit, use.wait));
  }
  return waits;
}

DeviceUse UseFromRow(const DeviceStep& row, const Waits& waits) {
  DeviceUse use;
  use.number = row.number;
  use.computing = row.computing;
  use.communication = row.communication;
  use.communication_alone = row.communication_alone;
  use.idle = row.idle;
  use.preparing = row.preparing;
  use.total = AddTimes(AddTimes(use.computing, use.communication_alone), use.idle);
  if (row.receive_alone > 0) {
    use.bubble = row.receive_alone;
  } else if (const auto wait = waits.find(row.number); wait != waits.end()) {
    use.bubble = wait->second;
  }
  use.bubble = std::min(use.bubble, use.communication_alone);
  return use;
}

DeviceUseTable FromRows(const Profile& profile, const StepTable& steps) {
  DeviceUseTable table;
  table.listed = table.known = table.of_device = true;
  const std::vector<DeviceStep>& rows = profile.device_steps;
  const Waits waits = WaitsForOtherStages(profile);
  const bool has_idle =
      std::any_of(rows.begin(), rows.end(), [](const DeviceStep& row) { return row.idle > 0; });
  for (const Step& step : steps.steps) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const DeviceStep& one) { return one.number == step.number; });
    if (row == rows.end()) {
      table.steps.clear();
      break;
    }
    DeviceUse use = UseFromRow(*row, waits);
    if (!has_idle && use.total < step.total()) {
      use.idle = step.total() - use.total;
      use.total = step.total();
    }
    table.steps.push_back(use);
  }
  if (steps.steps.empty()) {
    for (const DeviceStep& row : rows)
      if (row.number) table.steps.push_back(UseFromRow(row, waits));
  }
  // Without idle time in the table, only the steps tell how long it was.
  if (!has_idle && table.steps.size() == rows.size()) {
    for (const DeviceUse& use : table.steps) Add(table.all, use);
  } else {
    for (const DeviceStep& row : rows) Add(table.all, UseFromRow(row, waits));
  }
  return table;
}

bool CoversSteps(const DeviceUseTable& table, const StepTable& steps) {
  return table.known && table.steps.size() >= steps.steps.size();
}

}  // namespace

bool HasDevice(const Profile& profile) {
  const Model& model = profile.model;
  return !profile.device_steps.empty() || Has(model, SpanKind::kKernel) ||
         std::any_of(model.lanes.begin(), model.lanes.end(),
                     [&](const Lane& lane) { return IsOfOverlap(model, lane); });
}

BusyTimes FindBusyTimes(const Model& model, const std::vector<DeviceTimeline>& devices) {
  if (devices.empty()) return BusyTimesOfHost(model);
  BusyTimes busy;
  busy.of_device = true;
  const auto append = [](const Cover& cover, Intervals& all) {
    all.insert(all.end(), cover.intervals().begin(), cover.intervals().end());
  };
  for (const DeviceTimeline& device : devices) {
    append(device.computing, busy.computing);
    append(device.communication, busy.communication);
    append(device.copies, busy.copies);
  }
  for (Intervals* all : {&busy.computing, &busy.communication, &busy.copies}) Merge(*all);
  return busy;
}

DeviceUseSources MeasureDeviceUseOfEach(const Profile& profile, const StepTable& steps) {
  DeviceUseSources uses;
  if (!profile.device_steps.empty()) uses.rows = FromRows(profile, steps);
  uses.lanes = FromOverlapLanes(profile.model, steps);
  uses.spans = FromSpans(profile.model, steps);
  return uses;
}

DeviceUseTable MeasureDeviceUse(const Profile& profile, const StepTable& steps) {
  DeviceUseTable rows;
  if (!profile.device_steps.empty()) rows = FromRows(profile, steps);
  if (CoversSteps(rows, steps)) return rows;
  DeviceUseTable lanes = FromOverlapLanes(profile.model, steps);
  if (CoversSteps(lanes, steps)) return lanes;
  DeviceUseTable spans = FromSpans(profile.model, steps);
  if (CoversSteps(spans, steps)) return spans;
  for (DeviceUseTable* table : {&rows, &lanes, &spans})
    if (table->known) return std::move(*table);
  return spans;
}

}  // namespace sightline::profiler
