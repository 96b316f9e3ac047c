#include "sightline/profiler/record/trace_encoder.h"

#include <algorithm>
#include <random>

#include "sightline/profiler/record/names.h"

namespace sightline::profiler {
namespace {

namespace clock = perfetto::clock;
namespace event = perfetto::event;
namespace packet = perfetto::packet;
using perfetto::TrackDescriptor;

// A sequence's own clock.
constexpr std::int64_t kDeltaClock = clock::kFirstOfSequence;
// The sequence of what belongs to the process; those of the threads follow.
constexpr std::int64_t kProcessSequence = 1;

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
constexpr std::int64_t kStepCategoryIid = 16;  // After those of Category.

}  // namespace

// --- Packets -------------------------------------------------------------------------------------

std::int64_t TraceEncoder::Advance(Thread& thread, std::int64_t nanos) {
  const std::int64_t delta = std::max<std::int64_t>(0, nanos - thread.last_nanos);
  thread.last_nanos = std::max(thread.last_nanos, nanos);
  return delta;
}

void TraceEncoder::Write(Thread& thread, std::int64_t nanos) {
  packets_.SetTime(Advance(thread, nanos));
  WriteOnSequence(thread);
}

void TraceEncoder::WriteOnMonotonicClock(const Thread& thread, std::int64_t nanos) {
  packets_.SetTime(nanos);
  packets_.SetClock(clock::kMonotonic);
  WriteOnSequence(thread);
}

void TraceEncoder::WriteOnSequence(const Thread& thread) {
  packets_.SetSequence(thread.sequence, packet::kNeedsState);
  packets_.AddEvent();
  packets_.Finish();
}

void TraceEncoder::Start(const TraceStart& start) {
  process_id_ = start.process_id;
  // Random, so that the traces of several processes can be put into one file.
  std::mt19937_64 random(static_cast<std::uint64_t>(start.wall_nanos) ^
                         static_cast<std::uint64_t>(start.process_id) << 40U);
  first_uuid_ = random() >> 1U;

  packets_.SetSequence(kProcessSequence);
  packets_.AddClocks(perfetto::ClockSnapshot()
                         .Add(clock::kMonotonic, start.monotonic_nanos)
                         .Add(clock::kBoot, start.boot_nanos)
                         .Add(clock::kRealtime, start.wall_nanos)
                         .Primary(clock::kMonotonic));
  packets_.Finish();
  Describe(
      TrackDescriptor(first_uuid_).Process(process_id_, start.process_name, start.process_label));
}

void TraceEncoder::AddThread(std::size_t index, int thread_id, std::string_view name,
                             std::int64_t nanos) {
  threads_.resize(std::max(threads_.size(), index + 1));
  Thread& thread = threads_[index];
  thread.thread_id = thread_id;
  thread.uuid = first_uuid_ + 1 + 4 * index;
  thread.sequence = kProcessSequence + 1 + static_cast<std::int64_t>(index);
  thread.last_nanos = nanos;
  DescribeThread(thread, name);

  packets_.SetTime(nanos);
  packets_.SetClock(clock::kMonotonic);
  packets_.SetSequence(thread.sequence, packet::kStateCleared);
  packets_.SetDefaults(kDeltaClock, thread.uuid);
  packets_.AddClocks(
      perfetto::ClockSnapshot().Add(clock::kMonotonic, nanos).AddIncremental(kDeltaClock, nanos));
  packets_.Finish();
}

// --- Tracks --------------------------------------------------------------------------------------

void TraceEncoder::Describe(const TrackDescriptor& track) {
  packets_.SetSequence(kProcessSequence);
  packets_.AddTrack(track);
  packets_.Finish();
}

void TraceEncoder::DescribeThread(const Thread& thread, std::string_view name) {
  Describe(
      TrackDescriptor(thread.uuid).Parent(first_uuid_).Thread(process_id_, thread.thread_id, name));
}

std::uint64_t TraceEncoder::StepTrack(Thread& thread) {
  const std::uint64_t uuid = thread.uuid + 1;
  if (!thread.has_step_track) Describe(TrackDescriptor(uuid).Parent(thread.uuid).Name("steps"));
  thread.has_step_track = true;
  return uuid;
}

std::uint64_t TraceEncoder::OperatorTrack(Thread& thread) {
  const std::uint64_t uuid = thread.uuid + 2;
  if (!thread.has_operator_track) {
    Describe(TrackDescriptor(uuid).Parent(thread.uuid).Name("operators"));
  }
  thread.has_operator_track = true;
  return uuid;
}

std::uint64_t TraceEncoder::CounterTrack(EventName name) {
  const std::uint64_t uuid = first_uuid_ + (std::uint64_t{1} << 32U) + name;
  if (counters_.insert(name).second) {
    Describe(TrackDescriptor(uuid).Parent(first_uuid_).Name(NameText(name)).Counter());
  }
  return uuid;
}

// --- Events --------------------------------------------------------------------------------------

void TraceEncoder::SetName(Thread& thread, EventName name) {
  if (name >= thread.iid_of_name.size()) thread.iid_of_name.resize(std::size_t{name} * 2 + 16);
  std::uint32_t& iid = thread.iid_of_name[name];
  if (iid == 0) {
    iid = static_cast<std::uint32_t>(++thread.names);
    packets_.InternName(iid, NameText(name));
  }
  packets_.SetName(std::int64_t{iid});
}

void TraceEncoder::SetCategory(Thread& thread, std::int64_t iid, std::string_view text) {
  const std::uint32_t bit = 1U << static_cast<unsigned>(iid);
  if ((thread.categories & bit) == 0) {
    thread.categories |= bit;
    packets_.InternCategory(iid, text);
  }
  packets_.SetCategory(iid);
}

void TraceEncoder::SetCategory(Thread& thread, Category category) {
  if (category == Category::kNone) return;
  SetCategory(thread, static_cast<std::int64_t>(category), CategoryText(category));
}

void TraceEncoder::Add(std::size_t index, const TraceEvent& event) {
  Thread& thread = threads_[index];
  switch (event.head.kind) {
    case EventKind::kSpanBegin:
      if (!AddPlainBegin(thread, event)) AddNamed(thread, event::kSliceBegin, event);
      return;
    case EventKind::kInstant:
      return AddNamed(thread, event::kInstant, event);
    case EventKind::kSpanEnd:
      return packets_.WriteEnd(Advance(thread, event.nanos), thread.sequence);
    case EventKind::kCounter:
      return AddCounter(thread, event);
    case EventKind::kStepBegin:
      return AddStepBegin(thread, event);
    case EventKind::kStepEnd:
      return AddStepEnd(thread, event.nanos);
    case EventKind::kOperator:
      return AddOperator(thread, event.run);
    case EventKind::kThreadName:
      return DescribeThread(thread, event.text);
    case EventKind::kQueue:
      return AddQueue(thread, event);
  }
}

// Begins and ends of spans are most of a profile, so these have a fast path: a begin whose name and
// category are interned already.
bool TraceEncoder::AddPlainBegin(Thread& thread, const TraceEvent& event) {
  const EventName name = event.head.name;
  const auto category = static_cast<std::uint8_t>(event.head.category);
  if (event.head.has_flow) return false;
  if (name >= thread.iid_of_name.size() || thread.iid_of_name[name] == 0) return false;
  if (category != 0 && (thread.categories >> category & 1U) == 0) return false;
  packets_.WriteBegin(Advance(thread, event.nanos), thread.sequence, thread.iid_of_name[name],
                      category);
  return true;
}

void TraceEncoder::AddNamed(Thread& thread, event::Type type, const TraceEvent& event) {
  packets_.SetType(type);
  SetName(thread, event.head.name);
  SetCategory(thread, event.head.category);
  if (event.head.has_flow) packets_.AddFlow(event.flow.id, event.flow.last);
  Write(thread, event.nanos);
}

void TraceEncoder::AddStepBegin(Thread& thread, const TraceEvent& event) {
  if (thread.in_step) AddStepEnd(thread, event.nanos);
  const std::uint64_t track = StepTrack(thread);
  packets_.SetType(event::kSliceBegin);
  packets_.SetTrack(track);
  packets_.SetName("step " + std::to_string(event.number));
  SetCategory(thread, kStepCategoryIid, kStepCategory);
  packets_.AddArgument("step", event.number);
  Write(thread, event.nanos);
  thread.in_step = true;
}

void TraceEncoder::AddStepEnd(Thread& thread, std::int64_t nanos) {
  const std::uint64_t track = StepTrack(thread);
  packets_.SetType(event::kSliceEnd);
  packets_.SetTrack(track);
  Write(thread, nanos);
  thread.in_step = false;
}

void TraceEncoder::AddCounter(Thread& thread, const TraceEvent& event) {
  const std::uint64_t track = CounterTrack(event.head.name);
  packets_.SetType(event::kCounter);
  packets_.SetTrack(track);
  packets_.SetCounterValue(event.value);
  Write(thread, event.nanos);
}

void TraceEncoder::AddOperator(Thread& thread, const OperatorRun& run) {
  const std::uint64_t track = OperatorTrack(thread);
  packets_.SetType(event::kSliceBegin);
  packets_.SetTrack(track);
  SetName(thread, InternName(run.full_name));
  SetCategory(thread, Category::kOperator);
  packets_.AddArgument("type", run.type);
  if (!run.shapes.empty()) packets_.AddArgument("shapes", run.shapes);
  if (run.flops != 0) packets_.AddArgument("flops", run.flops);
  WriteOnMonotonicClock(thread, run.start_nanos);
  packets_.SetType(event::kSliceEnd);
  packets_.SetTrack(track);
  WriteOnMonotonicClock(thread, run.end_nanos);
}

void TraceEncoder::AddQueue(Thread& thread, const TraceEvent& event) {
  packets_.SetType(event::kInstant);
  SetName(thread, event.head.name);
  SetCategory(thread, Category::kQueue);
  if (event.number > 0) packets_.AddArgument("capacity", event.number);
  if (event.workers > 0) packets_.AddArgument("workers", event.workers);
  if (event.parent != 0) packets_.AddArgument("parent", NameText(event.parent));
  Write(thread, event.nanos);
}

}  // namespace sightline::profiler
