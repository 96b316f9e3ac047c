// TraceSink: encodes events in one file format. The writer passes the events of each thread in the
// order in which the thread recorded them; the sink appends their bytes to `out`, from where the
// writer moves them to the file. For one thread, the writer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/span.h"

namespace sightline::tracing {

// One decoded event. The members that its kind does not have keep these values.
struct TraceEvent {
  EventHead head;
  std::int64_t nanos = 0;
  Flow flow;
  double value = 0;          // kCounter.
  std::int64_t number = 0;   // kStepBegin: the step. kQueue: its capacity; 0: none.
  std::int64_t workers = 0;  // kQueue.
  NameId parent = 0;         // kQueue.
  OperatorRun run;           // kOperator.
  std::string_view text;     // kThreadName.
};

// The process and its clocks, read at one instant.
struct TraceStart {
  int process_id = 0;
  std::string process_name;
  std::int64_t monotonic_nanos = 0;
  std::int64_t boot_nanos = 0;
  std::int64_t wall_nanos = 0;  // Since the Unix epoch.
};

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void Start(const TraceStart& start) = 0;
  // Threads are numbered from 0, without a gap. `nanos`: not later than the thread's first event.
  virtual void AddThread(std::size_t thread, int thread_id, const std::string& name,
                         std::int64_t nanos) = 0;
  virtual void Add(std::size_t thread, const TraceEvent& event) = 0;
  virtual void Finish() = 0;

  std::string out;
};

std::unique_ptr<TraceSink> MakePerfettoSink();
std::unique_ptr<TraceSink> MakeChromeSink();

}  // namespace sightline::tracing
