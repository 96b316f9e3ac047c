// Recording where time goes: spans, instants, counters, steps, operators, from any thread.
//
//   void TrainStep() {
//     SIGHTLINE_SPAN("forward");           // Until the end of the scope.
//     ...
//   }
//   for (std::int64_t i = 1; i <= steps; ++i) {
//     tracing::StepScope step(i);
//     TrainStep();
//   }
//
// While no profile runs (ProfileRecorder::Start, profile.h) each of these costs less than a
// nanosecond. In a profile an event is two words in a ring of the calling thread's: no lock, no
// allocation, no system call, except for a thread's first event, and where a name is asked for by
// its text. Where the writer does not keep up, events are dropped and counted, spans with all that
// is within them. Nothing fails. A forked child records nothing.
//
// Spans of one thread nest: an end belongs to the last open begin of its thread. Every function may
// be called from any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "sightline/profiler/record/names.h"
#include "sightline/profiler/record/thread_events.h"

namespace sightline::tracing {

// Nanoseconds of the profile's clock, CLOCK_MONOTONIC, for RecordOperator.
inline std::int64_t NowNanos() { return MonotonicNanos(); }

// Joins events of the same `id`, a number of the program's choice, by an arrow in the order of
// their times, across threads too. `last`: the arrow ends here, and the id may be used again.
struct Flow {
  std::uint64_t id = 0;
  bool last = false;
};

// Returns the profile that the span belongs to, for EndSpan; 0: none.
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

// Ends the last open span of this thread. `session`: what BeginSpan returned; ignored where that
// profile is over, so that a span never ends in another profile than it began in.
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

// A span that an arrow goes to or comes from.
Session BeginSpan(NameId name, Flow flow, Category category = Category::kNone);

// A moment.
void RecordInstant(NameId name, Category category = Category::kNone);
void RecordInstant(NameId name, Flow flow);
// The value of a counter from now on; one counter a name in the process.
void RecordCounter(NameId name, double value);

// Step `number` of the training begins on this thread, and ends with EndStep or with the next
// BeginStep of the thread.
void BeginStep(std::int64_t number);
void EndStep();

// One execution of an operator that the program has measured itself: when it has ended, on the
// thread that ran it.
struct OperatorRun {
  std::string_view type;         // "Conv2D"
  std::string_view full_name;    // "Default/network/conv1/Conv2D-op12"
  std::int64_t start_nanos = 0;  // NowNanos.
  std::int64_t end_nanos = 0;    // Not before `start_nanos`; else it counts as equal to it.
  std::string_view shapes = {};  // As the reader is to see them: "(32, 1, 8, 8) (16, 1, 3, 3)".
  double flops = 0;              // 0: unknown.
};
// Of each text at most the first 4,096 bytes are recorded.
void RecordOperator(const OperatorRun& run);

// The thread's name in the profile from its beginning on, at most 255 bytes of it; without it, the
// one that the kernel has when the thread records its first event.
void NameThisThread(std::string_view name);

// Until the end of the scope.
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

// The rest of the block is the span `name`, a string literal. Two declarations: a block of their
// own where a loop has none.
#define SIGHTLINE_SPAN(name) SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kNone, name)
// Waiting for the next batch; exchanging with other ranks.
#define SIGHTLINE_DATA_SPAN(name) SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kData, name)
#define SIGHTLINE_COMMUNICATION_SPAN(name) \
  SIGHTLINE_SPAN_OF_(::sightline::tracing::Category::kCommunication, name)
