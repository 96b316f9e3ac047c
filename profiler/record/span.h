// Records where a program's time goes: spans, instants, counters, steps and operators.
//
//   void TrainStep() {
//     SIGHTLINE_SPAN("forward");  // Until the end of the scope.
//     ...
//   }
//   for (std::int64_t i = 1; i <= steps; ++i) {
//     profiler::StepScope step(i);
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

#include <atomic>
#include <cstdint>
#include <string_view>

#include "sightline/profiler/record/names.h"

namespace sightline::profiler {

// The number of a profile; 0: none. No two profiles of a process have the same number.
using Session = std::uint32_t;

namespace internal {
// The running profile. It is here so that a span of a program that is not profiled costs one load.
extern std::atomic<Session> running_session;
}  // namespace internal

// The number of the running profile; 0: none.
inline Session Recording() { return internal::running_session.load(std::memory_order_relaxed); }

// The profile's clock, CLOCK_MONOTONIC, in nanoseconds; for RecordOperator. It is also that of
// std::chrono::steady_clock and of Python's time.monotonic_ns().
std::int64_t NowNanos();

// The use of a span's time. It is written as the event's category.
enum class Category : std::uint8_t { kNone, kData, kCommunication, kOperator, kQueue };

// Connects events by an arrow, across threads, too. All events with the same `id`, which the
// program chooses, are on the arrow, in the order of their times. `last`: the arrow ends here, and
// the id may be used again.
struct Flow {
  std::uint64_t id = 0;
  bool last = false;
};

// Begins a span on this thread. Returns the number of the profile it belongs to, for EndSpan; 0 if
// none is running.
Session BeginSpan(EventName name, Category category = Category::kNone);
// Begins a span to or from which an arrow leads.
Session BeginSpan(EventName name, Flow flow, Category category = Category::kNone);

// Ends the last open span of this thread. `session`: what BeginSpan returned. Does nothing if that
// profile has ended, so that a span never ends in another profile than the one it began in.
void EndSpan(Session session);

// Records a moment.
void RecordInstant(EventName name, Category category = Category::kNone);
void RecordInstant(EventName name, Flow flow);
// Records the value of a counter from now on. A name is one counter in the whole process.
void RecordCounter(EventName name, double value);

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
  explicit Span(EventName name, Category category = Category::kNone)
      : session_(Recording() == 0 ? 0 : BeginSpan(name, category)) {}
  explicit Span(NameSite& site, Category category = Category::kNone)
      : session_(Recording() == 0 ? 0 : BeginSpan(site.name(), category)) {}
  Span(EventName name, Flow flow, Category category = Category::kNone)
      : session_(Recording() == 0 ? 0 : BeginSpan(name, flow, category)) {}
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

}  // namespace sightline::profiler

#define SIGHTLINE_SPAN_CONCAT2_(a, b) a##b
#define SIGHTLINE_SPAN_CONCAT_(a, b) SIGHTLINE_SPAN_CONCAT2_(a, b)
#define SIGHTLINE_CATEGORY_SPAN_(category, name)                                           \
  static constinit ::sightline::profiler::NameSite SIGHTLINE_SPAN_CONCAT_(sightline_name_, \
                                                                          __LINE__)(name); \
  const ::sightline::profiler::Span SIGHTLINE_SPAN_CONCAT_(sightline_span_, __LINE__)(     \
      SIGHTLINE_SPAN_CONCAT_(sightline_name_, __LINE__), category)

// Makes the rest of the block the span `name`, a string literal. It expands to two declarations, so
// put it in braces, even if it is alone in a loop's body.
#define SIGHTLINE_SPAN(name) SIGHTLINE_CATEGORY_SPAN_(::sightline::profiler::Category::kNone, name)
// The same for time spent on waiting for the next batch, and on exchanging with other ranks.
#define SIGHTLINE_DATA_SPAN(name) \
  SIGHTLINE_CATEGORY_SPAN_(::sightline::profiler::Category::kData, name)
#define SIGHTLINE_COMMUNICATION_SPAN(name) \
  SIGHTLINE_CATEGORY_SPAN_(::sightline::profiler::Category::kCommunication, name)
