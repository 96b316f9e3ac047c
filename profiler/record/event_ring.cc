#include "sightline/profiler/record/event_ring.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace sightline::profiler {

std::shared_ptr<EventRing> EventRing::Create(std::size_t bytes, int thread_id, std::string name) {
  constexpr std::size_t kLeastBytes = 4096;
  const std::size_t size = std::bit_ceil(std::max(bytes, kLeastBytes));
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return std::shared_ptr<EventRing>(
      new EventRing(static_cast<Slot*>(memory), size / sizeof(Slot), thread_id, std::move(name)));
}

EventRing::~EventRing() { munmap(slots_, capacity_ * sizeof(Slot)); }

}  // namespace sightline::profiler
