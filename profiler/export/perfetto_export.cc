#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/utf8.h"
#include "sightline/profiler/export/event_details.h"
#include "sightline/profiler/export/trace_export.h"
#include "sightline/profiler/trace/packet_writer.h"

namespace sightline::profiler {
namespace {

using nlohmann::ordered_json;
using perfetto::TrackDescriptor;
namespace event = perfetto::event;
namespace packet = perfetto::packet;

// The packets that describe tracks, and those of all events.
constexpr std::int64_t kTrackSequence = 1;
constexpr std::int64_t kEventSequence = 2;

// A number that the format accepts for processes and threads; 0 is the kernel's idle process.
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
    // The beginning of the events' sequence; alone it is a trace of nothing.
    packets_.SetSequence(kEventSequence, packet::kStateCleared);
    packets_.Finish();
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
    // For each further track: when its span ends, and which track it is.
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

  void SetName(NameId name);
  void SetCategory(NameId category);
  void AddArguments(const ordered_json& arguments);
  void AddFlow(const FlowPoint& point);
  void WriteEvent(std::int64_t time, std::uint64_t track, event::Type type);
  void Describe(const TrackDescriptor& track);
  // Whether the text of this number was not interned before. Marks it as interned.
  bool IsNew(std::vector<bool>& interned, std::uint32_t iid) const {
    if (interned.empty()) interned.resize(model_.names.size());
    const bool is_new = !interned[iid];
    interned[iid] = true;
    return is_new;
  }
  const Lane& FindLane(LaneId id) const { return model_.lanes[static_cast<std::uint32_t>(id)]; }

