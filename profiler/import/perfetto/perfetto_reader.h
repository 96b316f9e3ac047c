// PerfettoReader: reads the track events of Perfetto's protobuf traces, which Sightline's own
// recorder and programs with Perfetto's SDK write.
//
// Source: protos/perfetto/trace of https://github.com/google/perfetto: trace_packet.proto,
// track_event/{track_event,track_descriptor,counter_descriptor,debug_annotation}.proto,
// clock_snapshot.proto. It reads slices, instants, counters and flows, with interned names,
// defaults, the clocks of sequences and of the system, compressed packets, and the events and
// descriptors of writers before track descriptors. Other packets, such as those of the kernel's
// tracing, are counted as not understood, by the number of their field.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/profiler/import/perfetto/trace_clocks.h"
#include "sightline/profiler/import/perfetto/track_event.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/import/source/span_kind.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

class PerfettoReader {
 public:
  // Both must outlive the reader.
  PerfettoReader(ByteSource& source, ModelBuilder& builder, TraceClock clock = TraceClock::kOwn)
      : window_(source), builder_(builder), clocks_(clock) {}

  // Reads everything. A track event counts as one event. kDataLoss if the file ends within a
  // packet, or contains bytes that are not a packet; the events before that are in the builder.
  Status Read();

 private:
  // The packets of one writer are a sequence. The definitions in a packet hold for the packets
  // after it.
  struct Sequence {
    EventDefinitions definitions;
    SequenceClocks clocks;
  };
  // A slice that has begun.
  struct Open {
    std::int64_t start = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    NameId detail = kNoName;
    NameId type = kNoName;
  };
  // A beginning or an end that is paired when all is read.
  struct Mark {
    Open open;  // Of an end, only the time.
    bool is_end = false;
  };
  struct Track {
    std::uint64_t parent = 0;
    std::string name;
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::string process_name, process_label, thread_name;
    NameId counter = kNoName;  // Its name, once it has a value.
    std::int64_t unit_multiplier = 1;
    bool is_incremental = false;  // Its values are added up.
    double sum = 0;
    bool described = false;
    bool has_lane = false;
    LaneId lane{};
    std::vector<Open> open;
    std::int64_t last_time = std::numeric_limits<std::int64_t>::min();  // Of a beginning or end.
    bool disordered = false;  // A time was before last_time.
    std::vector<Mark> marks;  // Of a disordered track all others; else ends without a beginning.
  };
  // The next packet in the window; false at the end or at damage.
  bool NextPacket(std::string_view& packet);
  void ReadPacket(std::string_view packet);
  void ReadCompressedPackets(std::string_view bytes);
  void ReadDefaults(std::string_view bytes, Sequence& sequence);
  static void ReadProcess(std::string_view bytes, Track& track);
  static void ReadThread(std::string_view bytes, Track& track);
  void ReadDescriptor(std::string_view bytes);
  static void ReadCounter(std::string_view bytes, Track& track);
  void ReadThreadDescriptor(std::string_view bytes, Sequence& sequence);
  void ReadProcessDescriptor(std::string_view bytes);
  void AddTrackEvent(const TrackEvent& event, std::int64_t time);
  void AddLegacyEvent(const TrackEvent& event, std::int64_t time, Track& track, NameId detail);
  void AddFlows(const TrackEvent& event, std::int64_t time, LaneId lane);
  void AddCounter(Track& track, std::int64_t time, NameId name, double value);
  void AddExtraCounters(const RareFields& event, const EventDefinitions& definitions,
                        std::int64_t time);
  // A beginning or an end of a slice.
  void AddMark(Track& track, const Open& open, bool is_end);
  // Pairs what AddMark could not.
  void PairMarks(Track& track);
  bool EndSlice(Track& track, std::int64_t time);
  bool AddSlice(const Open& begin, std::int64_t end, LaneId lane);
  // The track of asynchronous legacy events of one category, name and id.
  Track& AsyncTrack(const TrackEvent& event);
  Sequence& FindSequence(std::uint64_t id);
  // The track. Gives it a lane if it has none.
  Track& FindTrack(std::uint64_t id);
  void MakeLane(std::uint64_t id, Track& track);
  void CloseOpenSlices();

  ByteWindow window_;
  ModelBuilder& builder_;
  std::unordered_map<std::uint64_t, Sequence> sequences_;
  std::unordered_map<std::uint64_t, Track> tracks_;
  std::unordered_map<std::string, Track> async_tracks_;  // By category, name and id.
  // Sequence and track of the last packet; those of the next one are usually the same.
  std::pair<std::uint64_t, Sequence*> last_sequence_{0, nullptr};
  std::pair<std::uint64_t, Track*> last_track_{0, nullptr};
  SpanKinds kinds_;
  TraceClocks clocks_;
  bool in_compressed_ = false;
  std::int64_t last_time_ = 0;
  std::uint64_t packets_ = 0;
  Status damage_;
};

}  // namespace sightline::profiler
