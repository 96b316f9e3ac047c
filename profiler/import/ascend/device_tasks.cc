#include "sightline/profiler/import/ascend/device_tasks.h"

#include <algorithm>
#include <array>
#include <set>

#include "sightline/profiler/import/chrome/json_cursor.h"

namespace sightline::profiler {
namespace {

// Calls `use` with each span of the lane.
template <typename Use>
void ForEachSpan(const Lane& lane, Use use) {
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) use(i);
}

}  // namespace

bool TaskComputes(std::string_view task_type, std::string_view name) {
  constexpr std::array<std::string_view, 6> kComputing = {"AI_CORE", "AI_VECTOR_CORE", "MIX_AIC",
                                                          "MIX_AIV", "AI_CPU",         "DSA_SQE"};
  constexpr std::array<std::string_view, 12> kOtherNames = {
      "EVENT_",   "NOTIFY_",     "Notify ",     "MEMCPY",       "MEMSET_ASYNC", "SDMA",
      "PCIE_DMA", "Write Value", "WRITE_VALUE", "PLACE_HOLDER", "Memcpy",       "hcom_"};
  if (std::find(kComputing.begin(), kComputing.end(), task_type) != kComputing.end()) return true;
  if (!task_type.empty() && task_type != "Other" && task_type != "N/A") return false;
  return std::none_of(kOtherNames.begin(), kOtherNames.end(),
                      [&](std::string_view start) { return name.starts_with(start); });
}

void ClassifyDeviceTasks(Model& model) {
  std::set<NameId> with_groups;  // Processes.
  for (const Lane& lane : model.lanes) {
    if (model.names[lane.thread_name].starts_with("Group ")) with_groups.insert(lane.process);
  }
  for (const Lane& lane : model.lanes) {
    if (lane.kinds_known) continue;
    const std::string_view process = model.names[lane.process_name];
    const bool is_plane =
        model.names[lane.thread_name].starts_with("Plane ") && with_groups.contains(lane.process);
    if (is_plane)
      ForEachSpan(lane, [&](std::size_t i) { model.spans.kind[i] = SpanKind::kRuntime; });
    if (process != "Ascend Hardware") continue;
    ForEachSpan(lane, [&](std::size_t i) {
      const std::string_view type = JsonField(model.names[model.spans.detail[i]], "Task Type");
      const bool computes = TaskComputes(type, model.names[model.spans.name[i]]);
      SpanKind& kind = model.spans.kind[i];
      if (computes) kind = SpanKind::kKernel;
      if (!computes && kind != SpanKind::kCommunication) kind = SpanKind::kRuntime;
    });
  }
}

}  // namespace sightline::profiler
