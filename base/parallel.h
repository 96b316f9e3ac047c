// Work on several threads. Private to this folder.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"

namespace sightline {

// `threads`, or the number of the machine's cores if it is 0.
inline unsigned ThreadsOr(unsigned threads) {
  return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

// Calls work(i) for 0 <= i < count on `threads` threads (0: one for each core), including the
// caller's. If the system has no thread to give, the caller's thread does everything.
template <typename Work>
void ForEachInParallel(std::size_t count, unsigned threads, Work work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(ThreadsOr(threads), count); ++i) {
    auto other = StartBackgroundThread("sl-open", loop);
    if (!other) break;
    others.push_back(*std::move(other));
  }
  loop();
  for (std::thread& other : others) other.join();
}

}  // namespace sightline
