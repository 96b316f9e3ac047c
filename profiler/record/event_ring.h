// EventRing: the events that one thread has recorded and the writer has not taken yet. One thread
// puts and one takes; neither waits for the other. An event is one slot of 16 bytes, or more if it
// has more than a name and a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sightline/profiler/record/span.h"

namespace sightline::profiler {

// After '+': the slots that follow the first one; {a, b} are the two halves of a slot.
enum class EventKind : std::uint8_t {
  kSpanBegin,
  kSpanEnd,
  kInstant,
  kCounter,    // + {the bits of the value, a double; 0}
  kStepBegin,  // + {number, 0}
  kStepEnd,
  kOperator,    // + {start, end} {flops, lengths} text...
  kThreadName,  // + {length, 0} text...
  kQueue,       // + {capacity, workers} {parent's name, 0}
};

struct Slot {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

// The second half of an event's first slot; its first half is the reading of the clock.
struct EventHead {
  EventName name = 0;
  EventKind kind = EventKind::kSpanBegin;
  Category category = Category::kNone;
  bool has_flow = false;         // + {id, whether it ends here}, before all other slots.
  std::uint32_t more_slots = 0;  // At most 2^16 - 1.

  constexpr std::uint64_t Packed() const {
    return name | std::uint64_t{static_cast<std::uint8_t>(kind)} << 24U |
           std::uint64_t{static_cast<std::uint8_t>(category)} << 32U |
           std::uint64_t{has_flow} << 40U | std::uint64_t{more_slots} << 48U;
  }
  static constexpr EventHead Unpacked(std::uint64_t bits) {
    return {static_cast<EventName>(bits & 0xffffffU), static_cast<EventKind>(bits >> 24U & 0xffU),
            static_cast<Category>(bits >> 32U & 0xffU), (bits >> 40U & 1U) != 0,
            static_cast<std::uint32_t>(bits >> 48U)};
  }
};

class EventRing {
 public:
  // Null if the system has no memory. `bytes` is rounded up to a power of two. The system gives
  // each page when its slots are first used.
  static std::shared_ptr<EventRing> Create(std::size_t bytes, int thread_id, std::string name);
  ~EventRing();
  EventRing(const EventRing&) = delete;
  EventRing& operator=(const EventRing&) = delete;

  Slot* slots() { return slots_; }
  std::uint64_t capacity() const { return capacity_; }
  const Slot& At(std::uint64_t position) const { return slots_[position & (capacity_ - 1)]; }
  int thread_id() const { return thread_id_; }
  const std::string& name() const { return name_; }

  // Only the recording thread writes the first three. `tail`, which only the writer writes, is in
  // another cache line.
  alignas(64) std::atomic<std::uint64_t> head{0};  // One past the last slot of a whole event.
  std::atomic<std::uint64_t> dropped{0};           // Events for which there was no room.
  std::atomic<bool> finished{false};               // The thread has ended.
  alignas(64) std::atomic<std::uint64_t> tail{0};  // The first slot that is not taken yet.

 private:
  EventRing(Slot* slots, std::uint64_t capacity, int thread_id, std::string name)
      : slots_(slots), capacity_(capacity), thread_id_(thread_id), name_(std::move(name)) {}

  Slot* slots_;
  std::uint64_t capacity_;  // A power of two.
  int thread_id_;           // As gettid() returns it.
  std::string name_;
};

}  // namespace sightline::profiler
