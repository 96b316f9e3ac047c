// Work on a long vector in fixed slices, so that the order of sums does not depend on the number of
// threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <thread>

#include "sightline/base/worker_pool.h"
#include "sightline/recorder/tensor/float_kernels.h"

namespace sightline::landscape {

// So many numbers are worked on at a time; they fit into a processor's cache.
inline constexpr std::size_t kBlock = 2048;
// Slices of a vector; each is one task, and sums are added slice by slice.
inline constexpr std::size_t kSlices = 16;

struct SliceRange {
  std::size_t begin;
  std::size_t end;
};

// Slice `index` of `n` numbers. Only the last slice may end within a block.
inline SliceRange SliceOf(std::size_t n, std::size_t index) {
  const std::size_t blocks = (n + kBlock - 1) / kBlock;
  const auto edge = [=](std::size_t i) { return std::min(n, blocks * i / kSlices * kBlock); };
  return {edge(index), edge(index + 1)};
}

// `threads`, or as many as the machine has for 0.
inline int ThreadCount(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Calls task(0) ... task(count - 1) on `threads` threads, including the caller's, all in the
// default floating-point environment.
inline void RunTasks(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  WorkerPool pool(ThreadCount(threads) - 1);
  pool.Run(count, [&task](std::size_t i) {
    const ScopedFloatEnvironment environment;
    task(i);
  });
}

}  // namespace sightline::landscape
