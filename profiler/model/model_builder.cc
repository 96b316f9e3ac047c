#include "sightline/profiler/model/model_builder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "sightline/base/parallel.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kExampleBytes = 160;
// From this many spans on, columns are sorted in parallel.
constexpr std::size_t kManySpans = 100'000;
// Reasons are our own texts, so more than this many are a mistake of ours, not of the file.
constexpr std::size_t kMaxReasons = 64;

// Sets the lanes' ranges, and returns where each span goes: ordered by lane, then by time.
ColumnVector<std::uint32_t> SortedOrder(const Spans& spans, std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) lane.count = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    ++lanes[static_cast<std::uint32_t>(spans.lane[i])].count;
  }
  std::size_t first = 0;
  std::vector<std::size_t> next(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i].first = next[i] = first;
    first += lanes[i].count;
  }
  ColumnVector<std::uint32_t> order(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    order[next[static_cast<std::uint32_t>(spans.lane[i])]++] = static_cast<std::uint32_t>(i);
  }
  std::size_t compared = 0;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    MemoryLimit::Keep(compared++);
    if (spans.start[a] != spans.start[b]) return spans.start[a] < spans.start[b];
    return spans.duration[a] > spans.duration[b];
  };
  for (const Lane& lane : lanes) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(lane.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(lane.count);
    if (!std::is_sorted(begin, end, before)) std::stable_sort(begin, end, before);
  }
  return order;
}

bool IsSorted(const ColumnVector<std::uint32_t>& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    MemoryLimit::Keep(i);
    if (order[i] < order[i - 1]) return false;
  }
  return true;
}

// `spare` receives the column's old memory; one spare for all columns of a type saves most
// allocations. Many columns have the same value throughout, such as no detail.
template <typename Column, typename Order>
void Reorder(Column& column, const Order& order, Column& spare) {
  const bool is_uniform = std::all_of(column.begin(), column.end(), [&](const auto& each) {
    MemoryLimit::Keep(static_cast<std::size_t>(&each - column.data()));
    return each == column.front();
  });
  if (is_uniform) return;
  spare.clear();
  spare.reserve(column.size());
  for (const std::uint32_t from : order) {
    MemoryLimit::Keep(spare.size());
    spare.push_back(column[from]);
  }
  column.swap(spare);
}

void SortSpans(Spans& spans, std::vector<Lane>& lanes) {
  const ColumnVector<std::uint32_t> order = SortedOrder(spans, lanes);
  if (IsSorted(order)) return;
  const auto times = [&] {
    ColumnVector<std::int64_t> spare;
    Reorder(spans.start, order, spare);
    Reorder(spans.duration, order, spare);
  };
  const auto names = [&] {
    ColumnVector<NameId> spare;
    Reorder(spans.name, order, spare);
    Reorder(spans.type, order, spare);
    Reorder(spans.category, order, spare);
    Reorder(spans.detail, order, spare);
  };
  const auto others = [&] {
    ColumnVector<LaneId> ids;
    Reorder(spans.lane, order, ids);
    ColumnVector<SpanKind> kinds;
    Reorder(spans.kind, order, kinds);
  };
  const std::array<std::function<void()>, 3> parts = {names, times, others};
  const unsigned threads = spans.size() >= kManySpans ? parts.size() : 1;
  ForEachInParallel(parts.size(), threads, [&](std::size_t part) { parts.at(part)(); });
}

// A span is below those that began before it and have not ended.
void FindDepths(Spans& spans, Lane& lane) {
  std::vector<std::int64_t> ends;
  std::size_t depths = 0;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    while (!ends.empty() && ends.back() <= spans.start[i]) ends.pop_back();
    spans.depth[i] = static_cast<std::uint16_t>(std::min<std::size_t>(ends.size(), kMaxDepth - 1));
    ends.push_back(spans.end(i));
    depths = std::max(depths, ends.size());
  }
  lane.depths = static_cast<std::uint16_t>(std::min<std::size_t>(depths, kMaxDepth));
}

