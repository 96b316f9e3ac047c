// How an event gets into its thread's ring.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/span.h"

namespace sightline::profiler {

// The calling thread's place in its ring. Room for the ends of open spans is kept free, so that a
// span whose begin was recorded gets its end, however full the ring is.
struct ThreadEvents {
  Session session = 0;
  std::uint32_t open = 0;          // Spans (and a step) whose begin is in the ring.
  std::uint32_t dropped_open = 0;  // Spans within these whose begin found no room.
  bool in_step = false;
  bool ended = false;  // The thread's own objects are being destroyed.
  std::uint64_t head = 0;
  std::uint64_t limit = 0;  // `head` may go up to here, as far as the thread knows.
  std::uint64_t mask = 0;
  Slot* slots = nullptr;
  EventRing* ring = nullptr;

  // Whether `needed` more slots fit besides the ends of open spans. If not, counts a dropped event.
  bool HasRoom(std::uint32_t needed) {
    if (head + needed + open <= limit) [[likely]]
      return true;
    return FindRoom(needed);
  }
  // Whether a span that begins now is dropped and counted, because it takes `needed` slots with its
  // end and there is no room, or because it is within a dropped one.
  bool BeginsDropped(std::uint32_t needed) {
    if (dropped_open == 0 && HasRoom(needed)) [[likely]]
      return false;
    if (dropped_open != 0) Drop();
    ++dropped_open;
    return true;
  }
  void Put(std::uint64_t first, std::uint64_t second) {
    slots[head & mask] = {first, second};
    ++head;
  }
  void Publish() const { ring->head.store(head, std::memory_order_release); }
  void Drop() const {
    ring->dropped.store(ring->dropped.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
  }

 private:
  bool FindRoom(std::uint32_t needed);
};

extern constinit thread_local ThreadEvents this_thread;

// Gives the thread a ring in the profile `session`. False if the profile has ended, or there is no
// memory.
bool AttachThread(Session session);

// The calling thread's events, or null if nothing is recorded.
inline ThreadEvents* EventsOfThisThread() {
  const Session session = Recording();
  if (session == 0) return nullptr;
  if (this_thread.session != session) [[unlikely]] {
    if (!AttachThread(session)) return nullptr;
  }
  return &this_thread;
}

// The rings of the running profile. ProfileRecorder and ProfileWriter use these.
void OpenRings(Session session, std::size_t bytes_a_thread);
void CloseRings();
// The rings that were added since the last call, in the order of their first event.
std::vector<std::shared_ptr<EventRing>> TakeNewRings();
// How many events were dropped because there was no memory for their thread's ring.
std::uint64_t EventsWithoutRing();

}  // namespace sightline::profiler
