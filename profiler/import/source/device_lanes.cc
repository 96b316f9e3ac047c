#include "sightline/profiler/import/source/device_lanes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/source/span_kind.h"
#include "sightline/profiler/model/lane_search.h"

namespace sightline::profiler {
namespace {

// Calls `use(i)` with each span of the lane until it returns true, and returns whether it did.
template <typename Use>
bool AnySpan(const Lane& lane, Use use) {
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    if (use(i)) return true;
  }
  return false;
}

class Separation {
 public:
  explicit Separation(Model& model) : model_(model), of_device_(model.names.size()) {}

  void Run() {
    for (Lane& lane : model_.lanes)
      if (IsOfDevice(lane)) lane.kind = LaneKind::kStream;
    LeaveOutRepeatedOperations();
    // XLA names the operation in the kernels that it became.
    for (const Lane& lane : model_.lanes)
      if (lane.kind == LaneKind::kStream) SetKinds(lane, SpanKind::kOperator, SpanKind::kKernel);
    const bool has_kernels = AnyLane(LaneKind::kStream, SpanKind::kKernel);
    const bool host_has_steps = AnyLane(LaneKind::kThread, SpanKind::kStep);
    for (Lane& lane : model_.lanes) {
      if (lane.kind == LaneKind::kStream || (lane.kind == LaneKind::kStep && IsOfXlaDevice(lane))) {
        if (host_has_steps) SetKinds(lane, SpanKind::kStep, SpanKind::kAnnotation);
      } else if (has_kernels && !lane.kinds_known) {
        SetKinds(lane, SpanKind::kCommunication, SpanKind::kOperator);
        if (IsOfXlaHost(lane)) SetKinds(lane, SpanKind::kOperator, SpanKind::kRuntime);
      }
    }
  }

 private:
  bool IsOfDevice(const Lane& lane) {
    if (lane.kind != LaneKind::kThread || lane.kinds_known) return false;
    return AnySpan(lane, [&](std::size_t i) {
      const NameId category = model_.spans.category[i];
      if (category == kNoName) return false;
      auto& known = of_device_[static_cast<std::uint32_t>(category)];
      if (!known) known = profiler::IsOfDevice(model_.names[category]);
      return *known;
    });
  }

  bool IsOfXlaDevice(const Lane& lane) const {
    return model_.names[lane.process_name].starts_with("/device:");
  }
  bool IsOfXlaHost(const Lane& lane) const {
    return model_.names[lane.process_name].starts_with("/host:");
  }

  void LeaveOutRepeatedOperations() {
    std::set<NameId> with_streams;  // Processes.
    for (const Lane& lane : model_.lanes)
      if (model_.names[lane.thread_name].starts_with("Stream #")) with_streams.insert(lane.process);
    for (Lane& lane : model_.lanes) {
      if (model_.names[lane.thread_name] != "XLA Ops" || !with_streams.contains(lane.process))
        continue;
      lane.kind = LaneKind::kScope;
      AnySpan(lane, [&](std::size_t i) {
        model_.spans.kind[i] = SpanKind::kScope;
        return false;
      });
    }
  }

  bool AnyLane(LaneKind lane_kind, SpanKind kind) const {
    return std::any_of(model_.lanes.begin(), model_.lanes.end(), [&](const Lane& lane) {
      return lane.kind == lane_kind && HasSpan(model_, lane, kind);
    });
  }

  void SetKinds(const Lane& lane, SpanKind from, SpanKind to) {
    AnySpan(lane, [&](std::size_t i) {
      if (model_.spans.kind[i] == from) model_.spans.kind[i] = to;
      return false;
    });
  }

  Model& model_;
  std::vector<std::optional<bool>> of_device_;  // By category.
};

}  // namespace

void SeparateDevices(Model& model) { Separation(model).Run(); }

}  // namespace sightline::profiler
