// TraceWriter: writes a trace for https://ui.perfetto.dev and `sightline profile`, of times that
// the program has itself: a simulator, a converter, a test. Link Sightline::profiler_trace.
//
//   sightline::profiler::TraceWriter trace("run.perfetto-trace");
//   const auto gpu = trace.AddTrack("gpu 0");
//   const auto stream = trace.AddTrack("stream 7", gpu);       // Below it.
//   trace.Span(stream, "matmul", start_ns, end_ns);
//   const auto memory = trace.AddCounter("memory", "bytes");
//   trace.Value(memory, now_ns, 1 << 20);
//   if (!trace.Close()) ...;                                    // The file is incomplete.
//
// Times are integer nanoseconds of a clock that the program chooses; a time below 0 becomes 0. The
// spans of a track nest, and their times ascend; between tracks the order does not matter. What was
// written before the last Flush can be read even if the program is killed. One thread may use it at
// a time. To profile a program while it runs, use span.h (Sightline::profiler_record), which is
// faster and takes events from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sightline::profiler {

class TraceWriter {
 public:
  using Track = std::uint64_t;

  // Creates the file, or replaces it. If that fails, nothing is written, and Close returns false.
  explicit TraceWriter(const std::string& path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // `below`: the track under which the new one is shown; 0: none.
  Track AddTrack(std::string_view name, Track below = 0);
  Track AddCounter(std::string_view name, std::string_view unit = {}, Track below = 0);

  // `flow`: an arrow connects events with the same number, in the order of their times; 0: none.
  void Span(Track track, std::string_view name, std::int64_t start, std::int64_t end,
            std::uint64_t flow = 0);
  void Begin(Track track, std::string_view name, std::int64_t time, std::uint64_t flow = 0);
  // Ends the last open span of the track.
  void End(Track track, std::int64_t time);
  void Instant(Track track, std::string_view name, std::int64_t time, std::uint64_t flow = 0);
  // The counter has this value from `time` on.
  void Value(Track counter, std::int64_t time, double value);

  // Hands what was written to the system. False if anything, now or before, could not be written.
  bool Flush();
  // Flushes, and closes the file. A second call returns what the first one returned.
  bool Close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::profiler
