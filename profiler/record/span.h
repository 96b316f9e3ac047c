// Records where a program's time goes: spans, instants, counters, steps and operators.
//
//   void TrainStep() {
//     SIGHTLINE_SPAN("forward");  // Until the end of the scope.
//     ...
//   }
//   for (std::int64_t i = 1; i <= steps; ++i) {
//     tracing::StepScope step(i);
//     TrainStep();
//   }
//
// Without a running profile (ProfileRecorder::Start, profile_recorder.h), a span costs less than a
// nanosecond. In a profile, an event is written to a ring of the calling thread, without a lock, an
// allocation or a system call; the exceptions are a thread's first event, and looking up a name by
// its text. If the writer falls behind, events are dropped and counted; with a span, all that is
// within it. No call fails. A forked child records nothing until it starts a profile of its own.
//
// The spans of a thread nest: an end ends the last span of its thread that is open. Every function
// may be called from any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "sightline/profiler/record/names.h"
#include "sightline/profiler/record/thread_events.h"

namespace sightline::tracing {

// The profile's clock, CLOCK_MONOTONIC, in nanoseconds; for RecordOperator.
inline std::int64_t NowNanos() { return MonotonicNanos(); }

// Connects events by an arrow, across threads, too. All events with the same `id`, which the
// program chooses, are on the arrow, in the order of their times. `last`: the arrow ends here, and
// the id may be used again.
struct Flow {
  std::uint64_t id = 0;
  bool last = false;
};

// Begins a span on this thread. Returns the number of the profile it belongs to, for EndSpan; 0 if
// none is running.
inline Session BeginSpan(NameId name, Category category = Category::kNone) {
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr) return 0;
  if (events->dropped_open != 0 || !events->HasRoom(2)) [[unlikely]] {
    if (events->dropped_open != 0) events->Drop();
    ++events->dropped_open;
    return events->session;
  }
  const std::uint64_t ticks = ReadTicks();
  events->Put(ticks, EventHead{name, EventKind::kSpanBegin, category}.Packed());
  ++events->open;
  events->Publish();
  return events->session;
}

// Ends the last open span of this thread. `session`: what BeginSpan returned. Does nothing if that
// profile has ended, so that a span never ends in another profile than the one it began in.
inline void EndSpan(Session session) {
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

// Begins a span to or from which an arrow leads.
Session BeginSpan(NameId name, Flow flow, Category category = Category::kNone);

// Records a moment.
void RecordInstant(NameId name, Category category = Category::kNone);
void RecordInstant(NameId name, Flow flow);
// Records the value of a counter from now on. A name is one counter in the whole process.
void RecordCounter(NameId name, double value);

// Begins step `number` of the training on this thread. It ends with EndStep, or with the next
// BeginStep of the thread.
void BeginStep(std::int64_t number);
void EndStep();

// One execution of an operator, which the program has measured itself.
struct OperatorRun {
  std::string_view type;         // "Conv2D"
  std::string_view full_name;    // "Default/network/conv1/Conv2D-op12"
  std::int64_t start_nanos = 0;  // NowNanos.
  std::int64_t end_nanos = 0;    // If it is before `start_nanos`, it is taken as `start_nanos`.
  std::string_view shapes = {};  // In the form to be shown: "(32, 1, 8, 8) (16, 1, 3, 3)".
  double flops = 0;              // Floating-point operations; 0: unknown.
};
// Call it after the operator has ended, on the thread that ran it. At most 4,096 bytes of each text
// are recorded.
void RecordOperator(const OperatorRun& run);

// Sets the thread's name for the whole profile, at most 255 bytes of it. Without a call, it is the
// name that the kernel has when the thread records its first event.
void NameThisThread(std::string_view name);

// A span until the end of the scope.
class [[nodiscard]] Span {
 public:
  explicit Span(NameId name, Category category = Category::kNone)
      : session_(BeginSpan(name, category)) {}
  explicit Span(NameSite& site, Category category = Category::kNone)
      : session_(Recording() == 0 ? 0 : BeginSpan(site.id(), category)) {}
  Span(NameId name, Flow flow, Category category = Category::kNone)
      : session_(BeginSpan(name, flow, category)) {}
  ~Span() {
    if (session_ != 0) EndSpan(session_);
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  Session session_;
};

// A step until the end of the scope.
class [[nodiscard]] StepScope {
 public:
  explicit StepScope(std::int64_t number) { BeginStep(number); }
  ~StepScope() { EndStep(); }
  StepScope(const StepScope&) = delete;
  StepScope& operator=(const StepScope&) = delete;
};

}  // namespace sightline::tracing

#define SIGHTLINE_TRACING_CONCAT2_(a, b) a##b
#define SIGHTLINE_TRACING_CONCAT_(a, b) SIGHTLINE_TRACING_CONCAT2_(a, b)
#define SIGHTLINE_SPAN_OF_(category, name)                                                   \
  static constinit ::sightline::tracing::NameSite SIGHTLINE_TRACING_CONCAT_(sightline_name_, \
                                                                            __LINE__)(name); \
  const ::sightline::tracing::Span SIGHTLINE_TRACING_CONCAT_(sightline_span_, __LINE__)(     \
      SIGHTLINE_TRACING_CONCAT_(sightline_name_, __LINE__), category)

// Makes the rest of the block the span `name`, a string literal. It expands to two declarations, so
// put it in braces, even if it is alone in a loop's body.
#define SIGHTLINE_SPAN(name) SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kNone, name)
// The same for time spent on waiting for the next batch, and on exchanging with other ranks.
#define SIGHTLINE_DATA_SPAN(name) SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kData, name)
#define SIGHTLINE_COMMUNICATION_SPAN(name) \
  SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kCommunication, name)
