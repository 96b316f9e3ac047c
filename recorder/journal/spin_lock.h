// SpinLock: for critical sections of a few instructions on the recording path, where a mutex would
// cost as much as the section. After a short spin it yields the processor, in case the holder was
// preempted.
#pragma once

#include <atomic>
#include <thread>

namespace sightline {

class SpinLock {
 public:
  void lock() {
    int spins = 0;
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) {
        if (++spins > kSpins) std::this_thread::yield();
        Pause();
      }
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  static constexpr int kSpins = 64;

  static void Pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::atomic<bool> locked_{false};
};

}  // namespace sightline
