// SystemScalars: records what the process uses of its machine (base/system/resource_sampler.h,
// without single threads) as scalars "system/..." of a run, at the newest step that was noted. It
// samples in its own thread, so that no step waits for /proc or for NVIDIA's library.
//
// One thread at a time. In a forked child it records nothing, and its destructor does not wait.
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

  // Starts to sample every `interval`. The first sample comes after the first interval, since rates
  // need two readings. `recorder` must outlive this object, and must accept values from any thread.
  // An error if the system has no thread to give.
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
