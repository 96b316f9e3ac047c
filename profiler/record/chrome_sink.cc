// Chrome's trace event format as a bare array, which its readers take unterminated too: the file is
// whole behind each line. Source: "Trace Event Format",
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sightline/base/json_text.h"
#include "sightline/profiler/record/trace_sink.h"

namespace sightline::tracing {
namespace {

std::string_view CategoryText(Category category) {
  switch (category) {
    case Category::kNone:
      return "span";
    case Category::kData:
      return "data";
    case Category::kCommunication:
      return "communication";
    case Category::kOperator:
      return "operator";
    case Category::kQueue:
      return "queue";
  }
  return "";
}

class ChromeSink final : public TraceSink {
 public:
  void Start(const TraceStart& start) override {
    process_id_ = start.process_id;
    out += "[\n";
    Meta("process_name", 0, start.process_name);
    // What the times mean; no field of the format says it.
    Begin('M', "clock_anchor", start.process_id);
    fmt::format_to(std::back_inserter(out),
                   ",\"args\":{{\"monotonic_nanos\":{},\"wall_nanos\":{}}}", start.monotonic_nanos,
                   start.wall_nanos);
    End();
  }

  void AddThread(std::size_t thread, int thread_id, const std::string& name,
                 std::int64_t /*nanos*/) override {
    threads_.resize(std::max(threads_.size(), thread + 1));
    threads_[thread].id = thread_id;
    Meta("thread_name", thread_id, name);
  }

  void Add(std::size_t index, const TraceEvent& event) override;

  void Finish() override {
    // JSON has no comma behind the last one.
    out += "{\"ph\":\"M\",\"name\":\"end\",\"pid\":" + std::to_string(process_id_) + "}\n]\n";
  }

 private:
  struct Thread {
    int id = 0;
    bool in_step = false;
    std::int64_t step = 0;
    std::int64_t step_nanos = 0;
    std::int64_t begin_nanos = -1;  // Of the span that began last.
    std::int64_t last_nanos = 0;    // Of the last begin or end.
  };

  // Perfetto's reader puts an end before a begin of the same time, wherever they stand in the file,
  // and so ends another span. An end therefore is at least a nanosecond after the last begin, also
  // where the clock did not move between them; no later begin or end is before it.
  static std::int64_t BeginTime(Thread& thread, std::int64_t nanos) {
    thread.last_nanos = std::max(nanos, thread.last_nanos);
    return thread.begin_nanos = thread.last_nanos;
  }
  static std::int64_t EndTime(Thread& thread, std::int64_t nanos) {
    return thread.last_nanos = std::max({nanos, thread.last_nanos, thread.begin_nanos + 1});
  }

  void Begin(char phase, std::string_view name, int thread_id) {
    fmt::format_to(std::back_inserter(out),
                   "{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"name\":", phase, process_id_,
                   thread_id);
    AppendJsonText(name, out);
  }
  // The format counts in microseconds.
  void Time(std::string_view key, std::int64_t nanos) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":{}.{:03}", key, nanos / 1000, nanos % 1000);
  }
  void CategoryOf(std::string_view text) {
    fmt::format_to(std::back_inserter(out), ",\"cat\":\"{}\"", text);
  }
  void End() { out += "},\n"; }

  void Meta(std::string_view kind, int thread_id, std::string_view name) {
    Begin('M', kind, thread_id);
    out += ",\"args\":{\"name\":";
    AppendJsonText(name, out);
    out += '}';
    End();
  }
  void FlowOf(const Thread& thread, const TraceEvent& event, std::int64_t nanos);
  void EndStep(Thread& thread, std::int64_t nanos);
  void AddOperator(const Thread& thread, const OperatorRun& run);
  void AddQueue(const Thread& thread, const TraceEvent& event);

  int process_id_ = 0;
  std::vector<Thread> threads_;
  std::unordered_set<std::uint64_t> open_flows_;
};

