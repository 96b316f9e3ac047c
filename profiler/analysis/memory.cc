#include "sightline/profiler/analysis/memory.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sightline::profile {
namespace {

bool IsMemory(std::string_view name) {
  constexpr std::string_view kWord = "memory";
  return std::search(name.begin(), name.end(), kWord.begin(), kWord.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != name.end();
}

}  // namespace

std::vector<MemoryCurve> MemoryOf(const Profile& profile) {
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

}  // namespace sightline::profile
