#include "sightline/profiler/analysis/memory.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/ascii.h"

namespace sightline::profiler {
namespace {

bool IsMemory(std::string_view name) { return ContainsIgnoringCase(name, "memory"); }

using Holders = std::map<std::pair<NameId, std::uint32_t>, MemoryPeak::Holder>;

std::vector<MemoryPeak::Holder> Sorted(const Profile& profile, Holders& holders) {
  std::vector<MemoryPeak::Holder> sorted;
  for (auto& [key, holder] : holders) {
    holder.name = profile.model.names[key.first];
    holder.stack = key.second;
    sorted.push_back(std::move(holder));
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const MemoryPeak::Holder& a, const MemoryPeak::Holder& b) { return a.bytes > b.bytes; });
  return sorted;
}

MemoryPeak FindPeak(const Profile& profile, NameId device, std::size_t count) {
  std::vector<std::pair<std::int64_t, double>> changes;
  changes.reserve(2 * count);  // There may be millions.
  for (const Allocation& one : profile.allocations) {
    if (one.device != device) continue;
    changes.emplace_back(one.time, one.bytes);
    if (one.released) changes.emplace_back(*one.released, -one.bytes);
  }
  // At the same time, releases come before allocations.
  std::sort(changes.begin(), changes.end());
  MemoryPeak peak;
  peak.device = profile.model.names[device];
  double held = 0;
  for (const auto& [time, bytes] : changes) {
    held += bytes;
    if (held <= peak.bytes) continue;
    peak.bytes = held;
    peak.time = time;
  }
  Holders holders;
  for (const Allocation& one : profile.allocations) {
    if (one.device != device || one.time > peak.time) continue;
    if (one.released && *one.released <= peak.time) continue;
    MemoryPeak::Holder& holder = holders[{one.name, one.stack}];
    holder.bytes += one.bytes;
    ++holder.allocations;
  }
  peak.holders = Sorted(profile, holders);
  return peak;
}

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

std::vector<MemoryPeak> FindMemoryPeaks(const Profile& profile) {
  std::vector<std::pair<NameId, std::size_t>> devices;  // With the numbers of their allocations.
  for (const Allocation& one : profile.allocations) {
    // Those of a device mostly follow each other.
    auto place = devices.empty() || devices.back().first != one.device
                     ? std::find_if(devices.begin(), devices.end(),
                                    [&](const auto& known) { return known.first == one.device; })
                     : std::prev(devices.end());
    if (place == devices.end()) place = devices.insert(place, {one.device, 0});
    ++place->second;
  }
  std::vector<MemoryPeak> peaks;
  peaks.reserve(devices.size());
  for (const auto& [device, count] : devices) peaks.push_back(FindPeak(profile, device, count));
  return peaks;
}

}  // namespace sightline::profiler
