// SystemScalars: what the process takes from its machine (base/resource_sampler.h, without the
// single threads) as scalars "system/..." of a run, at the newest step that was noted. A thread of
// its own samples, so that no step waits for /proc or for NVIDIA's library.
//
// One thread at a time. In a forked child it records nothing, and its end waits for nothing.
// Private to collectors/.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "sightline/base/status.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

class SystemScalars {
 public:
  static constexpr std::chrono::milliseconds kInterval{10'000};

  // From now on a sample every `interval`, the first one after it: rates need two readings.
  // `recorder` must outlive it, and takes values of any thread. Errors: no thread to be had.
  static Result<std::unique_ptr<SystemScalars>> Start(
      Recorder& recorder, std::int64_t step, std::chrono::milliseconds interval = kInterval);

  ~SystemScalars();
  SystemScalars(const SystemScalars&) = delete;
  SystemScalars& operator=(const SystemScalars&) = delete;

  void NoteStep(std::int64_t step);

 private:
  struct State;
  explicit SystemScalars(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace sightline
