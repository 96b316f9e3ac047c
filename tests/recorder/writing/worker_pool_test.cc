#include "sightline/recorder/writing/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <vector>

#include "sightline/tests/support/no_threads.h"

namespace sightline {
namespace {

TEST(WorkerPoolTest, RunsEachTaskOnceWhateverItsThreads) {
  for (const int threads : {0, 1, 3}) {
    WorkerPool pool(threads);
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> runs(count);
      pool.Run(count, [&](std::size_t i) { runs[i].fetch_add(1); });
      for (const auto& run : runs) EXPECT_EQ(run.load(), 1);
    }
  }
}

TEST(WorkerPoolTest, IsDoneWhenRunReturns) {
  WorkerPool pool(2);
  for (int batch = 0; batch < 1000; ++batch) {
    std::atomic<int> done{0};
    pool.Run(7, [&](std::size_t) { done.fetch_add(1); });
    ASSERT_EQ(done.load(), 7);
  }
}

TEST(WorkerPoolTest, UsesItsThreads) {
  WorkerPool pool(1);
  std::atomic<int> inside{0};
  std::set<std::thread::id> ids;
  std::mutex mutex;
  // Two tasks that wait for each other: both run at a time, on two threads.
  pool.Run(2, [&](std::size_t) {
    inside.fetch_add(1);
    while (inside.load() < 2) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 2);
}

TEST(WorkerPoolTest, RethrowsAnExceptionOfATaskWhenAllAreDone) {
  for (const int threads : {0, 2}) {
    WorkerPool pool(threads);
    std::atomic<int> done{0};
    EXPECT_THROW(pool.Run(100,
                          [&](std::size_t i) {
                            if (i == 3) throw std::bad_alloc();
                            done.fetch_add(1);
                          }),
                 std::bad_alloc);
    EXPECT_EQ(done.load(), 99);
    pool.Run(1, [&](std::size_t) { done.fetch_add(1); });
    EXPECT_EQ(done.load(), 100) << "the next batch does not throw";
  }
}

TEST(WorkerPoolTest, TheCallersThreadDoesItAllWhereThereIsNoOtherToBeHad) {
  const testing::NoThreads no_threads;
  WorkerPool pool(2);
  std::vector<int> runs(5);
  pool.Run(runs.size(), [&](std::size_t i) { ++runs[i]; });
  EXPECT_EQ(runs, std::vector<int>(5, 1));
}

}  // namespace
}  // namespace sightline