  const Model& model_;
  const TimeRange range_;
  const BoundFlows flows_;
  std::int64_t shift_ = 0;
  std::uint64_t uuids_ = 0;
  std::int64_t made_up_process_ = 1'000'000;  // Above those of a kernel with its usual limits.
  std::map<NameId, std::pair<std::int64_t, std::uint64_t>> processes_;  // Number and track.
  std::map<const Lane*, std::uint64_t> main_tracks_;
  std::vector<bool> names_, categories_;  // By NameId: interned already.
  std::string out_;
  perfetto::PacketWriter packets_{out_};
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

void PerfettoExport::Describe(const TrackDescriptor& track) {
  packets_.SetSequence(kTrackSequence);
  packets_.AddTrack(track);
  packets_.Finish();
}

std::uint64_t PerfettoExport::Process(const Lane& lane) {
  const auto found = processes_.find(lane.process);
  if (found != processes_.end()) return found->second.second;
  const std::int64_t number = KernelNumber(model_.names[lane.process]).value_or(made_up_process_++);
  const std::uint64_t uuid = ++uuids_;
  processes_[lane.process] = {number, uuid};
  const NameId name = lane.process_name != kNoName ? lane.process_name : lane.process;
  Describe(TrackDescriptor(uuid).Process(number, ToUtf8(model_.names[name])));
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
  TrackDescriptor track(++uuids_);
  track.Parent(parent).Name(name);
  if (counter) track.Counter();
  Describe(track);
  return uuids_;
}

std::uint64_t PerfettoExport::MainTrack(const Lane& lane) {
  std::uint64_t& track = main_tracks_[&lane];
  if (track != 0) return track;
  const auto number = KernelNumber(model_.names[lane.thread]);
  if (!number) return track = NewTrack(lane, LaneName(lane));
  const std::int64_t process = ProcessNumber(lane);
  std::optional<std::string> name;
  if (lane.thread_name != kNoName) name = LaneName(lane);
  track = ++uuids_;
  Describe(TrackDescriptor(track).Parent(Process(lane)).Thread(process, *number, name));
  return track;
}

// --- Events --------------------------------------------------------------------------------------

void PerfettoExport::SetName(NameId name) {
  if (name == kNoName) return;
  const auto iid = static_cast<std::uint32_t>(name);
  if (IsNew(names_, iid)) packets_.InternName(iid, ToUtf8(model_.names[name]));
  packets_.SetName(std::int64_t{iid});
}

void PerfettoExport::SetCategory(NameId category) {
  if (category == kNoName) return;
  const auto iid = static_cast<std::uint32_t>(category);
  if (IsNew(categories_, iid)) packets_.InternCategory(iid, ToUtf8(model_.names[category]));
  packets_.SetCategory(iid);
}

void PerfettoExport::AddArguments(const ordered_json& arguments) {
  for (const auto& [key, value] : arguments.items()) {
    const std::string name = ToUtf8(key);
    if (value.is_boolean()) {
      packets_.AddArgument(name, value.get<bool>());
    } else if (value.is_number_unsigned()) {
      packets_.AddArgument(name, value.get<std::uint64_t>());
    } else if (value.is_number_integer()) {
      packets_.AddArgument(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      packets_.AddArgument(name, value.get<double>());
    } else if (value.is_string()) {
      packets_.AddArgument(name, ToUtf8(value.get_ref<const std::string&>()));
    } else {
      packets_.AddArgument(name, JsonLine(value));
    }
  }
}

void PerfettoExport::AddFlow(const FlowPoint& point) {
  packets_.AddFlow(static_cast<std::uint64_t>(point.id), point.phase == FlowPhase::kEnd);
}

void PerfettoExport::WriteEvent(std::int64_t time, std::uint64_t track, event::Type type) {
  packets_.SetType(type);
  packets_.SetTrack(track);
  packets_.SetTime(time + shift_);
  packets_.SetSequence(kEventSequence, packet::kNeedsState);
  packets_.AddEvent();
  packets_.Finish();
}

void PerfettoExport::AddLane(const Lane& lane) {
  LaneTracks of_lane;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    if (Touches(range_, model_.spans.start[i], model_.spans.end(i))) AddSpan(lane, of_lane, i);
  }
  for (Track& track : of_lane.tracks) Close(track, std::numeric_limits<std::int64_t>::max());
}

// Ends the open spans that end at `before` or earlier.
void PerfettoExport::Close(Track& track, std::int64_t before) {
  while (!track.open.empty() && model_.spans.end(track.open.back()) <= before) {
    WriteEvent(model_.spans.end(track.open.back()), track.uuid, event::kSliceEnd);
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
  // If more spans than that cross each other, use the further track that was free first.
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
  SetName(spans.name[span]);
  SetCategory(spans.category[span]);
  AddArguments(EventArguments(model_, spans.name[span], spans.detail[span], spans.type[span]));
  if (const auto bound = flows_.of_span.find(span); bound != flows_.of_span.end()) {
    for (const FlowPoint* point : bound->second) AddFlow(*point);
  }
  WriteEvent(spans.start[span], track.uuid, event::kSliceBegin);
  track.open.push_back(span);
}

void PerfettoExport::AddInstant(const Instant& instant) {
  if (!Touches(range_, instant.time, instant.time)) return;
  const std::uint64_t track = MainTrack(FindLane(instant.lane));
  SetName(instant.name);
  AddArguments(EventArguments(model_, instant.name, instant.detail, kNoName));
  WriteEvent(instant.time, track, event::kInstant);
}

void PerfettoExport::AddPoint(const FlowPoint& point) {
  const std::uint64_t track = MainTrack(FindLane(point.lane));
  SetName(point.name);
  AddFlow(point);
  WriteEvent(point.time, track, event::kInstant);
}

void PerfettoExport::AddCounter(const Counter& counter) {
  const ValueRange values = ValuesIn(counter, range_);
  if (values.first == values.last) return;
  const std::uint64_t track =
      NewTrack(FindLane(counter.lane), ToUtf8(model_.names[counter.name]), true);
  for (std::size_t i = values.first; i < values.last; ++i) {
    packets_.SetCounterValue(counter.value[i]);
    WriteEvent(counter.time[i], track, event::kCounter);
  }
}

}  // namespace

std::string ExportPerfetto(const Model& model, TimeRange range) {
  return PerfettoExport(model, range).Write();
}

}  // namespace sightline::profiler
