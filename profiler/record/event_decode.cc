#include "sightline/profiler/record/event_decode.h"

#include <bit>
#include <cstring>

#include "sightline/base/utf8.h"

namespace sightline::profiler {

std::string EventDecoder::Text(const EventRing& ring, std::uint64_t& position, std::size_t size) {
  const std::size_t slots = (size + sizeof(Slot) - 1) / sizeof(Slot);
  std::string text(slots * sizeof(Slot), '\0');
  for (std::size_t i = 0; i < slots; ++i) {
    std::memcpy(text.data() + i * sizeof(Slot), &ring.At(position++), sizeof(Slot));
  }
  text.resize(size);
  return ToUtf8(text);
}

void EventDecoder::DecodeOperator(const EventRing& ring, std::uint64_t position,
                                  TraceEvent& event) {
  const Slot& times = ring.At(position++);
  const Slot& rest = ring.At(position++);
  event.run.start_nanos = static_cast<std::int64_t>(times.first);
  event.run.end_nanos = static_cast<std::int64_t>(times.second);
  event.run.flops = std::bit_cast<double>(rest.first);
  type_ = Text(ring, position, rest.second & 0xffffU);
  name_ = Text(ring, position, rest.second >> 16U & 0xffffU);
  shapes_ = Text(ring, position, rest.second >> 32U & 0xffffU);
  event.run.type = type_;
  event.run.full_name = name_;
  event.run.shapes = shapes_;
}

void EventDecoder::Decode(const EventRing& ring, std::uint64_t position, TraceEvent& event) {
  event.head = EventHead::Unpacked(ring.At(position++).second);
  if (event.head.has_flow) {
    const Slot& flow = ring.At(position++);
    event.flow = {flow.first, flow.second != 0};
  }
  switch (event.head.kind) {
    case EventKind::kSpanBegin:
    case EventKind::kSpanEnd:
    case EventKind::kInstant:
    case EventKind::kStepEnd:
      return;
    case EventKind::kCounter:
      event.value = std::bit_cast<double>(ring.At(position).first);
      return;
    case EventKind::kStepBegin:
      event.number = static_cast<std::int64_t>(ring.At(position).first);
      return;
    case EventKind::kOperator:
      return DecodeOperator(ring, position, event);
    case EventKind::kThreadName: {
      const auto size = static_cast<std::size_t>(ring.At(position++).first);
      text_ = Text(ring, position, size);
      event.text = text_;
      return;
    }
    case EventKind::kQueue: {
      const Slot& sizes = ring.At(position++);
      event.number = static_cast<std::int64_t>(sizes.first);
      event.workers = static_cast<std::int64_t>(sizes.second);
      event.parent = static_cast<EventName>(ring.At(position).first);
      return;
    }
  }
}

}  // namespace sightline::profiler
