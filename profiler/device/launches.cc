#include "sightline/profiler/device/launches.h"

#include <algorithm>
#include <tuple>

#include "sightline/base/parse_number.h"

namespace sightline::profiler {

std::uint64_t CorrelationIn(std::string_view detail) {
  constexpr std::string_view kKey = "\"correlation\"";
  std::size_t at = detail.find(kKey);
  if (at == std::string_view::npos) return 0;
  at = detail.find_first_not_of(" \t\r\n:\"", at + kKey.size());
  if (at == std::string_view::npos) return 0;
  std::string_view number = detail.substr(at);
  return TakeNumber<std::uint64_t>(number).value_or(0);
}

Launches::Launches(const Model& model) : model_(model) {
  const Spans& spans = model.spans;
  for (std::size_t of = 0; of < model.lanes.size(); ++of) {
    const Lane& lane = model.lanes[of];
    if (lane.kind == LaneKind::kStream) continue;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      if (spans.kind[i] != SpanKind::kRuntime || spans.detail[i] == kNoName) continue;
      const std::uint64_t correlation = CorrelationIn(model.names[spans.detail[i]]);
      if (correlation != 0)
        calls_.push_back({correlation, spans.start[i], static_cast<LaneId>(of)});
    }
  }
  std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
    return std::tie(a.correlation, a.start) < std::tie(b.correlation, b.start);
  });
}

const Launches::Call* Launches::Of(std::size_t task) const {
  const NameId detail = model_.spans.detail[task];
  if (detail == kNoName || calls_.empty()) return nullptr;
  const std::uint64_t correlation = CorrelationIn(model_.names[detail]);
  if (correlation == 0) return nullptr;
  const auto found = std::partition_point(
      calls_.begin(), calls_.end(), [&](const Call& one) { return one.correlation < correlation; });
  return found != calls_.end() && found->correlation == correlation ? &*found : nullptr;
}

}  // namespace sightline::profiler
