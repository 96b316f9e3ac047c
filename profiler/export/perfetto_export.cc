// Further field numbers: track_event/track_descriptor.proto and interned_data/interned_data.proto
// in protos/perfetto/trace of https://github.com/google/perfetto.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/parse_number.h"
#include "sightline/base/perfetto_fields.h"
#include "sightline/base/utf8.h"
#include "sightline/base/wire.h"
#include "sightline/profiler/export/event_details.h"
#include "sightline/profiler/export/trace_export.h"

namespace sightline::profile {
namespace {

using nlohmann::ordered_json;
using wire::AppendBytes;
using wire::AppendDouble;
using wire::AppendInt;
using enum perfetto::PacketField;
using enum perfetto::SequenceFlag;
using enum perfetto::EventField;
using enum perfetto::EventType;

// A number that the format has for processes and threads; 0 is the kernel's idle one.
std::optional<std::int64_t> KernelNumber(std::string_view text) {
  const auto number = ParseNumber<std::int32_t>(text);
  if (!number || *number <= 0) return std::nullopt;
  return *number;
}

class PerfettoExport {
 public:
  PerfettoExport(const Model& model, TimeRange range)
      : model_(model), range_(range), flows_(BindFlows(model, range)) {
    shift_ = std::max<std::int64_t>(0, -FirstTime());
  }

  std::string Write() {
    // What the events' sequence begins with; alone it is a trace of nothing.
    AppendInt(packet_, kSequenceId, 2);
    AppendInt(packet_, kSequenceFlags, kStateCleared);
    EndPacket();
    for (const Lane& lane : model_.lanes) AddLane(lane);
    for (const Instant& instant : model_.instants) AddInstant(instant);
    for (const Counter& counter : model_.counters) AddCounter(counter);
    for (const FlowPoint* point : flows_.alone) AddPoint(*point);
    return std::move(out_);
  }

 private:
  // A track, and the spans that are open on it.
  struct Track {
    std::uint64_t uuid = 0;
    std::vector<std::size_t> open;
  };
  struct LaneTracks {
    std::vector<Track> tracks;
    // When the span on each of the further ones ends, and which track it is.
    using Ending = std::pair<std::int64_t, std::size_t>;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> further;
  };

  std::int64_t FirstTime() const;
  void AddLane(const Lane& lane);
  void AddSpan(const Lane& lane, LaneTracks& of_lane, std::size_t span);
  void Close(Track& track, std::int64_t before);
  void AddInstant(const Instant& instant);
  void AddCounter(const Counter& counter);
  void AddPoint(const FlowPoint& point);

  std::uint64_t Process(const Lane& lane);
  std::uint64_t MainTrack(const Lane& lane);
  std::uint64_t NewTrack(const Lane& lane, std::string_view name, bool counter = false);
  std::int64_t ProcessNumber(const Lane& lane);
  std::string LaneName(const Lane& lane) const;

  void Name(perfetto::EventField field, NameId name);
  void Annotate(const ordered_json& arguments);
  void Flow(const FlowPoint& point);
  void Emit(std::int64_t time, std::uint64_t track, perfetto::EventType type);
  void EmitDescriptor(const std::string& descriptor);
  void EndPacket();
  const Lane& LaneOf(LaneId id) const { return model_.lanes[static_cast<std::uint32_t>(id)]; }

