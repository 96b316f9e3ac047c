#include "sightline/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"

namespace sightline {

unsigned CoreCount() { return std::max(1U, std::thread::hardware_concurrency()); }

void ForEachInParallel(std::size_t count, unsigned threads,
                       const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failed;
  const auto loop = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
    }
  };
  const std::size_t wanted = std::min<std::size_t>(threads == 0 ? CoreCount() : threads, count);
  std::vector<std::thread> others;
  others.reserve(wanted);
  try {
    while (others.size() + 1 < wanted) {
      auto other = StartBackgroundThread("sl-parallel", loop);
      if (!other) break;
      others.push_back(*std::move(other));
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): fewer threads do the work.
  }
  loop();
  for (std::thread& other : others) other.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace sightline
