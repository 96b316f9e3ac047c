#include "sightline/profiler/import/perfetto/perfetto_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sightline/base/compress/gzip.h"
#include "sightline/profiler/trace/perfetto_fields.h"

namespace sightline::profiler {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;
namespace counter = perfetto::counter;
namespace defaults = perfetto::defaults;
namespace event = perfetto::event;
namespace packet = perfetto::packet;
namespace process = perfetto::process;
namespace thread = perfetto::thread;
namespace track = perfetto::track;

bool IsBytes(const Field& field) { return field.type == WireType::kBytes; }

bool SaysNothingItself(std::uint32_t field) {
  constexpr std::array<std::uint32_t, 7> kFields = {
      packet::kTimestamp,       packet::kSequenceId,
      packet::kSequenceFlags,   packet::kSynchronizationMarker,
      packet::kPreviousDropped, packet::kTimestampClockId,
      packet::kFirstOnSequence};
  return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

}  // namespace

Status PerfettoReader::Read() {
  for (std::string_view packet; NextPacket(packet);) {
    ReadPacket(packet);
    ++packets_;
    window_.Skip(packet.size());
  }
  CloseOpenSlices();
  if (packets_ == 0 && damage_.ok() && window_.status().ok())
    return {StatusCode::kInvalidArgument, "not a trace: it has no packets"};
  return damage_.ok() ? window_.status() : damage_;
}

bool PerfettoReader::NextPacket(std::string_view& packet) {
  constexpr auto kPacketKey =
      static_cast<char>(wire::Key(perfetto::trace::kPacket, WireType::kBytes));
  for (;;) {
    const std::string_view rest = window_.rest();
    std::uint64_t size = 0;
    std::size_t at = 1;
    bool has_size = false;
    for (unsigned shift = 0; at < rest.size() && shift < 64 && !has_size; shift += 7, ++at) {
      const auto byte = static_cast<unsigned char>(rest[at]);
      size |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      has_size = byte < 0x80;
    }
    const bool wrong = !rest.empty() && rest.front() != kPacketKey;
    if (wrong || (has_size && size > ByteWindow::kMaxWindow)) {
      damage_ = Status(StatusCode::kDataLoss, "not a packet of a Perfetto trace at byte " +
                                                  std::to_string(window_.offset()));
      return false;
    }
    if (has_size && size <= rest.size() - at) {
      packet = rest.substr(at, static_cast<std::size_t>(size));
      window_.Skip(at);
      return true;
    }
    if (window_.More()) continue;
    if (!window_.rest().empty() && window_.status().ok())
      damage_ = Status(StatusCode::kDataLoss, "the file ends within a packet");
    return false;
  }
}

void PerfettoReader::ReadPacket(std::string_view packet) {
  std::uint64_t timestamp = 0;
  std::uint64_t sequence_id = 0;
  std::uint64_t clock = 0;
  std::string_view event, interned, defaults, snapshot, descriptor, old_thread;
  std::uint32_t unknown = 0;
  bool cleared = false;
  bool has_event = false;
  Field field;
  Scanner scan(packet);
  while (scan.Next(field)) {
    switch (field.number) {
      case packet::kTimestamp:
        timestamp = field.number_value;
        break;
      case packet::kSequenceId:
        sequence_id = field.number_value;
        break;
      case packet::kTimestampClockId:
        clock = field.number_value;
        break;
      case packet::kSequenceFlags:
        cleared = (field.number_value & packet::kStateCleared) != 0;
        break;
      case packet::kInternedData:
        interned = field.bytes;
        break;
      case packet::kDefaults:
        defaults = field.bytes;
        break;
      case packet::kClockSnapshot:
        snapshot = field.bytes;
        break;
      case packet::kTrackDescriptor:
        descriptor = field.bytes;
        break;
      case packet::kThreadDescriptor:
        old_thread = field.bytes;
        break;
      case packet::kProcessDescriptor:
        ReadProcessDescriptor(field.bytes);
        break;
      case packet::kTrackEvent:
        event = field.bytes;
        has_event = true;
        break;
      case packet::kCompressedPackets:
        if (!in_compressed_) return ReadCompressedPackets(field.bytes);
        [[fallthrough]];
      default:
        if (!SaysNothingItself(field.number)) unknown = field.number;
    }
  }
  if (scan.malformed())
    return builder_.NotUnderstand("a packet that is not a protobuf message", "");
  Sequence& sequence = FindSequence(sequence_id);
  if (cleared) sequence = Sequence();
  if (!defaults.empty()) ReadDefaults(defaults, sequence);
  if (!interned.empty()) ReadInterned(interned, builder_, sequence.definitions);
  if (!snapshot.empty()) clocks_.ReadSnapshot(snapshot, sequence.clocks);
  if (!descriptor.empty()) ReadDescriptor(descriptor);
  if (!old_thread.empty()) ReadThreadDescriptor(old_thread, sequence);
  if (!has_event) {
    if (unknown == 0) return builder_.CountEvent();
    return builder_.NotUnderstand("a packet of field " + std::to_string(unknown), "");
  }
  const TrackEvent parsed = ParseTrackEvent(event, sequence.definitions, builder_);
  const RareFields* rare = parsed.rare.get();
  std::optional<std::int64_t> time;
  if (rare != nullptr && rare->absolute_us) {
    time = clocks_.ConvertAbsolute(*rare->absolute_us);
  } else if (rare != nullptr && rare->delta_us) {
    time = clocks_.ConvertDelta(*rare->delta_us, sequence.clocks);
  } else {
    time = clocks_.Convert(timestamp, clock, sequence.clocks);
  }
  if (!time) return builder_.NotUnderstand("an event with an impossible time", "");
  AddTrackEvent(parsed, *time);
  if (rare != nullptr) AddExtraCounters(*rare, sequence.definitions, *time);
}

// Packets, compressed by zlib. Source: trace_packet.proto, compressed_packets.
void PerfettoReader::ReadCompressedPackets(std::string_view bytes) {
  constexpr std::size_t kMostRatio = 100;  // No trace compresses better; a bomb does.
  const std::size_t limit = std::min(bytes.size() * kMostRatio, ByteWindow::kMaxWindow);
  const auto unpacked = Gunzip(bytes, limit, Wrapper::kZlib);
  if (!unpacked) return builder_.NotUnderstand("compressed packets that are damaged", "");
  in_compressed_ = true;
  Field field;
  Scanner scan(*unpacked);
  while (scan.Next(field))
    if (field.number == perfetto::trace::kPacket && IsBytes(field)) ReadPacket(field.bytes);
  in_compressed_ = false;
  if (scan.malformed()) builder_.NotUnderstand("compressed packets that are damaged", "");
}

PerfettoReader::Sequence& PerfettoReader::FindSequence(std::uint64_t id) {
  if (last_sequence_.second == nullptr || last_sequence_.first != id)
    last_sequence_ = {id, &sequences_[id]};
  return *last_sequence_.second;
}

void PerfettoReader::ReadDefaults(std::string_view bytes, Sequence& sequence) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == defaults::kTimestampClockId)
      sequence.clocks.by_default = field.number_value;
    if (field.number == defaults::kTrackEvent && IsBytes(field))
      ReadEventDefaults(field.bytes, sequence.definitions);
  }
}

