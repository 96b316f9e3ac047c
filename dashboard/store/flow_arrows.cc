#include "sightline/dashboard/store/flow_arrows.h"

#include <algorithm>
#include <tuple>

namespace sightline::dashboard {
namespace {

using profiler::FlowPhase;
using profiler::FlowPoint;
using profiler::Lane;
using profiler::Model;

// Spans that are looked at on the way back to the one that holds a time.
constexpr std::size_t kMaxSpansBack = 1000;

std::uint16_t RowAt(const Model& model, const FlowPoint& point) {
  const Lane& lane = model.lanes[static_cast<std::uint32_t>(point.lane)];
  const auto begin = model.spans.start.begin() + static_cast<std::ptrdiff_t>(lane.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(lane.count);
  const auto behind = std::upper_bound(begin, end, point.time);
  auto i = lane.first + static_cast<std::size_t>(behind - begin);
  for (std::size_t back = 0; i > lane.first && back < kMaxSpansBack; ++back) {
    --i;
    if (model.spans.end(i) >= point.time) return model.spans.depth[i];
  }
  return 0;
}

}  // namespace

std::vector<FlowArrow> FlowArrowsOf(const Model& model) {
  std::vector<const FlowPoint*> points;
  points.reserve(model.flows.size());
  for (const FlowPoint& point : model.flows) points.push_back(&point);
  std::stable_sort(points.begin(), points.end(), [](const FlowPoint* a, const FlowPoint* b) {
    return std::tuple(a->id, a->time, a->phase) < std::tuple(b->id, b->time, b->phase);
  });
  std::vector<FlowArrow> arrows;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const FlowPoint& from = *points[i - 1];
    const FlowPoint& to = *points[i];
    if (from.id != to.id || to.phase == FlowPhase::kStart || from.phase == FlowPhase::kEnd)
      continue;
    arrows.push_back({to.id,
                      to.name == profiler::kNoName ? from.name : to.name,
                      {from.time, from.lane, RowAt(model, from)},
                      {to.time, to.lane, RowAt(model, to)}});
  }
  std::stable_sort(arrows.begin(), arrows.end(), [](const FlowArrow& a, const FlowArrow& b) {
    return a.from.time < b.from.time;
  });
  return arrows;
}

}  // namespace sightline::dashboard
