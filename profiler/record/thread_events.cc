#include "sightline/profiler/record/thread_events.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <utility>

#include "sightline/profiler/record/names.h"

namespace sightline::profiler {

namespace internal {
std::atomic<Session> running_session{0};
}  // namespace internal
constinit thread_local ThreadEvents this_thread;

namespace {

struct Rings {
  std::mutex mutex;
  Session session = 0;
  std::size_t bytes = 0;
  std::vector<std::shared_ptr<EventRing>> added;
  std::atomic<std::uint64_t> without_ring{0};
};

// Never destroyed: threads may record during exit.
Rings& Global() {
  static auto* rings = new Rings();
  return *rings;
}

// A forked child has its parent's memory, but not its writer, so it records nothing until it starts
// a profile of its own.
void BeforeFork() {
  internal::LockNames();
  Global().mutex.lock();
}
void AfterForkInParent() {
  Global().mutex.unlock();
  internal::UnlockNames();
}
void AfterForkInChild() {
  internal::running_session.store(0, std::memory_order_relaxed);
  Global().session = 0;
  Global().added.clear();
  AfterForkInParent();
}

// Owns the ring while its thread lives, and marks it as finished at the end.
struct RingOfThread {
  std::shared_ptr<EventRing> ring;
  RingOfThread() = default;
  RingOfThread(const RingOfThread&) = delete;
  RingOfThread& operator=(const RingOfThread&) = delete;
  ~RingOfThread() {
    this_thread.session = 0;
    this_thread.ended = true;
    if (ring != nullptr) ring->finished.store(true, std::memory_order_release);
  }
};

std::string KernelThreadName() {
  char name[16] = {};
  return pthread_getname_np(pthread_self(), name, sizeof(name)) == 0 ? name : "";
}

}  // namespace

bool ThreadEvents::FindRoom(std::uint32_t needed) {
  limit = ring->tail.load(std::memory_order_acquire) + mask + 1;
  if (head + needed + open <= limit) return true;
  Drop();
  return false;
}

bool AttachThread(Session session) {
  thread_local RingOfThread owner;
  ThreadEvents& thread = this_thread;
  if (thread.ended) return false;
  Rings& rings = Global();
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(rings.mutex);
    if (rings.session != session) return false;
    bytes = rings.bytes;
  }
  auto ring = EventRing::Create(bytes, static_cast<int>(syscall(SYS_gettid)), KernelThreadName());
  if (ring == nullptr) {
    rings.without_ring.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  {
    const std::lock_guard lock(rings.mutex);
    if (rings.session != session) return false;
    rings.added.push_back(ring);
  }
  thread = {.session = session,
            .limit = ring->capacity(),
            .mask = ring->capacity() - 1,
            .slots = ring->slots(),
            .ring = ring.get()};
  owner.ring = std::move(ring);
  return true;
}

void OpenRings(Session session, std::size_t bytes_a_thread) {
  static const int registered = pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);
  (void)registered;  // Fails only without memory.
  Rings& rings = Global();
  const std::lock_guard lock(rings.mutex);
  rings.session = session;
  rings.bytes = bytes_a_thread;
  rings.added.clear();
  rings.without_ring.store(0, std::memory_order_relaxed);
}

void CloseRings() {
  Rings& rings = Global();
  const std::lock_guard lock(rings.mutex);
  rings.session = 0;
}

std::vector<std::shared_ptr<EventRing>> TakeNewRings() {
  Rings& rings = Global();
  const std::lock_guard lock(rings.mutex);
  return std::exchange(rings.added, {});
}

std::uint64_t EventsWithoutRing() { return Global().without_ring.load(std::memory_order_relaxed); }

}  // namespace sightline::profiler
