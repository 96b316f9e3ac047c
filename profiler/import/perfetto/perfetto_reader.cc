#include "sightline/profiler/import/perfetto/perfetto_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "sightline/base/compress/gzip.h"
#include "sightline/base/json/json_text.h"
#include "sightline/profiler/import/source/span_kind.h"
#include "sightline/profiler/trace/perfetto_fields.h"

namespace sightline::profiler {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;
namespace annotation = perfetto::annotation;
namespace clock = perfetto::clock;
namespace counter = perfetto::counter;
namespace defaults = perfetto::defaults;
namespace entry = perfetto::entry;
namespace event = perfetto::event;
namespace interned = perfetto::interned;
namespace legacy = perfetto::legacy;
namespace packet = perfetto::packet;
namespace process = perfetto::process;
namespace snapshot = perfetto::snapshot;
namespace thread = perfetto::thread;
namespace track = perfetto::track;

bool IsBytes(const Field& field) { return field.type == WireType::kBytes; }

// Appends the numbers of a repeated field of uint64 or int64, packed or not.
template <typename Number>
void AppendNumbers(const Field& field, std::vector<Number>& numbers) {
  if (!IsBytes(field)) {
    numbers.push_back(static_cast<Number>(field.number_value));
    return;
  }
  std::uint64_t number = 0;
  unsigned shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    numbers.push_back(static_cast<Number>(number));
    number = 0;
    shift = 0;
  }
}

void AppendDoubles(const Field& field, std::vector<double>& doubles) {
  if (!IsBytes(field)) {
    doubles.push_back(field.AsDouble());
    return;
  }
  for (std::string_view rest = field.bytes; rest.size() >= sizeof(double);
       rest.remove_prefix(sizeof(double))) {
    double value = 0;
    std::memcpy(&value, rest.data(), sizeof(value));
    doubles.push_back(value);
  }
}

bool SaysNothingItself(std::uint32_t field) {
  constexpr std::array<std::uint32_t, 7> kFields = {
      packet::kTimestamp,       packet::kSequenceId,
      packet::kSequenceFlags,   packet::kSynchronizationMarker,
      packet::kPreviousDropped, packet::kTimestampClockId,
      packet::kFirstOnSequence};
  return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

std::string NumberText(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

// value * unit + offset; no value if it is out of range.
std::optional<std::int64_t> Scaled(std::int64_t value, std::int64_t unit, std::int64_t offset) {
  std::int64_t time = 0;
  if (__builtin_mul_overflow(value, unit, &time) || __builtin_add_overflow(time, offset, &time) ||
      !IsTime(time))
    return std::nullopt;
  return time;
}

}  // namespace

void PerfettoReader::Names::Set(std::uint64_t iid, NameId name) {
  // Only in proportion to the ids so far, since a forged file may have any id.
  constexpr std::size_t kLeap = 64;
  if (iid > 2 * dense_.size() + kLeap) {
    sparse_[iid] = name;
    return;
  }
  if (iid >= dense_.size()) dense_.resize(static_cast<std::size_t>(iid) + 1, kNoName);
  dense_[static_cast<std::size_t>(iid)] = name;
  if (!sparse_.empty()) sparse_.erase(iid);
}

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
  if (!interned.empty()) ReadInterned(interned, sequence);
  if (!snapshot.empty()) ReadClocks(snapshot, sequence);
  if (!descriptor.empty()) ReadDescriptor(descriptor);
  if (!old_thread.empty()) ReadThreadDescriptor(old_thread, sequence);
  if (!has_event) {
    if (unknown == 0) return builder_.CountEvent();
    return builder_.NotUnderstand("a packet of field " + std::to_string(unknown), "");
  }
  if (clock == 0) clock = sequence.default_clock;
  const TrackEvent parsed = ParseTrackEvent(event, sequence);
  const std::optional<std::int64_t> time =
      parsed.rare && (parsed.rare->delta_us || parsed.rare->absolute_us)
          ? LegacyTime(*parsed.rare, sequence)
          : ConvertTime(timestamp, clock, sequence);
  if (!time) return builder_.NotUnderstand("an event with an impossible time", "");
  AddTrackEvent(parsed, *time);
  if (parsed.rare) AddExtraCounters(*parsed.rare, sequence, *time);
}

