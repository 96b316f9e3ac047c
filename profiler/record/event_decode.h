// The slots of a ring, taken apart.
#pragma once

#include <string>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/trace_sink.h"

namespace sightline::tracing {

// For one thread. Texts of the event it has taken last are kept in it.
class EventDecoder {
 public:
  // The event whose first slot is at `position`, without its time; `event.head.more_slots` slots
  // follow the first.
  void Decode(const EventRing& ring, std::uint64_t position, TraceEvent& event);

 private:
  // Valid UTF-8; `position` moves behind it.
  std::string Text(const EventRing& ring, std::uint64_t& position, std::size_t size);
  void DecodeOperator(const EventRing& ring, std::uint64_t position, TraceEvent& event);

  std::string type_;
  std::string name_;
  std::string shapes_;
  std::string text_;
};

}  // namespace sightline::tracing
