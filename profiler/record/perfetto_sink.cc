// Perfetto's trace: a protobuf message Trace whose packets are appended one by one, so that the
// file is whole after each. Further field numbers: track_event/track_descriptor.proto and
// clock_snapshot.proto in protos/perfetto/trace of https://github.com/google/perfetto. Each thread
// is a packet sequence with names and a clock of its own: names stand in the file once a thread,
// and a time is the difference to the one before.
#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sightline/base/perfetto_fields.h"
#include "sightline/base/wire.h"
#include "sightline/profiler/record/trace_sink.h"

namespace sightline::tracing {
namespace {

using wire::AppendBytes;
using wire::AppendDouble;
using wire::AppendInt;
using wire::AppendKey;
using wire::WireType;
using enum perfetto::PacketField;
using enum perfetto::SequenceFlag;
using enum perfetto::EventField;
using enum perfetto::EventType;

// BuiltinClock of common/builtin_clock.proto; 64 and above are a sequence's own.
constexpr std::int64_t kRealtimeClock = 1;
constexpr std::int64_t kMonotonicClock = 3;
constexpr std::int64_t kBootClock = 6;
constexpr std::int64_t kDeltaClock = 64;

std::string_view CategoryText(Category category) {
  switch (category) {
    case Category::kNone:
      return "";
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
constexpr std::string_view kStepCategory = "step";
constexpr std::int64_t kStepCategoryIid = 16;  // Behind those of Category.

struct Thread {
  std::int64_t thread_id = 0;
  std::uint64_t uuid = 0;
  std::int64_t sequence = 0;
  std::int64_t last_nanos = 0;
  std::int64_t names = 0;                  // Of this sequence so far.
  std::vector<std::uint32_t> iid_of_name;  // By NameId, 0: not in the sequence yet.
  std::uint32_t categories = 0;            // Bits: in the sequence already.
  bool has_step_track = false;
  bool has_operator_track = false;
  bool in_step = false;
};

class PerfettoSink final : public TraceSink {
 public:
  void Start(const TraceStart& start) override;
  void AddThread(std::size_t index, int thread_id, const std::string& name,
                 std::int64_t nanos) override;
  void Add(std::size_t index, const TraceEvent& event) override;
  void Finish() override {}

 private:
  // Tracks below a thread's.
  std::uint64_t StepTrack(Thread& thread);
  std::uint64_t OperatorTrack(Thread& thread);
  std::uint64_t CounterTrack(NameId name);
  void DescribeTrack(std::uint64_t uuid, std::uint64_t parent, std::string_view name);
  void DescribeThread(const Thread& thread, std::string_view name);

  // The parts of a packet's track event and interned data.
  void Type(perfetto::EventType type) { AppendInt(event_, kType, type); }
  void Name(Thread& thread, NameId name);
  void CategoryOf(Thread& thread, std::int64_t iid, std::string_view text);
  void CategoryOf(Thread& thread, Category category) {
    if (category != Category::kNone) {
      CategoryOf(thread, static_cast<std::int64_t>(category), CategoryText(category));
    }
  }
  void FlowOf(const TraceEvent& event);
  void Annotate(std::string_view name, std::string_view text);
  void Annotate(std::string_view name, std::int64_t number);
  void Annotate(std::string_view name, double number);
  // Writes a packet of them. `clock` is kDeltaClock where the time is the sequence's.
  void Emit(Thread& thread, std::int64_t nanos, bool absolute = false);
  void EmitPacket();
  bool EmitSpan(Thread& thread, const TraceEvent& event);

  void AddStepBegin(Thread& thread, const TraceEvent& event);
  void AddStepEnd(Thread& thread, std::int64_t nanos);
  void AddCounter(Thread& thread, const TraceEvent& event);
  void AddOperator(Thread& thread, const TraceEvent& event);
  void AddQueue(Thread& thread, const TraceEvent& event);

  std::int64_t process_id_ = 0;
  std::uint64_t first_uuid_ = 0;  // The process'; the others count from it.
  std::vector<Thread> threads_;
  std::unordered_set<NameId> counters_;
  std::string event_;     // The track event being put together.
  std::string interned_;  // Its interned data.
  std::string packet_;
};

// --- Packets ------------------------------------------------------------------------------------

void PerfettoSink::EmitPacket() {
  AppendBytes(out, 1, packet_);
  packet_.clear();
}

void PerfettoSink::Emit(Thread& thread, std::int64_t nanos, bool absolute) {
  if (absolute) {
    AppendInt(packet_, kTimestamp, nanos);
    AppendInt(packet_, kTimestampClockId, kMonotonicClock);
  } else {
    // Processors' counters may differ by a few ticks; a sequence's clock cannot go back.
    AppendInt(packet_, kTimestamp, std::max<std::int64_t>(0, nanos - thread.last_nanos));
    thread.last_nanos = std::max(thread.last_nanos, nanos);
  }
  AppendInt(packet_, kSequenceId, thread.sequence);
  AppendInt(packet_, kSequenceFlags, kNeedsState);
  if (!interned_.empty()) AppendBytes(packet_, kInternedData, interned_);
  AppendBytes(packet_, kTrackEvent, event_);
  interned_.clear();
  event_.clear();
  EmitPacket();
}

// Begins and ends of spans are most of a profile: put together in place, byte for byte what Emit
// makes of them. False, and nothing written, where the name or the category is new.
bool PerfettoSink::EmitSpan(Thread& thread, const TraceEvent& event) {
  const bool begins = event.head.kind == EventKind::kSpanBegin;
  const NameId name = event.head.name;
  const auto category = static_cast<std::uint32_t>(event.head.category);
  if (event.head.has_flow) return false;
  if (begins && (name >= thread.iid_of_name.size() || thread.iid_of_name[name] == 0)) return false;
  if (begins && category != 0 && (thread.categories >> category & 1U) == 0) return false;
  constexpr std::uint32_t kLengthDelimited = 2;
  const auto key = [](std::uint32_t field) { return static_cast<char>(field << 3U); };
  std::array<char, 16> body{};
  char* body_end = body.data();
  *body_end++ = key(kType);
  *body_end++ = static_cast<char>(begins ? kSliceBegin : kSliceEnd);
  if (begins) {
    *body_end++ = key(kNameIid);
    body_end = wire::PutVarint(body_end, thread.iid_of_name[name]);
    if (category != 0) {
      *body_end++ = key(kCategoryIid);
      *body_end++ = static_cast<char>(category);
    }
  }
  const auto body_size = static_cast<std::size_t>(body_end - body.data());
  const std::int64_t delta = std::max<std::int64_t>(0, event.nanos - thread.last_nanos);
  thread.last_nanos = std::max(thread.last_nanos, event.nanos);
  std::array<char, 64> packet{};
  char* at = packet.data() + 2;
  *at++ = key(kTimestamp);
  at = wire::PutVarint(at, static_cast<std::uint64_t>(delta));
  *at++ = key(kSequenceId);
  at = wire::PutVarint(at, static_cast<std::uint64_t>(thread.sequence));
  *at++ = key(kSequenceFlags);
  *at++ = static_cast<char>(kNeedsState);
  *at++ = static_cast<char>(kTrackEvent << 3U | kLengthDelimited);
  *at++ = static_cast<char>(body_size);
  at = std::copy_n(body.data(), body_size, at);
  packet[0] = static_cast<char>(1U << 3U | kLengthDelimited);
  packet[1] = static_cast<char>(at - packet.data() - 2);  // Below 128: one byte.
  out.append(packet.data(), static_cast<std::size_t>(at - packet.data()));
  return true;
}

void AppendClock(std::string& snapshot, std::int64_t id, std::int64_t nanos, bool incremental) {
  std::string clock;
  AppendInt(clock, 1, id);
  AppendInt(clock, 2, nanos);
  if (incremental) {
    AppendInt(clock, 3, 1);
    AppendInt(clock, 4, 1);  // Nanoseconds.
  }
  AppendBytes(snapshot, 1, clock);
}

void PerfettoSink::Start(const TraceStart& start) {
  process_id_ = start.process_id;
  // Apart from other processes' whose traces somebody puts into one file.
  std::mt19937_64 random(static_cast<std::uint64_t>(start.wall_nanos) ^
                         static_cast<std::uint64_t>(start.process_id) << 40U);
  first_uuid_ = random() >> 1U;

  std::string snapshot;
  AppendClock(snapshot, kMonotonicClock, start.monotonic_nanos, false);
  AppendClock(snapshot, kBootClock, start.boot_nanos, false);
  AppendClock(snapshot, kRealtimeClock, start.wall_nanos, false);
  AppendInt(snapshot, 2, kMonotonicClock);  // The trace's times are this clock's.
  AppendInt(packet_, kSequenceId, 1);
  AppendBytes(packet_, kClockSnapshot, snapshot);
  EmitPacket();

  std::string process;
  AppendInt(process, 1, process_id_);
  AppendBytes(process, 6, start.process_name);
  std::string descriptor;
  AppendInt(descriptor, 1, static_cast<std::int64_t>(first_uuid_));
  AppendBytes(descriptor, 3, process);
  AppendInt(packet_, kSequenceId, 1);
  AppendBytes(packet_, kTrackDescriptor, descriptor);
  EmitPacket();
}

void PerfettoSink::DescribeTrack(std::uint64_t uuid, std::uint64_t parent, std::string_view name) {
  std::string descriptor;
  AppendInt(descriptor, 1, static_cast<std::int64_t>(uuid));
  AppendInt(descriptor, 5, static_cast<std::int64_t>(parent));
  AppendBytes(descriptor, 2, name);
  AppendInt(packet_, kSequenceId, 1);
  AppendBytes(packet_, kTrackDescriptor, descriptor);
  EmitPacket();
}

void PerfettoSink::DescribeThread(const Thread& thread, std::string_view name) {
  std::string descriptor;
  std::string kernel_thread;
  AppendInt(kernel_thread, 1, process_id_);
  AppendInt(kernel_thread, 2, thread.thread_id);
  AppendBytes(kernel_thread, 5, name);
  AppendInt(descriptor, 1, static_cast<std::int64_t>(thread.uuid));
  AppendInt(descriptor, 5, static_cast<std::int64_t>(first_uuid_));
  AppendBytes(descriptor, 4, kernel_thread);
  AppendInt(packet_, kSequenceId, 1);
  AppendBytes(packet_, kTrackDescriptor, descriptor);
  EmitPacket();
}

void PerfettoSink::AddThread(std::size_t index, int thread_id, const std::string& name,
                             std::int64_t nanos) {
  threads_.resize(std::max(threads_.size(), index + 1));
  Thread& thread = threads_[index];
  thread.thread_id = thread_id;
  thread.uuid = first_uuid_ + 1 + 4 * index;
  thread.sequence = static_cast<std::int64_t>(index) + 2;
  thread.last_nanos = nanos;
  DescribeThread(thread, name);

  std::string snapshot;
  AppendClock(snapshot, kMonotonicClock, nanos, false);
  AppendClock(snapshot, kDeltaClock, nanos, true);
  std::string event_defaults;
  AppendInt(event_defaults, kTrackUuid, static_cast<std::int64_t>(thread.uuid));
  std::string defaults;
  AppendInt(defaults, kTimestampClockId, kDeltaClock);
  AppendBytes(defaults, kTrackEvent, event_defaults);
  AppendInt(packet_, kTimestamp, nanos);
  AppendInt(packet_, kTimestampClockId, kMonotonicClock);
  AppendInt(packet_, kSequenceId, thread.sequence);
  AppendInt(packet_, kSequenceFlags, kStateCleared);
  AppendBytes(packet_, kPacketDefaults, defaults);
  AppendBytes(packet_, kClockSnapshot, snapshot);
  EmitPacket();
}

// --- Tracks --------------------------------------------------------------------------------------

std::uint64_t PerfettoSink::StepTrack(Thread& thread) {
  if (!thread.has_step_track) DescribeTrack(thread.uuid + 1, thread.uuid, "steps");
  thread.has_step_track = true;
  return thread.uuid + 1;
}

std::uint64_t PerfettoSink::OperatorTrack(Thread& thread) {
  if (!thread.has_operator_track) DescribeTrack(thread.uuid + 2, thread.uuid, "operators");
  thread.has_operator_track = true;
  return thread.uuid + 2;
}

std::uint64_t PerfettoSink::CounterTrack(NameId name) {
  const std::uint64_t uuid = first_uuid_ + (std::uint64_t{1} << 32U) + name;
  if (counters_.insert(name).second) {
    std::string descriptor;
    AppendInt(descriptor, 1, static_cast<std::int64_t>(uuid));
    AppendInt(descriptor, 5, static_cast<std::int64_t>(first_uuid_));
    AppendBytes(descriptor, 2, NameText(name));
    AppendBytes(descriptor, 8, "");  // A counter of no unit.
    AppendInt(packet_, kSequenceId, 1);
    AppendBytes(packet_, kTrackDescriptor, descriptor);
    EmitPacket();
  }
  return uuid;
}

// --- Events --------------------------------------------------------------------------------------

void PerfettoSink::Name(Thread& thread, NameId name) {
  if (name >= thread.iid_of_name.size()) thread.iid_of_name.resize(std::size_t{name} * 2 + 16);
  std::uint32_t& iid = thread.iid_of_name[name];
  if (iid == 0) {
    iid = static_cast<std::uint32_t>(++thread.names);
    std::string entry;
    AppendInt(entry, 1, iid);
    AppendBytes(entry, 2, NameText(name));
    AppendBytes(interned_, 2, entry);
  }
  AppendInt(event_, kNameIid, iid);
}

void PerfettoSink::CategoryOf(Thread& thread, std::int64_t iid, std::string_view text) {
  const std::uint32_t bit = 1U << static_cast<unsigned>(iid);
  if ((thread.categories & bit) == 0) {
    thread.categories |= bit;
    std::string entry;
    AppendInt(entry, 1, iid);
    AppendBytes(entry, 2, text);
    AppendBytes(interned_, 1, entry);
  }
  AppendInt(event_, kCategoryIid, iid);
}

void PerfettoSink::FlowOf(const TraceEvent& event) {
  if (!event.head.has_flow) return;
  AppendKey(event_, event.flow.last ? kLastFlowId : kFlowId, WireType::kFixed64);
  wire::AppendFixed(event_, event.flow.id);
}

void PerfettoSink::Annotate(std::string_view name, std::string_view text) {
  std::string annotation;
  AppendBytes(annotation, 10, name);
  AppendBytes(annotation, 6, text);
  AppendBytes(event_, kAnnotation, annotation);
}

void PerfettoSink::Annotate(std::string_view name, std::int64_t number) {
  std::string annotation;
  AppendBytes(annotation, 10, name);
  AppendInt(annotation, 4, number);
  AppendBytes(event_, kAnnotation, annotation);
}

void PerfettoSink::Annotate(std::string_view name, double number) {
  std::string annotation;
  AppendBytes(annotation, 10, name);
  AppendDouble(annotation, 5, number);
  AppendBytes(event_, kAnnotation, annotation);
}

void PerfettoSink::Add(std::size_t index, const TraceEvent& event) {
  Thread& thread = threads_[index];
  switch (event.head.kind) {
    case EventKind::kSpanBegin:
      if (EmitSpan(thread, event)) return;
      [[fallthrough]];
    case EventKind::kInstant:
      Type(event.head.kind == EventKind::kInstant ? kInstant : kSliceBegin);
      Name(thread, event.head.name);
      CategoryOf(thread, event.head.category);
      FlowOf(event);
      return Emit(thread, event.nanos);
    case EventKind::kSpanEnd:
      (void)EmitSpan(thread, event);
      return;
    case EventKind::kCounter:
      return AddCounter(thread, event);
    case EventKind::kStepBegin:
      return AddStepBegin(thread, event);
    case EventKind::kStepEnd:
      return AddStepEnd(thread, event.nanos);
    case EventKind::kOperator:
      return AddOperator(thread, event);
    case EventKind::kThreadName:
      return DescribeThread(thread, event.text);
    case EventKind::kQueue:
      return AddQueue(thread, event);
  }
}

void PerfettoSink::AddStepBegin(Thread& thread, const TraceEvent& event) {
  if (thread.in_step) AddStepEnd(thread, event.nanos);
  Type(kSliceBegin);
  AppendInt(event_, kTrackUuid, static_cast<std::int64_t>(StepTrack(thread)));
  AppendBytes(event_, kName, "step " + std::to_string(event.number));
  CategoryOf(thread, kStepCategoryIid, kStepCategory);
  Annotate("step", event.number);
  Emit(thread, event.nanos);
  thread.in_step = true;
}

void PerfettoSink::AddStepEnd(Thread& thread, std::int64_t nanos) {
  Type(kSliceEnd);
  AppendInt(event_, kTrackUuid, static_cast<std::int64_t>(StepTrack(thread)));
  Emit(thread, nanos);
  thread.in_step = false;
}

void PerfettoSink::AddCounter(Thread& thread, const TraceEvent& event) {
  Type(kCounter);
  AppendInt(event_, kTrackUuid, static_cast<std::int64_t>(CounterTrack(event.head.name)));
  AppendDouble(event_, kCounterValue, event.value);
  Emit(thread, event.nanos);
}

void PerfettoSink::AddOperator(Thread& thread, const TraceEvent& event) {
  const OperatorRun& run = event.run;
  const auto track = static_cast<std::int64_t>(OperatorTrack(thread));
  Type(kSliceBegin);
  AppendInt(event_, kTrackUuid, track);
  Name(thread, InternName(run.full_name));
  CategoryOf(thread, Category::kOperator);
  Annotate("type", run.type);
  if (!run.shapes.empty()) Annotate("shapes", run.shapes);
  if (run.flops != 0) Annotate("flops", run.flops);
  Emit(thread, run.start_nanos, true);
  Type(kSliceEnd);
  AppendInt(event_, kTrackUuid, track);
  Emit(thread, run.end_nanos, true);
}

void PerfettoSink::AddQueue(Thread& thread, const TraceEvent& event) {
  Type(kInstant);
  Name(thread, event.head.name);
  CategoryOf(thread, Category::kQueue);
  if (event.number > 0) Annotate("capacity", event.number);
  if (event.workers > 0) Annotate("workers", event.workers);
  if (event.parent != 0) Annotate("parent", NameText(event.parent));
  Emit(thread, event.nanos);
}

}  // namespace

std::unique_ptr<TraceSink> MakePerfettoSink() { return std::make_unique<PerfettoSink>(); }

}  // namespace sightline::tracing