// Arrows are events of their own: a start, and steps or an end that bind to the slice around them.
void ChromeSink::FlowOf(const Thread& thread, const TraceEvent& event, std::int64_t nanos) {
  if (!event.head.has_flow) return;
  char phase = open_flows_.insert(event.flow.id).second ? 's' : 't';
  if (event.flow.last) {
    phase = 'f';
    open_flows_.erase(event.flow.id);
  }
  Begin(phase, "flow", thread.id);
  CategoryOf("flow");
  Time("ts", nanos);
  fmt::format_to(std::back_inserter(out), ",\"id\":\"{:#x}\"{}", event.flow.id,
                 event.flow.last ? ",\"bp\":\"e\"" : "");
  End();
}

void ChromeSink::EndStep(Thread& thread, std::int64_t nanos) {
  nanos = std::max(nanos, thread.last_nanos);
  Begin('X', "step " + std::to_string(thread.step), thread.id);
  CategoryOf("step");
  Time("ts", thread.step_nanos);
  Time("dur", nanos - thread.step_nanos);
  fmt::format_to(std::back_inserter(out), ",\"args\":{{\"step\":{}}}", thread.step);
  End();
  thread.in_step = false;
}

void ChromeSink::AddOperator(const Thread& thread, const OperatorRun& run) {
  Begin('X', run.full_name, thread.id);
  CategoryOf("operator");
  Time("ts", run.start_nanos);
  Time("dur", run.end_nanos - run.start_nanos);
  out += ",\"args\":{\"type\":";
  AppendJsonText(run.type, out);
  if (!run.shapes.empty()) {
    out += ",\"shapes\":";
    AppendJsonText(run.shapes, out);
  }
  if (run.flops != 0 && std::isfinite(run.flops)) {
    fmt::format_to(std::back_inserter(out), ",\"flops\":{}", run.flops);
  }
  out += '}';
  End();
}

void ChromeSink::AddQueue(const Thread& thread, const TraceEvent& event) {
  Begin('i', NameText(event.head.name), thread.id);
  CategoryOf("queue");
  Time("ts", event.nanos);
  fmt::format_to(std::back_inserter(out),
                 ",\"s\":\"p\",\"args\":{{\"capacity\":{},\"workers\":{},\"parent\":", event.number,
                 event.workers);
  AppendJsonText(NameText(event.parent), out);
  out += '}';
  End();
}

void ChromeSink::Add(std::size_t index, const TraceEvent& event) {
  Thread& thread = threads_[index];
  switch (event.head.kind) {
    case EventKind::kSpanBegin:
    case EventKind::kInstant: {
      const bool instant = event.head.kind == EventKind::kInstant;
      const std::int64_t nanos = instant ? event.nanos : BeginTime(thread, event.nanos);
      Begin(instant ? 'i' : 'B', NameText(event.head.name), thread.id);
      CategoryOf(CategoryText(event.head.category));
      Time("ts", nanos);
      if (instant) out += ",\"s\":\"t\"";
      End();
      return FlowOf(thread, event, nanos);
    }
    case EventKind::kSpanEnd:
      Begin('E', "", thread.id);
      Time("ts", EndTime(thread, event.nanos));
      return End();
    case EventKind::kCounter:
      if (!std::isfinite(event.value)) return;  // JSON has no such number.
      Begin('C', NameText(event.head.name), thread.id);
      Time("ts", event.nanos);
      fmt::format_to(std::back_inserter(out), ",\"args\":{{\"value\":{}}}", event.value);
      return End();
    case EventKind::kStepBegin:
      if (thread.in_step) EndStep(thread, event.nanos);
      thread.in_step = true;
      thread.step = event.number;
      thread.step_nanos = event.nanos;
      return;
    case EventKind::kStepEnd:
      return EndStep(thread, event.nanos);
    case EventKind::kOperator:
      return AddOperator(thread, event.run);
    case EventKind::kThreadName:
      return Meta("thread_name", thread.id, event.text);
    case EventKind::kQueue:
      return AddQueue(thread, event);
  }
}

}  // namespace

std::unique_ptr<TraceSink> MakeChromeSink() { return std::make_unique<ChromeSink>(); }

}  // namespace sightline::tracing
