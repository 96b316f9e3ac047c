// ProfileWriter: the work of a profile's thread. It takes the events out of all rings, converts
// their clock readings to times, encodes them, and appends them to the file. For one thread; any
// thread may call counts().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/profiler/record/event_decode.h"
#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/ticks.h"
#include "sightline/profiler/record/trace_encoder.h"

namespace sightline::profiler {

class ProfileWriter {
 public:
  explicit ProfileWriter(std::unique_ptr<WritableFile> file);

  // Encodes the beginning of the file. Call it before any event is recorded.
  void Start();
  // Takes and encodes all that has been recorded so far. Returns how full the fullest ring was, 0
  // to 1.
  double Drain();
  // Writes to the file what has been encoded.
  void Flush();
  // Drains and writes the rest, and closes the file. Returns the first error of all writes.
  Status Finish();

  struct Counts {
    std::uint64_t events = 0;
    std::uint64_t dropped = 0;
    std::uint64_t bytes = 0;
    std::size_t threads = 0;
  };
  Counts counts() const;

 private:
  struct Source {
    std::shared_ptr<EventRing> ring;
    std::size_t thread = 0;  // Its number in the file.
    std::uint64_t end = 0;   // Up to here Drain takes slots this time.
  };

  void AddNewRings();
  void DrainRing(Source& source);
  void CountDropped();
  void Keep(const Status& status);

  std::unique_ptr<WritableFile> file_;
  std::string out_;  // Encoded, but not in the file yet.
  TraceEncoder encoder_{out_};
  TickTimeline timeline_;
  EventDecoder decoder_;
  std::vector<Source> sources_;
  std::uint64_t dropped_by_ended_ = 0;  // Dropped events of threads that have ended.
  std::uint64_t events_in_out_ = 0;
  Status status_;
  std::atomic<std::uint64_t> events_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> lost_{0};  // Events that could not be written.
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::size_t> threads_{0};
};

}  // namespace sightline::profiler