void PerfettoReader::ReadProcess(std::string_view bytes, Track& track) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == process::kId) track.process = field.AsInt32();
    if (!IsBytes(field)) continue;
    if (field.number == process::kName) track.process_name = field.bytes;
    if (field.number == process::kLabels) track.process_label = field.bytes;
  }
}

void PerfettoReader::ReadThread(std::string_view bytes, Track& track) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == thread::kProcessId) track.process = field.AsInt32();
    if (field.number == thread::kId) track.thread = field.AsInt64();
    if (field.number == thread::kName && IsBytes(field)) track.thread_name = field.bytes;
  }
}

void PerfettoReader::ReadCounter(std::string_view bytes, Track& track) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == counter::kUnitMultiplier) track.unit_multiplier = field.AsInt64();
    if (field.number == counter::kIsIncremental) track.is_incremental = field.number_value != 0;
  }
}

// The thread whose events the sequence has, where they name no track.
void PerfettoReader::ReadThreadDescriptor(std::string_view bytes, Sequence& sequence) {
  Track track;
  track.described = true;
  ReadThread(bytes, track);
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number != thread::kReferenceTimestampUs) continue;
    sequence.clocks.legacy_time = Scaled(field.AsInt64(), 1000, 0).value_or(0);
  }
  // Writers draw the ids of their tracks at random; one of these is not drawn.
  const auto ids =
      static_cast<std::uint64_t>(track.process) << 32U ^ static_cast<std::uint64_t>(track.thread);
  sequence.definitions.track = ids;
  tracks_.try_emplace(ids, std::move(track));
}

