// SpinLock: for critical sections of a few instructions on the recording path, where a mutex' call
// costs as much as the section. Gives the processor away after a short spin, so a preempted holder
// is no disaster.
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
