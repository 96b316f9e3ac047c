#include "sightline/profiler/analysis/memory.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/ascii.h"

namespace sightline::profiler {
namespace {

bool IsMemory(std::string_view name) { return ContainsIgnoringCase(name, "memory"); }

}  // namespace

std::vector<MemoryCurve> FindMemoryCurves(const Profile& profile) {
  std::vector<MemoryCurve> curves;
  for (const Counter& counter : profile.model.counters) {
    const std::string_view name = profile.model.names[counter.name];
    if (counter.value.empty() || !IsMemory(name)) continue;
    MemoryCurve curve;
    curve.name = name;
    curve.samples = &counter;
    curve.first = counter.value.front();
    curve.last = counter.value.back();
    const auto peak = std::max_element(counter.value.begin(), counter.value.end());
    curve.peak = *peak;
    curve.peak_time = counter.time[static_cast<std::size_t>(peak - counter.value.begin())];
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::optional<MemoryPeak> FindMemoryPeak(const Profile& profile) {
  if (profile.allocations.empty()) return std::nullopt;
  std::vector<std::pair<std::int64_t, double>> changes;
  for (const Allocation& one : profile.allocations) {
    changes.emplace_back(one.time, one.bytes);
    if (one.released) changes.emplace_back(*one.released, -one.bytes);
  }
  // At the same time, releases come before allocations.
  std::sort(changes.begin(), changes.end());
  MemoryPeak peak;
  double held = 0;
  for (const auto& [time, bytes] : changes) {
    held += bytes;
    if (held <= peak.bytes) continue;
    peak.bytes = held;
    peak.time = time;
  }
  std::map<NameId, MemoryPeak::Holder> holders;
  for (const Allocation& one : profile.allocations) {
    if (one.time > peak.time || (one.released && *one.released <= peak.time)) continue;
    MemoryPeak::Holder& holder = holders[one.name];
    holder.bytes += one.bytes;
    ++holder.allocations;
  }
  for (auto& [name, holder] : holders) {
    holder.name = profile.model.names[name];
    peak.holders.push_back(std::move(holder));
  }
  std::stable_sort(
      peak.holders.begin(), peak.holders.end(),
      [](const MemoryPeak::Holder& a, const MemoryPeak::Holder& b) { return a.bytes > b.bytes; });
  return peak;
}

}  // namespace sightline::profiler
