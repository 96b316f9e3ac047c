// Work on a long vector in fixed slices, so that the order of sums does not depend on the number of
// threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sightline/base/parallel.h"
#include "sightline/recorder/tensor/float_kernels.h"

namespace sightline::landscape {

// The numbers of one step of the work: they fit into a processor's cache.
inline constexpr std::size_t kBlock = 2048;
// The slices of a vector. Each is one task, and sums are added slice by slice.
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

// Calls task(0) ... task(count - 1) on `threads` threads (0: one for each core), all in the default
// floating-point environment.
template <typename Task>
void RunTasks(std::size_t count, int threads, Task task) {
  ForEachInParallel(count, static_cast<unsigned>(std::max(threads, 0)), [&task](std::size_t i) {
    const ScopedFloatEnvironment environment;
    task(i);
  });
}

}  // namespace sightline::landscape