void SortCounter(Counter& counter) {
  if (std::is_sorted(counter.time.begin(), counter.time.end())) return;
  ColumnVector<std::uint32_t> order(counter.time.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return counter.time[a] < counter.time[b];
  });
  ColumnVector<std::int64_t> times;
  Reorder(counter.time, order, times);
  ColumnVector<double> values;
  Reorder(counter.value, order, values);
}

}  // namespace

LaneId ModelBuilder::AddLane(std::string_view process, std::string_view thread) {
  const NameId process_id = Intern(process);
  const NameId thread_id = Intern(thread);
  const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(process_id)} << 32U |
                            static_cast<std::uint32_t>(thread_id);
  const auto [found, added] =
      lane_ids_.try_emplace(key, LaneId{static_cast<std::uint32_t>(model_.lanes.size())});
  if (added) {
    Lane lane;
    lane.process = process_id;
    lane.thread = thread_id;
    model_.lanes.push_back(lane);
  }
  return found->second;
}

void ModelBuilder::NameProcess(std::string_view process, std::string_view name) {
  processes_[static_cast<std::uint32_t>(Intern(process))].name = Intern(name);
}

void ModelBuilder::LabelProcess(std::string_view process, std::string_view labels) {
  processes_[static_cast<std::uint32_t>(Intern(process))].labels = Intern(labels);
}

void ModelBuilder::SortProcess(std::string_view process, std::int64_t index) {
  processes_[static_cast<std::uint32_t>(Intern(process))].sort = index;
}

void ModelBuilder::ReserveSpans(std::uint64_t count) {
  // A file without spans may be large.
  constexpr std::uint64_t kMost = std::uint64_t{16} << 20U;
  spans_.Reserve(static_cast<std::size_t>(std::min(count, kMost)));
}

bool ModelBuilder::AddSpan(const NewSpan& span) {
  if (span.duration < 0 || !IsTime(span.start) || !IsTime(span.duration)) return false;
  if (!IsTime(span.start + span.duration)) return false;
  has_steps_ = has_steps_ || span.kind == SpanKind::kStep;
  spans_.Add(span);
  return true;
}

void ModelBuilder::AddCounter(LaneId lane, NameId name, std::int64_t time, double value) {
  const auto [found, added] = counter_ids_.try_emplace(
      {static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(name)}, model_.counters.size());
  if (added) {
    model_.counters.emplace_back();
    model_.counters.back().name = name;
    model_.counters.back().lane = lane;
  }
  Counter& counter = model_.counters[found->second];
  counter.time.push_back(time);
  counter.value.push_back(value);
}

void ModelBuilder::AddAttribute(std::string_view key, std::string_view text) {
  model_.attributes.emplace_back(key, text);
}

bool ModelBuilder::HasAttribute(std::string_view key) const {
  return std::any_of(model_.attributes.begin(), model_.attributes.end(),
                     [&](const auto& one) { return one.first == key; });
}

void ModelBuilder::NotUnderstand(std::string_view reason, std::string_view example,
                                 std::uint64_t events) {
  model_.events_in += events;
  auto& reasons = model_.not_understood;
  const auto found = std::find_if(reasons.begin(), reasons.end(),
                                  [&](const NotUnderstood& one) { return one.reason == reason; });
  if (found != reasons.end()) {
    found->count += events;
  } else if (reasons.size() < kMaxReasons) {
    reasons.push_back({std::string(reason), events, std::string(example.substr(0, kExampleBytes))});
  } else {
    reasons.back().count += events;
  }
}

Model ModelBuilder::Finish() && {
  model_.spans = spans_.Take();
  SortSpans(model_.spans, model_.lanes);
  model_.spans.depth.resize(model_.spans.size());
  for (Lane& lane : model_.lanes) {
    FindDepths(model_.spans, lane);
    const auto found = processes_.find(static_cast<std::uint32_t>(lane.process));
    if (found == processes_.end()) continue;
    lane.process_name = found->second.name;
    lane.labels = found->second.labels;
    lane.process_sort = found->second.sort;
  }
  for (Counter& counter : model_.counters) SortCounter(counter);
  return std::move(model_);
}

}  // namespace sightline::profiler
