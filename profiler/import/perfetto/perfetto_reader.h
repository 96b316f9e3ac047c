// PerfettoReader: reads the track events of Perfetto's protobuf traces, which Sightline's own
// recorder and programs with Perfetto's SDK write.
//
// Source: protos/perfetto/trace of https://github.com/google/perfetto: trace_packet.proto,
// track_event/{track_event,track_descriptor,debug_annotation}.proto, clock_snapshot.proto. It reads
// slices, instants, counters and flows, with interned names, defaults and the clocks of sequences.
// Other packets, such as those of the kernel's tracing, are counted as not understood, by the
// number of their field.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// The clock of the model's times: the trace's own, or wall time (since 1970), for which the trace
// needs a snapshot of both.
enum class TraceClock : std::uint8_t { kOwn, kWall };

class PerfettoReader {
 public:
  // Both must outlive the reader.
  PerfettoReader(ByteSource& source, ModelBuilder& builder, TraceClock clock = TraceClock::kOwn)
      : window_(source), builder_(builder), clock_(clock) {}

  // Reads everything. A track event counts as one event. kDataLoss if the file ends within a
  // packet, or contains bytes that are not a packet; the events before that are in the builder.
  Status Read();

 private:
  // Interned names by their ids, which writers count up from 1.
  class Names {
   public:
    void Set(std::uint64_t iid, NameId name);
    // kNoName if there is none.
    NameId Find(std::uint64_t iid) const {
      if (iid < dense_.size() && dense_[iid] != kNoName) return dense_[iid];
      if (sparse_.empty()) return kNoName;
      const auto found = sparse_.find(iid);
      return found == sparse_.end() ? kNoName : found->second;
    }

   private:
    std::vector<NameId> dense_;
    std::unordered_map<std::uint64_t, NameId> sparse_;  // Ids far greater than all before them.
  };

  struct SequenceClock {
    std::int64_t time = 0;    // Of an incremental clock: the last time, in its own units.
    std::int64_t unit = 1;    // Nanoseconds.
    std::int64_t offset = 0;  // To the trace's clock, nanoseconds.
    bool incremental = false;
  };
  // The packets of one writer are a sequence. The definitions in a packet hold for the packets
  // after it.
  struct Sequence {
    Names categories, names, annotation_names;
    std::map<std::uint64_t, SequenceClock> clocks;
    // The clock of the last event; points into `clocks`, whose elements do not move.
    std::pair<std::uint64_t, SequenceClock*> last_clock{0, nullptr};
    std::uint64_t default_clock = 0;
    std::uint64_t default_track = 0;
  };
  // A slice that has begun.
  struct Open {
    std::int64_t start = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    NameId detail = kNoName;
    NameId type = kNoName;
  };
  struct Track {
    std::uint64_t parent = 0;
    std::string name;
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::string process_name, process_label, thread_name;
    NameId counter = kNoName;  // Its name, once it has a value.
    bool described = false;
    bool has_lane = false;
    LaneId lane{};
    std::vector<Open> open;
  };
  struct TrackEvent {
    std::uint64_t type = 0;
    std::uint64_t track = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    double value = 0;
    std::vector<std::pair<std::uint64_t, bool>> flows;  // Id, and whether it ends here.
    std::string detail;                                 // A JSON object without its braces.
    NameId operator_type = kNoName;
  };

  // The next packet in the window; false at the end or at damage.
  bool NextPacket(std::string_view& packet);
  void ReadPacket(std::string_view packet);
  void ReadDefaults(std::string_view bytes, Sequence& sequence);
  void ReadInterned(std::string_view bytes, Sequence& sequence);
  void ReadClocks(std::string_view bytes, Sequence& sequence);
  static void ReadProcess(std::string_view bytes, Track& track);
  static void ReadThread(std::string_view bytes, Track& track);
  void ReadDescriptor(std::string_view bytes);
  TrackEvent ParseTrackEvent(std::string_view bytes, const Sequence& sequence);
  void ParseAnnotation(std::string_view bytes, const Sequence& sequence, TrackEvent& event);
  static void AddInterned(std::string_view bytes, ModelBuilder& builder, Names& names);
  void AddTrackEvent(const TrackEvent& event, std::int64_t time);
  void AddFlows(const TrackEvent& event, std::int64_t time, LaneId lane);
  bool EndSlice(Track& track, std::int64_t time);
  Sequence& FindSequence(std::uint64_t id);
  // A timestamp on the clock of the model; no value if it cannot be converted.
  std::optional<std::int64_t> ConvertTime(std::uint64_t timestamp, std::uint64_t clock,
                                          Sequence& sequence) const;
  // The track. Gives it a lane if it has none.
  Track& FindTrack(std::uint64_t id);
  void MakeLane(std::uint64_t id, Track& track);
  void CloseOpenSlices();

  ByteWindow window_;
  ModelBuilder& builder_;
  std::unordered_map<std::uint64_t, Sequence> sequences_;
  std::unordered_map<std::uint64_t, Track> tracks_;
  // Sequence and track of the last packet; those of the next one are usually the same.
  std::pair<std::uint64_t, Sequence*> last_sequence_{0, nullptr};
  std::pair<std::uint64_t, Track*> last_track_{0, nullptr};
  TraceClock clock_;
  std::int64_t shift_ = 0;  // The model's time minus the trace's.
  bool shift_known_ = false;
  std::int64_t last_time_ = 0;
  std::uint64_t packets_ = 0;
  Status damage_;
};

}  // namespace sightline::profiler