// Packets, compressed by zlib. Source: trace_packet.proto, compressed_packets.
void PerfettoReader::ReadCompressedPackets(std::string_view bytes) {
  constexpr std::size_t kMostRatio = 100;  // No trace compresses better; a bomb does.
  constexpr std::size_t kAnySize = std::size_t{1} << 20U;
  const std::size_t limit =
      std::min(std::max(bytes.size() * kMostRatio, kAnySize), ByteWindow::kMaxWindow);
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

// Source: track_event.proto; both are of the clock that a thread's descriptor counts from.
std::optional<std::int64_t> PerfettoReader::LegacyTime(const Rare& event,
                                                       Sequence& sequence) const {
  constexpr std::int64_t kMicrosecond = 1000;
  if (event.absolute_us) return Scaled(*event.absolute_us, kMicrosecond, shift_);
  const auto time = Scaled(*event.delta_us, kMicrosecond, sequence.legacy_time);
  if (!time) return time;
  sequence.legacy_time = *time;
  return Scaled(*time, 1, shift_);
}

std::optional<std::int64_t> PerfettoReader::ConvertTime(std::uint64_t timestamp,
                                                        std::uint64_t clock,
                                                        Sequence& sequence) const {
  auto value = static_cast<std::int64_t>(timestamp);
  if (clock < clock::kFirstOfSequence) {
    if (clock == 0) clock = clock::kBoot;  // Perfetto's default.
    if (clock == reference_clock_) return Scaled(value, 1, shift_);
    const auto offset = to_reference_.find(clock);
    if (offset == to_reference_.end()) return Scaled(value, 1, shift_);
    const auto time = Scaled(value, 1, offset->second);
    return time ? Scaled(*time, 1, shift_) : time;
  }
  if (sequence.last_clock.second == nullptr || sequence.last_clock.first != clock) {
    const auto found = sequence.clocks.find(clock);
    if (found == sequence.clocks.end()) return Scaled(value, 1, shift_);
    sequence.last_clock = {clock, &found->second};
  }
  SequenceClock& own = *sequence.last_clock.second;
  if (own.incremental && __builtin_add_overflow(value, own.time, &value)) return std::nullopt;
  std::optional<std::int64_t> time;
  if (value >= 0) time = Scaled(value, own.unit, own.offset);
  if (!time) return time;
  if (own.incremental) own.time = value;
  return Scaled(*time, 1, shift_);
}

PerfettoReader::Sequence& PerfettoReader::FindSequence(std::uint64_t id) {
  if (last_sequence_.second == nullptr || last_sequence_.first != id)
    last_sequence_ = {id, &sequences_[id]};
  return *last_sequence_.second;
}

void PerfettoReader::ReadDefaults(std::string_view bytes, Sequence& sequence) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == defaults::kTimestampClockId) sequence.default_clock = field.number_value;
    if (field.number != defaults::kTrackEvent || !IsBytes(field)) continue;
    sequence.extra_counters.clear();
    sequence.extra_double_counters.clear();
    Field inner;
    for (Scanner event(field.bytes); event.Next(inner);) {
      if (inner.number == event::kTrackUuid) sequence.default_track = inner.number_value;
      if (inner.number == event::kExtraCounterTracks) AppendNumbers(inner, sequence.extra_counters);
      if (inner.number == event::kExtraDoubleCounterTracks)
        AppendNumbers(inner, sequence.extra_double_counters);
    }
  }
}

void PerfettoReader::AddInterned(std::string_view bytes, ModelBuilder& builder, Names& names) {
  std::uint64_t iid = 0;
  NameId name = kNoName;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == entry::kIid && !IsBytes(field)) iid = field.number_value;
    if (field.number == entry::kText && IsBytes(field)) name = builder.Intern(field.bytes);
  }
  names.Set(iid, name);
}