void PerfettoReader::ReadProcessDescriptor(std::string_view bytes) {
  Track track;
  ReadProcess(bytes, track);
  if (track.process >= 0 && !track.process_name.empty())
    builder_.NameProcess(std::to_string(track.process), track.process_name);
}

void PerfettoReader::ReadDescriptor(std::string_view bytes) {
  std::uint64_t uuid = 0;
  Track track;
  track.described = true;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == track::kUuid) uuid = field.number_value;
    if (field.number == track::kParentUuid) track.parent = field.number_value;
    if (!IsBytes(field)) continue;
    if (field.number == track::kName || field.number == track::kStaticName)
      track.name = field.bytes;
    if (field.number == track::kProcess) ReadProcess(field.bytes, track);
    if (field.number == track::kThread) ReadThread(field.bytes, track);
    if (field.number == track::kCounter) ReadCounter(field.bytes, track);
  }
  Track& known = tracks_[uuid];
  track.has_lane = known.has_lane;
  track.lane = known.lane;
  track.open = std::move(known.open);
  track.last_time = known.last_time;
  track.disordered = known.disordered;
  track.marks = std::move(known.marks);
  track.sum = known.sum;
  known = std::move(track);
  if (known.process >= 0 && !known.process_name.empty())
    builder_.NameProcess(std::to_string(known.process), known.process_name);
  if (known.process >= 0 && !known.process_label.empty())
    builder_.LabelProcess(std::to_string(known.process), known.process_label);
  if (known.has_lane && !known.thread_name.empty())
    builder_.lane(known.lane).thread_name = builder_.Intern(known.thread_name);
}

void PerfettoReader::AddTrackEvent(const TrackEvent& event, std::int64_t time) {
  last_time_ = std::max(last_time_, time);
  Track& track = FindTrack(event.track);
  if (!event.flows.empty()) AddFlows(event, time, track.lane);
  const NameId detail = event.detail.empty() ? kNoName : builder_.Intern("{" + event.detail + "}");
  switch (event.type) {
    case event::kSliceBegin:
    case event::kSliceEnd:
      return AddMark(track, {time, event.name, event.category, detail, event.operator_type},
                     event.type == event::kSliceEnd);
    case event::kInstant:
      builder_.AddInstant({time, event.name, detail, track.lane});
      return builder_.CountEvent();
    case event::kCounter:
      AddCounter(track, time, event.name, event.value);
      return builder_.CountEvent();
    default:
      if (event.rare && event.rare->phase != 0) return AddLegacyEvent(event, time, track, detail);
      builder_.NotUnderstand("a track event of type " + std::to_string(event.type), "");
  }
}

