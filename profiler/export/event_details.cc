#include "sightline/profiler/export/event_details.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sightline/base/json/foreign_json.h"

namespace sightline::profiler {
namespace {

using PointsOfLane = std::vector<const FlowPoint*>;

// Walks through a lane's spans and flow points in the order of their times.
void BindLane(const Model& model, const Lane& lane, const PointsOfLane& points, BoundFlows& bound) {
  std::vector<std::size_t> open;
  std::size_t next = lane.first;
  for (const FlowPoint* point : points) {
    for (; next < lane.first + lane.count && model.spans.start[next] <= point->time; ++next) {
      while (!open.empty() && model.spans.end(open.back()) < model.spans.start[next])
        open.pop_back();
      open.push_back(next);
    }
    while (!open.empty() && model.spans.end(open.back()) < point->time) open.pop_back();
    if (open.empty()) {
      bound.alone.push_back(point);
    } else {
      bound.of_span[open.back()].push_back(point);
    }
  }
}

}  // namespace

nlohmann::ordered_json EventArguments(const Model& model, NameId name, NameId detail, NameId type) {
  nlohmann::ordered_json arguments = nlohmann::ordered_json::object();
  if (detail != kNoName) {
    auto parsed = ParseForeignJson<nlohmann::ordered_json>(model.names[detail]);
    if (parsed.is_object()) {
      arguments = std::move(parsed);
    } else {
      arguments["args"] = model.names[detail];
    }
  }
  if (type != kNoName && type != name && !arguments.contains("type"))
    arguments["type"] = model.names[type];
  return arguments;
}

ValueRange ValuesIn(const Counter& counter, TimeRange range) {
  const auto& times = counter.time;
  auto first = std::lower_bound(times.begin(), times.end(), range.from);
  const auto last = std::upper_bound(first, times.end(), range.to);
  if (first != times.begin() && (first == times.end() || *first != range.from)) --first;
  return {static_cast<std::size_t>(first - times.begin()),
          static_cast<std::size_t>(last - times.begin())};
}

BoundFlows BindFlows(const Model& model, TimeRange range) {
  std::map<LaneId, PointsOfLane> by_lane;
  for (const FlowPoint& point : model.flows) {
    if (Touches(range, point.time, point.time)) by_lane[point.lane].push_back(&point);
  }
  BoundFlows bound;
  for (auto& [lane, points] : by_lane) {
    std::stable_sort(points.begin(), points.end(),
                     [](const auto* a, const auto* b) { return a->time < b->time; });
    BindLane(model, model.lanes[static_cast<std::uint32_t>(lane)], points, bound);
  }
  return bound;
}

}  // namespace sightline::profiler