void PerfettoReader::ReadInterned(std::string_view bytes, Sequence& sequence) {
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (!IsBytes(field)) continue;
    if (field.number == interned::kCategories)
      AddInterned(field.bytes, builder_, sequence.categories);
    if (field.number == interned::kEventNames) AddInterned(field.bytes, builder_, sequence.names);
    if (field.number == interned::kAnnotationNames)
      AddInterned(field.bytes, builder_, sequence.annotation_names);
  }
}

void PerfettoReader::ReadClocks(std::string_view bytes, Sequence& sequence) {
  std::map<std::uint64_t, std::int64_t> system;  // Of clocks that all sequences share.
  std::map<std::uint64_t, SequenceClock> own_clocks;
  std::uint64_t primary = 0;
  std::uint64_t first = 0;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == snapshot::kPrimaryClock) primary = field.number_value;
    if (field.number != snapshot::kClock || !IsBytes(field)) continue;
    std::uint64_t id = 0;
    SequenceClock clock;
    Field inner;
    for (Scanner one(field.bytes); one.Next(inner);) {
      if (inner.number == clock::kId) id = inner.number_value;
      if (inner.number == clock::kTimestamp) clock.time = inner.AsInt64();
      if (inner.number == clock::kIsIncremental) clock.incremental = inner.number_value != 0;
      if (inner.number == clock::kUnitNanos) clock.unit = inner.AsInt64();
    }
    if (id >= clock::kFirstOfSequence) own_clocks[id] = clock;
    if (id >= clock::kFirstOfSequence || !IsTime(clock.time)) continue;
    if (first == 0) first = id;
    system[id] = clock.time;
  }
  if (reference_clock_ == 0) reference_clock_ = system.contains(primary) ? primary : first;
  const std::optional<std::int64_t> reference = ReadSystemClocks(system);
  for (auto& [id, clock] : own_clocks) {
    const auto own = Scaled(clock.time, clock.unit, 0);
    if (reference && own) clock.offset = *reference - *own;
    sequence.clocks[id] = clock;
  }
}

std::optional<std::int64_t> PerfettoReader::ReadSystemClocks(
    const std::map<std::uint64_t, std::int64_t>& system) {
  std::optional<std::int64_t> reference;
  if (const auto found = system.find(reference_clock_); found != system.end()) {
    reference = found->second;
    for (const auto& [id, time] : system) to_reference_[id] = *reference - time;
  } else if (!system.empty()) {  // By a clock of which an earlier snapshot tells.
    const auto& [id, time] = *system.begin();
    const auto offset = to_reference_.find(id);
    reference = Scaled(time, 1, offset == to_reference_.end() ? 0 : offset->second);
  }
  const auto wall = system.find(clock::kRealtime);
  if (clock_ == TraceClock::kWall && !shift_known_ && wall != system.end() && reference) {
    shift_ = wall->second - *reference;
    shift_known_ = true;
  }
  return reference;
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
    sequence.legacy_time = Scaled(field.AsInt64(), 1000, 0).value_or(0);
  }
  // Writers draw the ids of their tracks at random; one of these is not drawn.
  const auto ids =
      static_cast<std::uint64_t>(track.process) << 32U ^ static_cast<std::uint64_t>(track.thread);
  sequence.default_track = ids;
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

