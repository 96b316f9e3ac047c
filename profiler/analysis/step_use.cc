#include "sightline/profiler/analysis/step_use.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace sightline::profiler {
namespace {

// The lanes of the threads that mark steps: each thread's own lane, and the lanes below it, whose
// names begin with its number.
std::vector<const Lane*> FindStepLanes(const Model& model) {
  std::vector<const Lane*> marked;
  for (const Lane& lane : model.lanes) {
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      if (model.spans.kind[i] != SpanKind::kStep) continue;
      marked.push_back(&lane);
      break;
    }
  }
  const auto thread = [&](const Lane& lane) {
    const std::string_view name = model.names[lane.thread];
    return std::pair(lane.process, name.substr(0, name.find(' ')));
  };
  std::set<std::pair<NameId, std::string_view>> threads;
  for (const Lane* one : marked) threads.insert(thread(*one));
  std::vector<const Lane*> lanes;
  for (const Lane& lane : model.lanes) {
    if (lane.count > 0 && threads.contains(thread(lane))) lanes.push_back(&lane);
  }
  return lanes;
}

// Adds the time of a lane's spans of one kind to the steps in which they begin.
void AddLane(const Model& model, const Lane& lane, SpanKind kind, const std::vector<Step>& steps,
             std::int64_t StepUse::*part, std::vector<StepUse>& use) {
  std::int64_t counted_until = -kMaxTime;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    if (model.spans.kind[i] != kind) continue;
    const std::int64_t start = std::max(model.spans.start[i], counted_until);
    const auto step = std::partition_point(steps.begin(), steps.end(),
                                           [&](const Step& one) { return one.end <= start; });
    if (step == steps.end()) return;
    const std::int64_t end = std::min(model.spans.end(i), step->end);
    if (end <= start) continue;
    use[static_cast<std::size_t>(step - steps.begin())].*part += end - start;
    counted_until = end;
  }
}

}  // namespace

std::vector<StepUse> MeasureStepUse(const Model& model, const StepTable& table) {
  if (table.source != StepSource::kMarked) return {};
  std::vector<StepUse> use;
  std::int64_t before = table.steps.front().start;
  for (const Step& step : table.steps) {
    use.push_back({.number = step.number, .period = std::max<std::int64_t>(step.end - before, 0)});
    before = std::max(before, step.end);
  }
  // Steps that overlap are those of several threads, and the spans cannot be assigned to one of
  // them.
  const bool in_order = std::is_sorted(table.steps.begin(), table.steps.end(),
                                       [](const Step& a, const Step& b) { return a.end < b.end; });
  if (!in_order) return use;
  for (const Lane* lane : FindStepLanes(model)) {
    AddLane(model, *lane, SpanKind::kDataWait, table.steps, &StepUse::data_wait, use);
    AddLane(model, *lane, SpanKind::kCommunication, table.steps, &StepUse::communication, use);
  }
  return use;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double LowerQuartile(ColumnVector<double> values) {
  if (values.empty()) return 0;
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

}  // namespace sightline::profiler
