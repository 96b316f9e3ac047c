// PacketWriter: the packets of a Perfetto trace as bytes. The recorder, the exporter and
// TraceWriter write with it.
//
//   PacketWriter packets(out);
//   packets.SetType(event::kSliceBegin);
//   packets.InternName(1, "matmul");
//   packets.SetName(1);
//   packets.SetTime(start);
//   packets.SetSequence(2, packet::kNeedsState);
//   packets.AddEvent();
//   packets.Finish();
//
// A message has its fields in the order of the calls. For one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/profiler/trace/perfetto_fields.h"

namespace sightline::profiler::perfetto {

// Describes a track: a process, a thread, a counter, or a row of slices.
class TrackDescriptor {
 public:
  explicit TrackDescriptor(std::uint64_t uuid);
  TrackDescriptor& Parent(std::uint64_t uuid);
  TrackDescriptor& Name(std::string_view name);
  // `id`: as the kernel numbers processes and threads.
  // `label` is shown beside the name; empty: none.
  TrackDescriptor& Process(std::int64_t id, std::string_view name, std::string_view label = {});
  TrackDescriptor& Thread(std::int64_t process_id, std::int64_t id,
                          std::optional<std::string_view> name);
  // Makes it the track of a counter. `unit` may be empty: none.
  TrackDescriptor& Counter(std::string_view unit = {});

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// The same instant on several clocks.
class ClockSnapshot {
 public:
  // `clock`: a clock::Id, or from kFirstOfSequence on one that the sequence defines.
  ClockSnapshot& Add(std::int64_t clock, std::int64_t nanos);
  // A clock whose timestamps are nanoseconds since the event before.
  ClockSnapshot& AddIncremental(std::int64_t clock, std::int64_t nanos);
  // The clock that timestamps without a clock are on.
  ClockSnapshot& Primary(std::int64_t clock);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class PacketWriter {
 public:
  // Finished packets are appended to `out`, which must outlive the writer.
  explicit PacketWriter(std::string& out) : out_(out) {}

  // Fields of the next packet. `flags`: bits of packet::SequenceFlag; 0: the packet has no flags.
  void SetTime(std::int64_t time);
  void SetClock(std::int64_t clock);
  void SetSequence(std::int64_t id, std::uint8_t flags = 0);
  void SetDefaults(std::int64_t clock, std::uint64_t track);
  void AddClocks(const ClockSnapshot& clocks);
  void AddTrack(const TrackDescriptor& track);
  // Adds the event below, after the texts that were interned for it.
  void AddEvent();
  void Finish();

  // The event of the next packet.
  void SetType(event::Type type);
  void SetTrack(std::uint64_t uuid);
  void SetName(std::int64_t iid);
  void SetName(std::string_view name);
  void SetCategory(std::int64_t iid);
  void SetCounterValue(double value);
  // `last`: the arrow ends at this event.
  void AddFlow(std::uint64_t id, bool last);
  void AddArgument(std::string_view name, bool value);
  void AddArgument(std::string_view name, std::uint64_t value);
  void AddArgument(std::string_view name, std::int64_t value);
  void AddArgument(std::string_view name, double value);
  void AddArgument(std::string_view name, std::string_view value);
  void AddArgument(std::string_view name, const char* value) = delete;  // It would become a bool.

  // The text of an id, for this and the following events of the sequence.
  void InternName(std::int64_t iid, std::string_view name);
  void InternCategory(std::int64_t iid, std::string_view category);

  // A whole packet with a begin or an end of a slice whose texts are interned: the same bytes as by
  // the calls above, in a fraction of the time, since most of a profile is such packets. The name
  // and the category are those of a begin; `category`: below 128; 0: none. `sequence`: below 2^31.
  void WriteBegin(std::int64_t time, std::int64_t sequence, std::uint32_t name,
                  std::uint8_t category);
  void WriteEnd(std::int64_t time, std::int64_t sequence);

 private:
  void Intern(interned::Field texts, std::int64_t iid, std::string_view text);
  void WriteSlice(std::int64_t time, std::int64_t sequence, std::string_view event);

  std::string& out_;
  std::string packet_;
  std::string event_;
  std::string interned_;
};

}  // namespace sightline::profiler::perfetto
