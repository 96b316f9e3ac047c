#include "sightline/profiler/record/span.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/thread_events.h"
#include "sightline/profiler/record/ticks.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kMostText = 4096;
constexpr std::size_t kMostThreadName = 255;

void PutFlow(ThreadEvents& events, Flow flow) { events.Put(flow.id, flow.last ? 1 : 0); }

std::uint32_t SlotsFor(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + sizeof(Slot) - 1) / sizeof(Slot));
}

void PutText(ThreadEvents& events, std::string_view text) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(Slot)))) {
    Slot slot;
    std::memcpy(&slot, text.data(), std::min(text.size(), sizeof(slot)));
    events.Put(slot.first, slot.second);
  }
}

}  // namespace

std::int64_t NowNanos() { return MonotonicNanos(); }

Session BeginSpan(EventName name, Category category) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr) return 0;
  if (events->BeginsDropped(2)) [[unlikely]]
    return events->session;
  const std::uint64_t ticks = ReadTicks();
  events->Put(ticks, EventHead{name, EventKind::kSpanBegin, category}.Packed());
  ++events->open;
  events->Publish();
  return events->session;
}

Session BeginSpan(EventName name, Flow flow, Category category) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr) return 0;
  if (events->BeginsDropped(3)) [[unlikely]]
    return events->session;
  events->Put(ReadTicks(), EventHead{name, EventKind::kSpanBegin, category, true, 1}.Packed());
  PutFlow(*events, flow);
  ++events->open;
  events->Publish();
  return events->session;
}

void EndSpan(Session session) {
  ThreadEvents& events = this_thread;
  if (session == 0 || events.session != session) return;
  if (events.dropped_open != 0) [[unlikely]] {
    --events.dropped_open;
    return;
  }
  if (events.open == 0) return;
  const std::uint64_t ticks = ReadTicks();
  events.Put(ticks, EventHead{0, EventKind::kSpanEnd}.Packed());
  --events.open;
  events.Publish();
}

void RecordInstant(EventName name, Category category) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(1)) return;
  events->Put(ReadTicks(), EventHead{name, EventKind::kInstant, category}.Packed());
  events->Publish();
}

void RecordInstant(EventName name, Flow flow) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(2)) return;
  events->Put(ReadTicks(), EventHead{name, EventKind::kInstant, Category::kNone, true, 1}.Packed());
  PutFlow(*events, flow);
  events->Publish();
}

void RecordCounter(EventName name, double value) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(2)) return;
  events->Put(ReadTicks(),
              EventHead{name, EventKind::kCounter, Category::kNone, false, 1}.Packed());
  events->Put(std::bit_cast<std::uint64_t>(value), 0);
  events->Publish();
}

void BeginStep(std::int64_t number) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(3)) return;
  events->Put(ReadTicks(), EventHead{0, EventKind::kStepBegin, Category::kNone, false, 1}.Packed());
  events->Put(static_cast<std::uint64_t>(number), 0);
  if (!events->in_step) ++events->open;
  events->in_step = true;
  events->Publish();
}

void EndStep() {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->in_step) return;
  events->Put(ReadTicks(), EventHead{0, EventKind::kStepEnd}.Packed());
  --events->open;
  events->in_step = false;
  events->Publish();
}

void RecordOperator(const OperatorRun& run) {
  const std::string_view type = run.type.substr(0, kMostText);
  const std::string_view name = run.full_name.substr(0, kMostText);
  const std::string_view shapes = run.shapes.substr(0, kMostText);
  const std::uint32_t more =
      2 + SlotsFor(type.size()) + SlotsFor(name.size()) + SlotsFor(shapes.size());
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(1 + more)) return;
  events->Put(ReadTicks(),
              EventHead{0, EventKind::kOperator, Category::kOperator, false, more}.Packed());
  events->Put(static_cast<std::uint64_t>(run.start_nanos),
              static_cast<std::uint64_t>(std::max(run.start_nanos, run.end_nanos)));
  events->Put(std::bit_cast<std::uint64_t>(run.flops),
              type.size() | name.size() << 16U | std::uint64_t{shapes.size()} << 32U);
  PutText(*events, type);
  PutText(*events, name);
  PutText(*events, shapes);
  events->Publish();
}

void NameThisThread(std::string_view name) {
  name = name.substr(0, kMostThreadName);
  const std::uint32_t more = 1 + SlotsFor(name.size());
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(1 + more)) return;
  events->Put(ReadTicks(),
              EventHead{0, EventKind::kThreadName, Category::kNone, false, more}.Packed());
  events->Put(name.size(), 0);
  PutText(*events, name);
  events->Publish();
}

}  // namespace sightline::profiler
