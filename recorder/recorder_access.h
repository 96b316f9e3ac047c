// RecorderAccess: what SummaryMonitor and the Python binding need of a Recorder, and its users do
// not. Not installed. Threads: as for Recorder.
#pragma once

#include <cstddef>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/recorder.h"

namespace sightline {

class RecorderAccess {
 public:
  // Counts a value as invalid that its caller could not pass on, such as a text in place of a
  // number. `why` is kept as an error. WritingOptions::on_refused is called once for each `cause`.
  static void Refuse(Recorder& recorder, const Status& why, std::string_view cause) noexcept;

  // Returns OK if no value was refused or dropped. Otherwise the message is "values that were
  // refused: 3, dropped: 2; first: ..." and the code kInvalidArgument, or kResourceExhausted if
  // values were only dropped.
  static Status Refusals(const Recorder& recorder);

  // Whether a call with so many bytes of values and tags would return now, without waiting for room
  // or for the disk. Only a hint, since other threads record too. It is for callers that hold a
  // lock which others need.
  static bool HasRoom(const Recorder& recorder, std::size_t bytes) noexcept;
};

}  // namespace sightline
