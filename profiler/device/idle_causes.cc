#include "sightline/profiler/device/idle_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace sightline::profiler {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool IsCompilation(std::string_view name) { return Has(name, "ompile"); }

// The calls of a kind: when, and by name.
class Calls {
 public:
  void Add(NameId name, std::int64_t start, std::int64_t end) {
    when_.push_back({start, end});
    auto& [time, count] = by_name_[name];
    time = AddTimes(time, end - start);
    ++count;
  }
  Intervals Merged() const {
    Intervals merged = when_;
    Merge(merged);
    return merged;
  }
  std::string Longest(const Model& model) const {
    const auto longest = std::max_element(
        by_name_.begin(), by_name_.end(),
        [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    const auto& [time, count] = longest->second;
    return fmt::format("{}, {} {}, {:.2f} ms", model.names[longest->first], count,
                       count == 1 ? "call" : "calls", static_cast<double>(time) / 1e6);
  }
  bool empty() const { return when_.empty(); }

 private:
  Intervals when_;
  std::map<NameId, std::pair<std::int64_t, std::size_t>> by_name_;
};

std::int64_t Meanwhile(const Intervals& calls, const Cover& idle) {
  std::int64_t time = 0;
  for (const auto& call : calls) time = AddTimes(time, idle.Within(call.from, call.to));
  return time;
}

// The idle times in which, or at whose begin, a call returned.
std::int64_t AfterReturns(const Intervals& calls, const Intervals& idle) {
  std::int64_t time = 0;
  std::size_t call = 0;
  for (const auto& gap : idle) {
    while (call < calls.size() && calls[call].to < gap.from) ++call;
    if (call < calls.size() && calls[call].to <= gap.to) time = AddTimes(time, gap.to - gap.from);
  }
  return time;
}

}  // namespace

bool ReadsValue(std::string_view name) {
  return name == "aten::item" || name == "aten::_local_scalar_dense" || name == "aten::is_nonzero";
}

bool WaitsForDevice(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts = {"ynchronizeStream",  "ynchronizeDevice",
                                                      "ynchronizeEvent",   "StreamSynchronize",
                                                      "DeviceSynchronize", "EventSynchronize"};
  return ReadsValue(name) || std::any_of(kParts.begin(), kParts.end(),
                                         [&](std::string_view part) { return Has(name, part); });
}

bool CollectsGarbage(std::string_view name) {
  return name == "GC" || name == "Garbage collection" || Has(name, "gc.collect");
}

std::vector<IdleCause> FindIdleCauses(const Model& model, const Intervals& idle) {
  Calls waits;
  Calls compilations;
  Calls collections;
  for (const Lane& lane : model.lanes) {
    if (lane.kind != LaneKind::kThread) continue;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      if (model.spans.kind[i] == SpanKind::kPython || model.spans.kind[i] == SpanKind::kStep)
        continue;
      const NameId id = model.spans.name[i];
      const std::string_view name = model.names[id];
      Calls* const calls = WaitsForDevice(name)    ? &waits
                           : IsCompilation(name)   ? &compilations
                           : CollectsGarbage(name) ? &collections
                                                   : nullptr;
      if (calls != nullptr) calls->Add(id, model.spans.start[i], model.spans.end(i));
    }
  }
  const Cover cover(idle);
  std::vector<IdleCause> causes;
  if (!compilations.empty()) {
    causes.push_back({"the host compiled operators", compilations.Longest(model),
                      "fixed shapes, or no compilation at run time "
                      "(torch.npu.set_compile_mode(jit_compile=False)), and a warm-up before "
                      "profiling",
                      Meanwhile(compilations.Merged(), cover)});
  }
  if (!collections.empty()) {
    causes.push_back({"the host collected garbage", collections.Longest(model),
                      std::string(kCollectLess), Meanwhile(collections.Merged(), cover)});
  }
  if (!waits.empty()) {
    causes.push_back({"the host had waited for the device", waits.Longest(model),
                      std::string(kWaitLess), AfterReturns(waits.Merged(), cover.intervals())});
  }
  causes.erase(std::remove_if(causes.begin(), causes.end(),
                              [](const IdleCause& cause) { return cause.time == 0; }),
               causes.end());
  std::stable_sort(causes.begin(), causes.end(),
                   [](const IdleCause& a, const IdleCause& b) { return a.time > b.time; });
  return causes;
}

}  // namespace sightline::profiler