  const Model& model_;
  const TimeRange range_;
  const BoundFlows flows_;
  std::int64_t shift_ = 0;
  std::uint64_t uuids_ = 0;
  std::int64_t made_up_process_ = 1'000'000;  // Behind those of a kernel with its usual limits.
  std::map<NameId, std::pair<std::int64_t, std::uint64_t>> processes_;  // Number and track.
  std::map<const Lane*, std::uint64_t> main_tracks_;
  std::vector<bool> names_, categories_;  // By NameId: interned already.
  std::string event_, interned_, packet_, out_;
};

std::int64_t PerfettoExport::FirstTime() const {
  std::int64_t first = 0;
  for (const std::int64_t start : model_.spans.start) first = std::min(first, start);
  for (const Instant& instant : model_.instants) first = std::min(first, instant.time);
  for (const FlowPoint& point : model_.flows) first = std::min(first, point.time);
  for (const Counter& counter : model_.counters) {
    if (!counter.time.empty()) first = std::min(first, counter.time.front());
  }
  return first;
}

// --- Tracks --------------------------------------------------------------------------------------

void PerfettoExport::EndPacket() {
  AppendBytes(out_, 1, packet_);
  packet_.clear();
}

void PerfettoExport::EmitDescriptor(const std::string& descriptor) {
  AppendInt(packet_, kSequenceId, 1);
  AppendBytes(packet_, kTrackDescriptor, descriptor);
  EndPacket();
}

std::uint64_t PerfettoExport::Process(const Lane& lane) {
  const auto found = processes_.find(lane.process);
  if (found != processes_.end()) return found->second.second;
  const std::int64_t number = KernelNumber(model_.names[lane.process]).value_or(made_up_process_++);
  const std::uint64_t uuid = ++uuids_;
  processes_[lane.process] = {number, uuid};
  const NameId name = lane.process_name != kNoName ? lane.process_name : lane.process;
  std::string process;
  AppendInt(process, 1, number);
  AppendBytes(process, 6, ToUtf8(model_.names[name]));
  std::string descriptor;
  AppendInt(descriptor, 1, static_cast<std::int64_t>(uuid));
  AppendBytes(descriptor, 3, process);
  EmitDescriptor(descriptor);
  return uuid;
}

std::int64_t PerfettoExport::ProcessNumber(const Lane& lane) {
  Process(lane);
  return processes_[lane.process].first;
}

std::string PerfettoExport::LaneName(const Lane& lane) const {
  return ToUtf8(model_.names[lane.thread_name != kNoName ? lane.thread_name : lane.thread]);
}

std::uint64_t PerfettoExport::NewTrack(const Lane& lane, std::string_view name, bool counter) {
  const std::uint64_t parent = Process(lane);
  std::string descriptor;
  AppendInt(descriptor, 1, static_cast<std::int64_t>(++uuids_));
  AppendInt(descriptor, 5, static_cast<std::int64_t>(parent));
  AppendBytes(descriptor, 2, name);
  if (counter) AppendBytes(descriptor, 8, "");  // Of no unit.
  EmitDescriptor(descriptor);
  return uuids_;
}

std::uint64_t PerfettoExport::MainTrack(const Lane& lane) {
  std::uint64_t& track = main_tracks_[&lane];
  if (track != 0) return track;
  const auto number = KernelNumber(model_.names[lane.thread]);
  if (!number) return track = NewTrack(lane, LaneName(lane));
  std::string thread;
  AppendInt(thread, 1, ProcessNumber(lane));
  AppendInt(thread, 2, *number);
  if (lane.thread_name != kNoName) AppendBytes(thread, 5, LaneName(lane));
  track = ++uuids_;
  std::string descriptor;
  AppendInt(descriptor, 1, static_cast<std::int64_t>(track));
  AppendInt(descriptor, 5, static_cast<std::int64_t>(Process(lane)));
  AppendBytes(descriptor, 4, thread);
  EmitDescriptor(descriptor);
  return track;
}

// --- Events --------------------------------------------------------------------------------------

void PerfettoExport::Name(perfetto::EventField field, NameId name) {
  if (name == kNoName) return;
  const auto index = static_cast<std::uint32_t>(name);
  std::vector<bool>& known = field == kNameIid ? names_ : categories_;
  if (known.empty()) known.resize(model_.names.size());
  if (!known[index]) {
    known[index] = true;
    std::string entry;
    AppendInt(entry, 1, index);
    AppendBytes(entry, 2, ToUtf8(model_.names[name]));
    AppendBytes(interned_, field == kNameIid ? 2 : 1, entry);
  }
  AppendInt(event_, field, index);
}

void PerfettoExport::Annotate(const ordered_json& arguments) {
  for (const auto& [key, value] : arguments.items()) {
    std::string annotation;
    AppendBytes(annotation, 10, ToUtf8(key));
    if (value.is_boolean()) {
      AppendInt(annotation, 2, value.get<bool>() ? 1 : 0);
    } else if (value.is_number_unsigned()) {
      AppendInt(annotation, 3, static_cast<std::int64_t>(value.get<std::uint64_t>()));
    } else if (value.is_number_integer()) {
      AppendInt(annotation, 4, value.get<std::int64_t>());
    } else if (value.is_number()) {
      AppendDouble(annotation, 5, value.get<double>());
    } else if (value.is_string()) {
      AppendBytes(annotation, 6, ToUtf8(value.get_ref<const std::string&>()));
    } else {
      AppendBytes(annotation, 6,
                  value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    }
    AppendBytes(event_, kAnnotation, annotation);
  }
}

void PerfettoExport::Flow(const FlowPoint& point) {
  wire::AppendKey(event_, point.phase == FlowPhase::kEnd ? kLastFlowId : kFlowId,
                  wire::WireType::kFixed64);
  wire::AppendFixed(event_, static_cast<std::uint64_t>(point.id));
}

void PerfettoExport::Emit(std::int64_t time, std::uint64_t track, perfetto::EventType type) {
  AppendInt(event_, kType, type);
  AppendInt(event_, kTrackUuid, static_cast<std::int64_t>(track));
  AppendInt(packet_, kTimestamp, time + shift_);
  AppendInt(packet_, kSequenceId, 2);
  AppendInt(packet_, kSequenceFlags, kNeedsState);
  if (!interned_.empty()) AppendBytes(packet_, kInternedData, interned_);
  AppendBytes(packet_, kTrackEvent, event_);
  EndPacket();
  interned_.clear();
  event_.clear();
}

void PerfettoExport::AddLane(const Lane& lane) {
  LaneTracks of_lane;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    if (Touches(range_, model_.spans.start[i], model_.spans.end(i))) AddSpan(lane, of_lane, i);
  }
  for (Track& track : of_lane.tracks) Close(track, std::numeric_limits<std::int64_t>::max());
}

// Ends what ends up to `before`.
void PerfettoExport::Close(Track& track, std::int64_t before) {
  while (!track.open.empty() && model_.spans.end(track.open.back()) <= before) {
    Emit(model_.spans.end(track.open.back()), track.uuid, kSliceEnd);
    track.open.pop_back();
  }
}

void PerfettoExport::AddSpan(const Lane& lane, LaneTracks& of_lane, std::size_t span) {
  auto& [tracks, further] = of_lane;
  constexpr std::size_t kLooked = 64;
  const Spans& spans = model_.spans;
  std::size_t index = 0;
  for (; index < std::min(tracks.size(), kLooked); ++index) {
    Close(tracks[index], spans.start[span]);
    const std::vector<std::size_t>& open = tracks[index].open;
    if (open.empty() || spans.end(span) <= spans.end(open.back())) break;
  }
  // Where more cross each other, a track that nothing is open on: the first that becomes so.
  if (index == kLooked) {
    const bool reused = !further.empty() && further.top().first <= spans.start[span];
    index = reused ? further.top().second : tracks.size();
    if (reused) further.pop();
    further.emplace(spans.end(span), index);
  }
  if (index == tracks.size()) {
    const std::string name = LaneName(lane) + " (" + std::to_string(index + 1) + ")";
    tracks.push_back({index == 0 ? MainTrack(lane) : NewTrack(lane, name), {}});
  }
  Track& track = tracks[index];
  Close(track, spans.start[span]);
  Name(kNameIid, spans.name[span]);
  Name(kCategoryIid, spans.category[span]);
  Annotate(ArgumentsOf(model_, spans.name[span], spans.detail[span], spans.type[span]));
  if (const auto bound = flows_.of_span.find(span); bound != flows_.of_span.end()) {
    for (const FlowPoint* point : bound->second) Flow(*point);
  }
  Emit(spans.start[span], track.uuid, kSliceBegin);
  track.open.push_back(span);
}

void PerfettoExport::AddInstant(const Instant& instant) {
  if (!Touches(range_, instant.time, instant.time)) return;
  const std::uint64_t track = MainTrack(LaneOf(instant.lane));
  Name(kNameIid, instant.name);
  Annotate(ArgumentsOf(model_, instant.name, instant.detail, kNoName));
  Emit(instant.time, track, kInstant);
}

void PerfettoExport::AddPoint(const FlowPoint& point) {
  const std::uint64_t track = MainTrack(LaneOf(point.lane));
  Name(kNameIid, point.name);
  Flow(point);
  Emit(point.time, track, kInstant);
}

void PerfettoExport::AddCounter(const Counter& counter) {
  const ValueRange values = ValuesIn(counter, range_);
  if (values.first == values.last) return;
  const std::uint64_t track =
      NewTrack(LaneOf(counter.lane), ToUtf8(model_.names[counter.name]), true);
  for (std::size_t i = values.first; i < values.last; ++i) {
    AppendDouble(event_, kCounterValue, counter.value[i]);
    Emit(counter.time[i], track, kCounter);
  }
}

}  // namespace

std::string ExportPerfetto(const Model& model, TimeRange range) {
  return PerfettoExport(model, range).Write();
}

}  // namespace sightline::profile