PerfettoReader::TrackEvent PerfettoReader::ParseTrackEvent(std::string_view bytes,
                                                           const Sequence& sequence) {
  TrackEvent event;
  event.track = sequence.default_track;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case event::kType:
        event.type = field.number_value;
        break;
      case event::kTrackUuid:
        event.track = field.number_value;
        break;
      case event::kNameIid:
        event.name = sequence.names.Find(field.number_value);
        break;
      case event::kName:
        if (IsBytes(field)) event.name = builder_.Intern(field.bytes);
        break;
      case event::kCategoryIid:
        if (!IsBytes(field)) event.category = sequence.categories.Find(field.number_value);
        break;
      case event::kCategory:
        if (IsBytes(field)) event.category = builder_.Intern(field.bytes);
        break;
      case event::kIntegerCounterValue:
        event.value = static_cast<double>(field.AsInt64());
        break;
      case event::kCounterValue:
        event.value = field.AsDouble();
        break;
      case event::kExtraCounterTracks:
        AppendNumbers(field, event.MakeRare().extra_counters);
        break;
      case event::kExtraDoubleCounterTracks:
        AppendNumbers(field, event.MakeRare().extra_double_counters);
        break;
      case event::kExtraCounterValues:
        AppendNumbers(field, event.MakeRare().extra_values);
        break;
      case event::kExtraDoubleCounterValues:
        AppendDoubles(field, event.MakeRare().extra_double_values);
        break;
      case event::kTimestampDeltaUs:
        event.MakeRare().delta_us = field.AsInt64();
        break;
      case event::kTimestampAbsoluteUs:
        event.MakeRare().absolute_us = field.AsInt64();
        break;
      case event::kLegacyEvent:
        if (IsBytes(field)) ParseLegacyEvent(field.bytes, sequence, event);
        break;
      case event::kAnnotation:
        if (IsBytes(field)) ParseAnnotation(field.bytes, sequence, event);
        break;
      case event::kFlowId:
      case event::kOldFlowId:
        if (!IsBytes(field)) event.flows.emplace_back(field.number_value, false);
        break;
      case event::kLastFlowId:
      case event::kOldLastFlowId:
        if (!IsBytes(field)) event.flows.emplace_back(field.number_value, true);
        break;
      default:
        break;
    }
  }
  return event;
}

void PerfettoReader::ParseLegacyEvent(std::string_view bytes, const Sequence& sequence,
                                      TrackEvent& event) {
  Rare& rare = event.MakeRare();
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case legacy::kNameIid:
        event.name = sequence.names.Find(field.number_value);
        break;
      case legacy::kPhase:
        rare.phase = static_cast<char>(field.number_value);
        break;
      case legacy::kDurationUs:
        rare.duration_us = field.AsInt64();
        break;
      case legacy::kUnscopedId:
      case legacy::kLocalId:
      case legacy::kGlobalId:
        rare.id = field.number_value;
        break;
      default:
        break;
    }
  }
}

void PerfettoReader::ParseAnnotation(std::string_view bytes, const Sequence& sequence,
                                     TrackEvent& event) {
  NameId name = kNoName;
  std::string value;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    switch (field.number) {
      case annotation::kNameIid:
        name = sequence.annotation_names.Find(field.number_value);
        break;
      case annotation::kName:
        if (IsBytes(field)) name = builder_.Intern(field.bytes);
        break;
      case annotation::kBool:
        value = field.number_value != 0 ? "true" : "false";
        break;
      case annotation::kUint:
      case annotation::kPointer:
        value = std::to_string(field.number_value);
        break;
      case annotation::kInt:
        value = std::to_string(field.AsInt64());
        break;
      case annotation::kDouble:
        value = NumberText(field.AsDouble());
        break;
      case annotation::kString:
        if (!IsBytes(field)) break;
        value.clear();
        AppendJsonText(field.bytes, value);
        if (builder_.Name(name) == "type") event.operator_type = builder_.Intern(field.bytes);
        break;
      default:
        break;
    }
  }
  if (value.empty()) return;
  if (!event.detail.empty()) event.detail += ',';
  // A long name is in the file once, but would be in the detail of every event.
  constexpr std::size_t kMaxName = 256;
  AppendJsonText(builder_.Name(name).substr(0, kMaxName), event.detail);
  event.detail.append(1, ':').append(value);
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
void PerfettoReader::AddExtraCounters(const Rare& event, const Sequence& sequence,
                                      std::int64_t time) {
  const auto add = [&](const auto& own, const auto& by_default, const auto& values) {
    const auto& tracks = own.empty() ? by_default : own;
    const std::size_t count = std::min(tracks.size(), values.size());
    for (std::size_t i = 0; i < count; ++i)
      AddCounter(FindTrack(tracks[i]), time, kNoName, static_cast<double>(values[i]));
    if (values.size() > count)
      builder_.NotUnderstand("a counter without a track", "", values.size() - count);
  };
  add(event.extra_counters, sequence.extra_counters, event.extra_values);
  add(event.extra_double_counters, sequence.extra_double_counters, event.extra_double_values);
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