void PerfettoReader::AddLegacyEvent(const TrackEvent& event, std::int64_t time, Track& track,
                                    NameId detail) {
  const Open open = {time, event.name, event.category, detail, event.operator_type};
  switch (event.rare->phase) {
    case 'B':
    case 'E':
      return AddMark(track, open, event.rare->phase == 'E');
    case 'b':
    case 'S':
      return AddMark(AsyncTrack(event), open, false);
    case 'e':
    case 'F':
      return AddMark(AsyncTrack(event), open, true);
    case 'X': {
      const auto end = Scaled(event.rare->duration_us, 1000, time);
      if (!end || !AddSlice(open, *end, track.lane))
        return builder_.NotUnderstand("an event with an impossible time", "");
      last_time_ = std::max(last_time_, *end);
      return builder_.CountEvent();
    }
    case 'i':
    case 'I':
    case 'R':
    case 'n':
      builder_.AddInstant({time, event.name, detail, track.lane});
      return builder_.CountEvent();
    default:
      builder_.NotUnderstand(std::string("a legacy event of phase ") + event.rare->phase, "");
  }
}

PerfettoReader::Track& PerfettoReader::AsyncTrack(const TrackEvent& event) {
  const std::string category(builder_.Name(event.category));
  std::string key = category;
  key.append(1, '\0').append(builder_.Name(event.name)).append(1, '\0');
  key += std::to_string(event.rare->id.value_or(0));
  const auto [found, is_new] = async_tracks_.try_emplace(key);
  Track& track = found->second;
  if (!is_new) return track;
  track.described = true;
  track.parent = event.track;
  track.name = "async " + category;
  MakeLane(0, track);
  builder_.lane(track.lane).kind = LaneKind::kAsync;
  return track;
}

void PerfettoReader::AddCounter(Track& track, std::int64_t time, NameId name, double value) {
  if (track.counter == kNoName && !track.name.empty()) track.counter = builder_.Intern(track.name);
  value *= static_cast<double>(track.unit_multiplier);
  if (track.is_incremental) value = track.sum += value;
  builder_.AddCounter(track.lane, track.counter == kNoName ? name : track.counter, time, value);
}

// Values that an event has of counters beside it. An event may name their tracks, or have the
// sequence's.
void PerfettoReader::AddExtraCounters(const RareFields& event, const EventDefinitions& definitions,
                                      std::int64_t time) {
  const auto add = [&](const auto& own, const auto& by_default, const auto& values) {
    const auto& tracks = own.empty() ? by_default : own;
    const std::size_t count = std::min(tracks.size(), values.size());
    for (std::size_t i = 0; i < count; ++i)
      AddCounter(FindTrack(tracks[i]), time, kNoName, static_cast<double>(values[i]));
    if (values.size() > count)
      builder_.NotUnderstand("a counter without a track", "", values.size() - count);
  };
  add(event.extra_counters, definitions.extra_counters, event.extra_values);
  add(event.extra_double_counters, definitions.extra_double_counters, event.extra_double_values);
}

void PerfettoReader::AddFlows(const TrackEvent& event, std::int64_t time, LaneId lane) {
  for (const auto& [id, ends] : event.flows) {
    const NameId flow = builder_.Intern("flow:" + std::to_string(id));
    builder_.AddFlow({time, flow, event.name, lane, ends ? FlowPhase::kEnd : FlowPhase::kStep});
  }
}

// The events of a track come in the order of their times, or nearly: several writers may have
// buffered them. A track is paired as it is read until one comes too late; then all that is still
// open, and all that follows, is paired by its times at the end.
void PerfettoReader::AddMark(Track& track, const Open& open, bool is_end) {
  if (open.start < track.last_time && !track.disordered) {
    track.disordered = true;
    for (const Open& begin : track.open) track.marks.push_back({begin, false});
    track.open.clear();
  }
  track.last_time = std::max(track.last_time, open.start);
  if (track.disordered) {
    track.marks.push_back({open, is_end});
  } else if (!is_end) {
    track.open.push_back(open);  // Counted when it ends.
  } else if (EndSlice(track, open.start)) {
    builder_.CountEvent(2);
  } else {
    track.marks.push_back({open, true});  // Its beginning may come later.
  }
}

