// TraceEncoder: encodes the events of a profile as packets of a Perfetto trace. The file is whole
// after each packet. Each thread is a packet sequence with names and a clock of its own: a name's
// text is in the file once a thread, and a time is the difference to the one before. For one
// thread, the writer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sightline/profiler/record/event_decode.h"
#include "sightline/profiler/trace/packet_writer.h"

namespace sightline::profiler {

// The process and its clocks, read at one instant.
struct TraceStart {
  int process_id = 0;
  std::string process_name;
  std::string process_label = {};  // "rank 11 of 16"; empty: none.
  std::int64_t monotonic_nanos = 0;
  std::int64_t boot_nanos = 0;
  std::int64_t wall_nanos = 0;  // Since the Unix epoch.
};

class TraceEncoder {
 public:
  // Packets are appended to `out`, which must outlive the encoder.
  explicit TraceEncoder(std::string& out) : packets_(out) {}

  // The beginning of the file.
  void Start(const TraceStart& start);
  // Threads are numbered from 0, without a gap. `nanos`: not later than the thread's first event.
  void AddThread(std::size_t index, int thread_id, std::string_view name, std::int64_t nanos);
  // The events of a thread, in the order in which it recorded them.
  void Add(std::size_t index, const TraceEvent& event);

 private:
  struct Thread {
    std::int64_t thread_id = 0;
    std::uint64_t uuid = 0;
    std::int64_t sequence = 0;
    std::int64_t last_nanos = 0;
    std::int64_t names = 0;                  // Interned in this sequence so far.
    std::vector<std::uint32_t> iid_of_name;  // By EventName; 0: not interned in this sequence yet.
    std::uint32_t categories = 0;            // Bits: interned in this sequence.
    bool has_step_track = false;
    bool has_operator_track = false;
    bool in_step = false;
  };

  // The tracks below a thread's, which are described when they are first used.
  std::uint64_t StepTrack(Thread& thread);
  std::uint64_t OperatorTrack(Thread& thread);
  std::uint64_t CounterTrack(EventName name);
  void Describe(const perfetto::TrackDescriptor& track);
  void DescribeThread(const Thread& thread, std::string_view name);

  void SetName(Thread& thread, EventName name);
  void SetCategory(Thread& thread, std::int64_t iid, std::string_view text);
  void SetCategory(Thread& thread, Category category);
  // Writes the event that was put together.
  void Write(Thread& thread, std::int64_t nanos);
  void WriteOnMonotonicClock(const Thread& thread, std::int64_t nanos);
  void WriteOnSequence(const Thread& thread);
  // The difference to the thread's last time. The counters of two processors may differ by a few
  // ticks, and a sequence's clock cannot go back.
  static std::int64_t Advance(Thread& thread, std::int64_t nanos);

  // False, and nothing is written, if the event needs more than a plain begin.
  bool AddPlainBegin(Thread& thread, const TraceEvent& event);
  void AddNamed(Thread& thread, perfetto::event::Type type, const TraceEvent& event);
  void AddStepBegin(Thread& thread, const TraceEvent& event);
  void AddStepEnd(Thread& thread, std::int64_t nanos);
  void AddCounter(Thread& thread, const TraceEvent& event);
  void AddOperator(Thread& thread, const OperatorRun& run);
  void AddQueue(Thread& thread, const TraceEvent& event);

  std::int64_t process_id_ = 0;
  std::uint64_t first_uuid_ = 0;  // The process's; the others count from it.
  std::vector<Thread> threads_;
  std::unordered_set<EventName> counters_;
  perfetto::PacketWriter packets_;
};

}  // namespace sightline::profiler
