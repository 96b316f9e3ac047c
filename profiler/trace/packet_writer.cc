#include "sightline/profiler/trace/packet_writer.h"

#include <algorithm>
#include <array>

#include "sightline/base/wire.h"

namespace sightline::profiler::perfetto {
namespace {

using wire::AppendBytes;
using wire::AppendDouble;
using wire::AppendInt;

void AppendUint(std::string& out, std::uint32_t field, std::uint64_t value) {
  AppendInt(out, field, static_cast<std::int64_t>(value));
}

std::string Argument(std::string_view name) {
  std::string argument;
  AppendBytes(argument, annotation::kName, name);
  return argument;
}

// The key of a field below 16, which is one byte.
constexpr char KeyByte(std::uint32_t field, wire::WireType type = wire::WireType::kVarint) {
  return static_cast<char>(wire::Key(field, type));
}

}  // namespace

// --- Tracks and clocks ---------------------------------------------------------------------------

TrackDescriptor::TrackDescriptor(std::uint64_t uuid) { AppendUint(bytes_, track::kUuid, uuid); }

TrackDescriptor& TrackDescriptor::Parent(std::uint64_t uuid) {
  AppendUint(bytes_, track::kParentUuid, uuid);
  return *this;
}

TrackDescriptor& TrackDescriptor::Name(std::string_view name) {
  AppendBytes(bytes_, track::kName, name);
  return *this;
}

TrackDescriptor& TrackDescriptor::Process(std::int64_t id, std::string_view name,
                                          std::string_view label) {
  std::string process;
  AppendInt(process, process::kId, id);
  AppendBytes(process, process::kName, name);
  if (!label.empty()) AppendBytes(process, process::kLabels, label);
  AppendBytes(bytes_, track::kProcess, process);
  return *this;
}

TrackDescriptor& TrackDescriptor::Thread(std::int64_t process_id, std::int64_t id,
                                         std::optional<std::string_view> name) {
  std::string thread;
  AppendInt(thread, thread::kProcessId, process_id);
  AppendInt(thread, thread::kId, id);
  if (name) AppendBytes(thread, thread::kName, *name);
  AppendBytes(bytes_, track::kThread, thread);
  return *this;
}

TrackDescriptor& TrackDescriptor::Counter(std::string_view unit) {
  std::string counter;
  if (!unit.empty()) AppendBytes(counter, counter::kUnitName, unit);
  AppendBytes(bytes_, track::kCounter, counter);
  return *this;
}

ClockSnapshot& ClockSnapshot::Add(std::int64_t clock, std::int64_t nanos) {
  std::string entry;
  AppendInt(entry, clock::kId, clock);
  AppendInt(entry, clock::kTimestamp, nanos);
  AppendBytes(bytes_, snapshot::kClock, entry);
  return *this;
}

ClockSnapshot& ClockSnapshot::AddIncremental(std::int64_t clock, std::int64_t nanos) {
  std::string entry;
  AppendInt(entry, clock::kId, clock);
  AppendInt(entry, clock::kTimestamp, nanos);
  AppendInt(entry, clock::kIsIncremental, 1);
  AppendInt(entry, clock::kUnitNanos, 1);
  AppendBytes(bytes_, snapshot::kClock, entry);
  return *this;
}

ClockSnapshot& ClockSnapshot::Primary(std::int64_t clock) {
  AppendInt(bytes_, snapshot::kPrimaryClock, clock);
  return *this;
}

// --- Packets -------------------------------------------------------------------------------------

void PacketWriter::SetTime(std::int64_t time) { AppendInt(packet_, packet::kTimestamp, time); }

void PacketWriter::SetClock(std::int64_t clock) {
  AppendInt(packet_, packet::kTimestampClockId, clock);
}

void PacketWriter::SetSequence(std::int64_t id, std::uint8_t flags) {
  AppendInt(packet_, packet::kSequenceId, id);
  if (flags != 0) AppendInt(packet_, packet::kSequenceFlags, flags);
}

void PacketWriter::SetDefaults(std::int64_t clock, std::uint64_t track) {
  std::string event;
  AppendUint(event, event::kTrackUuid, track);
  std::string defaults;
  AppendInt(defaults, defaults::kTimestampClockId, clock);
  AppendBytes(defaults, defaults::kTrackEvent, event);
  AppendBytes(packet_, packet::kDefaults, defaults);
}

void PacketWriter::AddClocks(const ClockSnapshot& clocks) {
  AppendBytes(packet_, packet::kClockSnapshot, clocks.bytes());
}

void PacketWriter::AddTrack(const TrackDescriptor& track) {
  AppendBytes(packet_, packet::kTrackDescriptor, track.bytes());
}

void PacketWriter::AddEvent() {
  if (!interned_.empty()) AppendBytes(packet_, packet::kInternedData, interned_);
  AppendBytes(packet_, packet::kTrackEvent, event_);
  interned_.clear();
  event_.clear();
}

void PacketWriter::Finish() {
  AppendBytes(out_, trace::kPacket, packet_);
  packet_.clear();
}

// --- Events --------------------------------------------------------------------------------------

void PacketWriter::SetType(event::Type type) { AppendInt(event_, event::kType, type); }

void PacketWriter::SetTrack(std::uint64_t uuid) { AppendUint(event_, event::kTrackUuid, uuid); }

void PacketWriter::SetName(std::int64_t iid) { AppendInt(event_, event::kNameIid, iid); }

void PacketWriter::SetName(std::string_view name) { AppendBytes(event_, event::kName, name); }

void PacketWriter::SetCategory(std::int64_t iid) { AppendInt(event_, event::kCategoryIid, iid); }

void PacketWriter::SetCounterValue(double value) {
  AppendDouble(event_, event::kCounterValue, value);
}

void PacketWriter::AddFlow(std::uint64_t id, bool last) {
  wire::AppendKey(event_, last ? event::kLastFlowId : event::kFlowId, wire::WireType::kFixed64);
  wire::AppendFixed(event_, id);
}

void PacketWriter::AddArgument(std::string_view name, bool value) {
  std::string argument = Argument(name);
  AppendInt(argument, annotation::kBool, value ? 1 : 0);
  AppendBytes(event_, event::kAnnotation, argument);
}

void PacketWriter::AddArgument(std::string_view name, std::uint64_t value) {
  std::string argument = Argument(name);
  AppendUint(argument, annotation::kUint, value);
  AppendBytes(event_, event::kAnnotation, argument);
}

void PacketWriter::AddArgument(std::string_view name, std::int64_t value) {
  std::string argument = Argument(name);
  AppendInt(argument, annotation::kInt, value);
  AppendBytes(event_, event::kAnnotation, argument);
}

void PacketWriter::AddArgument(std::string_view name, double value) {
  std::string argument = Argument(name);
  AppendDouble(argument, annotation::kDouble, value);
  AppendBytes(event_, event::kAnnotation, argument);
}

void PacketWriter::AddArgument(std::string_view name, std::string_view value) {
  std::string argument = Argument(name);
  AppendBytes(argument, annotation::kString, value);
  AppendBytes(event_, event::kAnnotation, argument);
}

void PacketWriter::Intern(interned::Field texts, std::int64_t iid, std::string_view text) {
  std::string entry;
  AppendInt(entry, entry::kIid, iid);
  AppendBytes(entry, entry::kText, text);
  AppendBytes(interned_, texts, entry);
}

void PacketWriter::InternName(std::int64_t iid, std::string_view name) {
  Intern(interned::kEventNames, iid, name);
}

void PacketWriter::InternCategory(std::int64_t iid, std::string_view category) {
  Intern(interned::kCategories, iid, category);
}

// --- Begins and ends of slices -------------------------------------------------------------------

void PacketWriter::WriteBegin(std::int64_t time, std::int64_t sequence, std::uint32_t name,
                              std::uint8_t category) {
  std::array<char, 10> event{};
  char* at = event.data();
  *at++ = KeyByte(event::kType);
  *at++ = static_cast<char>(event::kSliceBegin);
  *at++ = KeyByte(event::kNameIid);
  at = wire::PutVarint(at, name);
  if (category != 0) {
    *at++ = KeyByte(event::kCategoryIid);
    *at++ = static_cast<char>(category);
  }
  WriteSlice(time, sequence, {event.data(), static_cast<std::size_t>(at - event.data())});
}

void PacketWriter::WriteEnd(std::int64_t time, std::int64_t sequence) {
  static constexpr std::array<char, 2> kEvent = {KeyByte(event::kType),
                                                 static_cast<char>(event::kSliceEnd)};
  WriteSlice(time, sequence, {kEvent.data(), kEvent.size()});
}

void PacketWriter::WriteSlice(std::int64_t time, std::int64_t sequence, std::string_view event) {
  std::array<char, 64> packet{};
  char* at = packet.data() + 2;
  *at++ = KeyByte(packet::kTimestamp);
  at = wire::PutVarint(at, static_cast<std::uint64_t>(time));
  *at++ = KeyByte(packet::kSequenceId);
  at = wire::PutVarint(at, static_cast<std::uint64_t>(sequence));
  *at++ = KeyByte(packet::kSequenceFlags);
  *at++ = static_cast<char>(packet::kNeedsState);
  *at++ = KeyByte(packet::kTrackEvent, wire::WireType::kBytes);
  *at++ = static_cast<char>(event.size());
  at = std::copy(event.begin(), event.end(), at);
  packet[0] = KeyByte(trace::kPacket, wire::WireType::kBytes);
  packet[1] = static_cast<char>(at - packet.data() - 2);  // Below 128, so one byte.
  out_.append(packet.data(), static_cast<std::size_t>(at - packet.data()));
}

}  // namespace sightline::profiler::perfetto