void PerfettoReader::PairMarks(Track& track) {
  std::stable_sort(track.marks.begin(), track.marks.end(),
                   [](const Mark& a, const Mark& b) { return a.open.start < b.open.start; });
  std::vector<Mark> marks = std::move(track.marks);
  track.marks.clear();
  for (const Mark& mark : marks) {
    if (!mark.is_end) {
      track.open.push_back(mark.open);
    } else if (track.disordered && EndSlice(track, mark.open.start)) {
      builder_.CountEvent(2);
    } else {
      builder_.NotUnderstand("an end without a beginning before it", "");
    }
  }
}

bool PerfettoReader::EndSlice(Track& track, std::int64_t time) {
  if (track.open.empty() || !AddSlice(track.open.back(), time, track.lane)) return false;
  track.open.pop_back();
  return true;
}

bool PerfettoReader::AddSlice(const Open& begin, std::int64_t end, LaneId lane) {
  NewSpan span;
  span.start = begin.start;
  span.duration = end - begin.start;
  span.name = begin.name;
  span.type = begin.type;
  span.category = begin.category;
  span.detail = begin.detail;
  span.lane = lane;
  span.kind = kinds_.Find(builder_, begin.category, begin.name);
  return builder_.AddSpan(span);
}

PerfettoReader::Track& PerfettoReader::FindTrack(std::uint64_t id) {
  if (last_track_.second == nullptr || last_track_.first != id) last_track_ = {id, &tracks_[id]};
  Track& track = *last_track_.second;
  if (!track.has_lane) MakeLane(id, track);
  return track;
}

void PerfettoReader::MakeLane(std::uint64_t id, Track& track) {
  constexpr int kMaxParents = 16;         // A forged file may have a cycle,
  constexpr std::size_t kMaxNames = 256;  // and long names that many tracks would repeat.
  const std::size_t own_size = track.name.size();
  std::int64_t process = track.process;
  std::string thread = track.thread >= 0 ? std::to_string(track.thread) : track.name;
  std::string group;  // The outermost track with a name that is neither a process nor a thread.
  std::string_view parent_name;  // The name of the thread above it.
  std::uint64_t parent = track.parent;
  for (int i = 0; i < kMaxParents && parent != 0; ++i) {
    const auto found = tracks_.find(parent);
    if (found == tracks_.end()) break;
    const Track& above = found->second;
    if (process < 0) process = above.process;
    if (above.thread >= 0) {
      thread.insert(0, std::to_string(above.thread) + (thread.empty() ? "" : " "));
      parent_name = above.thread_name;
    }
    if (above.process < 0 && !above.name.empty() && thread.size() < own_size + kMaxNames) {
      if (!group.empty()) thread.insert(0, group + " / ");
      group = above.name.substr(0, kMaxNames);
    }
    parent = above.parent;
  }
  if (!track.described) thread = "track " + std::to_string(id);
  // Streams with the same name below several devices are several lanes.
  if (process >= 0 && !group.empty()) thread.insert(0, group + " / ");
  track.lane = builder_.AddLane(process >= 0 ? std::to_string(process) : group, thread);
  track.has_lane = true;
  if (!track.thread_name.empty()) {
    builder_.lane(track.lane).thread_name = builder_.Intern(track.thread_name);
  } else if (!parent_name.empty() && !track.name.empty()) {
    builder_.lane(track.lane).thread_name =
        builder_.Intern(std::string(parent_name) + " " + track.name);
  }
}

void PerfettoReader::CloseOpenSlices() {
  std::uint64_t closed = 0;
  const auto close = [&](Track& track) {
    PairMarks(track);
    while (!track.open.empty()) {
      if (EndSlice(track, last_time_)) {
        builder_.CountEvent();
        ++closed;
        continue;
      }
      builder_.NotUnderstand("a beginning after the end of the trace",
                             builder_.Name(track.open.back().name));
      track.open.pop_back();
    }
  };
  for (auto& [id, track] : tracks_) close(track);
  for (auto& [key, track] : async_tracks_) close(track);
  if (closed > 0) builder_.AddAttribute("spans without an end", std::to_string(closed));
}

}  // namespace sightline::profiler
