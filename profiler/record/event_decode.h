// EventDecoder: turns the slots of a ring into events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/span.h"

namespace sightline::profiler {

// One decoded event. Members that do not belong to its kind keep these values.
struct TraceEvent {
  EventHead head;
  std::int64_t nanos = 0;
  Flow flow;
  double value = 0;          // kCounter.
  std::int64_t number = 0;   // kStepBegin: the step. kQueue: its capacity; 0: none.
  std::int64_t workers = 0;  // kQueue.
  EventName parent = 0;      // kQueue.
  OperatorRun run;           // kOperator.
  std::string_view text;     // kThreadName.
};

// For one thread. It keeps the texts of the last event that it decoded.
class EventDecoder {
 public:
  // Decodes the event whose first slot is at `position`, except its time. The event has
  // `event.head.more_slots` further slots.
  void Decode(const EventRing& ring, std::uint64_t position, TraceEvent& event);

 private:
  // A text as valid UTF-8. Moves `position` to the slot after it.
  std::string Text(const EventRing& ring, std::uint64_t& position, std::size_t size);
  void DecodeOperator(const EventRing& ring, std::uint64_t position, TraceEvent& event);

  std::string type_;
  std::string name_;
  std::string shapes_;
  std::string text_;
};

}  // namespace sightline::profiler
