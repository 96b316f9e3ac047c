// TraceWriter: writes a trace for https://ui.perfetto.dev from any program. This header needs
// nothing but C++17's library, so you can copy it into another project.
//
//   sightline::tracing::TraceWriter trace("run.perfetto-trace");
//   const auto gpu = trace.AddTrack("gpu 0");
//   const auto stream = trace.AddTrack("stream 7", gpu);       // Below it.
//   trace.Span(stream, "matmul", start_ns, end_ns);
//   const auto memory = trace.AddCounter("memory", "bytes");
//   trace.Value(memory, now_ns, 1 << 20);
//   if (!trace.Close()) ...;                                    // Something is not in the file.
//
// Times are integer nanoseconds of a clock that the program chooses. The spans of a track nest, and
// their times ascend; between tracks the order does not matter. What was written before the last
// Flush can be read even if the program is killed. One thread may use it at a time. To profile a
// program while it runs, use span.h, which is faster and takes events from any thread.
//
// Format: the message Trace of protos/perfetto/trace/trace.proto,
// https://github.com/google/perfetto.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sightline::tracing {

class TraceWriter {
 public:
  using Track = std::uint64_t;

  // Creates the file, or replaces it. If that fails, nothing is written, and Close returns false.
  explicit TraceWriter(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
  ~TraceWriter() { Close(); }
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // `below`: the track under which the new one is shown; 0: none.
  Track AddTrack(std::string_view name, Track below = 0) { return Describe(name, below, nullptr); }
  Track AddCounter(std::string_view name, std::string_view unit = {}, Track below = 0) {
    return Describe(name, below, &unit);
  }

  // `flow`: an arrow connects events with the same number, in the order of their times; 0: none.
  void Span(Track track, std::string_view name, std::int64_t start, std::int64_t end,
            std::uint64_t flow = 0) {
    Begin(track, name, start, flow);
    End(track, end);
  }
  void Begin(Track track, std::string_view name, std::int64_t time, std::uint64_t flow = 0) {
    Event(track, kBegin, name, time, flow, nullptr);
  }
  // Ends the last open span of the track.
  void End(Track track, std::int64_t time) { Event(track, kEnd, {}, time, 0, nullptr); }
  void Instant(Track track, std::string_view name, std::int64_t time, std::uint64_t flow = 0) {
    Event(track, kInstant, name, time, flow, nullptr);
  }
  // The counter has this value from `time` on.
  void Value(Track counter, std::int64_t time, double value) {
    Event(counter, kCounter, {}, time, 0, &value);
  }

  // Hands what was written to the system. False if anything, now or before, could not be written.
  bool Flush() {
    if (file_ == nullptr) return false;
    failed_ = failed_ || std::fwrite(out_.data(), 1, out_.size(), file_) != out_.size();
    failed_ = std::fflush(file_) != 0 || failed_;
    out_.clear();
    return !failed_;
  }
  // Flushes, and closes the file. A second call returns what the first one returned.
  bool Close() {
    if (file_ == nullptr) return closed_well_;
    closed_well_ = Flush();
    closed_well_ = std::fclose(file_) == 0 && closed_well_;
    file_ = nullptr;
    return closed_well_;
  }

 private:
  enum Type { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };
  static constexpr std::size_t kFlushAt = std::size_t{1} << 20U;

  // Protobuf: a varint, then fields that hold a varint, bytes, and 64 bits.
  static void Varint(std::string& to, std::uint64_t value) {
    for (; value > 127; value >>= 7U) to += static_cast<char>((value & 127U) | 128U);
    to += static_cast<char>(value);
  }
  static void Number(std::string& to, std::uint32_t field, std::uint64_t value) {
    Varint(to, std::uint64_t{field} << 3U);
    Varint(to, value);
  }
  static void Bytes(std::string& to, std::uint32_t field, std::string_view bytes) {
    Varint(to, (std::uint64_t{field} << 3U) | 2U);
    Varint(to, bytes.size());
    to += bytes;
  }
  static void Fixed(std::string& to, std::uint32_t field, std::uint64_t bits) {
    Varint(to, (std::uint64_t{field} << 3U) | 1U);
    for (int shift = 0; shift < 64; shift += 8) to += static_cast<char>(bits >> shift);
  }

  // trusted_packet_sequence_id (10) and sequence_flags (13): the first packet resets the names.
  void Packet(std::string& packet) {
    Number(packet, 10, 1);
    Number(packet, 13, first_ ? 3 : 2);
    first_ = false;
    Bytes(out_, 1, packet);
    if (out_.size() > kFlushAt) Flush();
  }

  // TrackDescriptor (60): uuid (1), name (2), parent_uuid (5), counter (8): unit_name (6).
  Track Describe(std::string_view name, Track below, const std::string_view* unit) {
    descriptor_.clear();
    Number(descriptor_, 1, ++last_track_);
    Bytes(descriptor_, 2, name);
    if (below != 0) Number(descriptor_, 5, below);
    if (unit != nullptr) {
      event_.clear();
      if (!unit->empty()) Bytes(event_, 6, *unit);
      Bytes(descriptor_, 8, event_);
    }
    packet_.clear();
    Bytes(packet_, 60, descriptor_);
    Packet(packet_);
    return last_track_;
  }

  // TrackEvent (11): type (9), name_iid (10), track_uuid (11), double_counter_value (44), flow_ids
  // (47). InternedData (12): event_names (2): iid (1), name (2).
  void Event(Track track, Type type, std::string_view name, std::int64_t time, std::uint64_t flow,
             const double* value) {
    packet_.clear();
    event_.clear();
    Number(packet_, 8, time < 0 ? 0 : static_cast<std::uint64_t>(time));
    Number(event_, 9, type);
    Number(event_, 11, track);
    if (type == kBegin || type == kInstant) {
      const auto [known, is_new] = names_.try_emplace(std::string(name), names_.size() + 1);
      Number(event_, 10, known->second);
      if (is_new) {
        descriptor_.clear();
        Number(descriptor_, 1, known->second);
        Bytes(descriptor_, 2, name);
        std::string names;
        Bytes(names, 2, descriptor_);
        Bytes(packet_, 12, names);
      }
    }
    if (value != nullptr) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, value, sizeof(bits));
      Fixed(event_, 44, bits);
    }
    if (flow != 0) Fixed(event_, 47, flow);
    Bytes(packet_, 11, event_);
    Packet(packet_);
  }

  std::FILE* file_;
  std::string out_, packet_, event_, descriptor_;
  std::unordered_map<std::string, std::uint64_t> names_;
  Track last_track_ = 0;
  bool first_ = true;
  bool failed_ = false;
  bool closed_well_ = false;
};

}  // namespace sightline::tracing
