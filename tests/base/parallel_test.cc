#include "sightline/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sightline/tests/support/no_threads.h"

namespace sightline {
namespace {

TEST(ParallelTest, DoesEachPieceOnceOnAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 3U}) {
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      ForEachInParallel(count, threads, [&](std::size_t i) { calls[i].fetch_add(1); });
      for (const auto& call : calls) EXPECT_EQ(call.load(), 1);
    }
  }
}

TEST(ParallelTest, UsesAThreadBesideTheCallers) {
  std::atomic<int> inside{0};
  std::set<std::thread::id> ids;
  std::mutex mutex;
  // Each piece waits for the other, so they run at the same time.
  ForEachInParallel(2, 2, [&](std::size_t) {
    inside.fetch_add(1);
    while (inside.load() < 2) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 2);
}

TEST(ParallelTest, TheCallersThreadDoesAllIfThereIsNoOther) {
  const testing::NoThreads no_threads;
  std::vector<int> calls(5);
  ForEachInParallel(calls.size(), 2, [&](std::size_t i) { ++calls[i]; });
  EXPECT_EQ(calls, std::vector<int>(5, 1));
}

TEST(ParallelTest, RethrowsAndBeginsNoMore) {
  std::atomic<int> calls{0};
  const auto fail = [&](std::size_t) {
    calls.fetch_add(1);
    throw std::runtime_error("a piece failed");
  };
  EXPECT_THROW(ForEachInParallel(1000, 2, fail), std::runtime_error);
  EXPECT_LE(calls.load(), 2);
}

}  // namespace
}  // namespace sightline
