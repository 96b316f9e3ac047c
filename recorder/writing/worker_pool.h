// WorkerPool: runs a batch of independent tasks on a few threads and on the caller's. Threads start
// with the first batch that has work for them, and sleep between batches. If the system has no
// thread to give, the caller's thread does everything.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sightline {

class WorkerPool {
 public:
  explicit WorkerPool(int threads) : max_threads_(threads) {
    threads_.reserve(static_cast<std::size_t>(threads));
  }
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls task(0) ... task(count - 1), each once, in any order and on any thread; returns when all
  // are done. If tasks throw, rethrows the first exception after that.
  void Run(std::size_t count, const std::function<void(std::size_t)>& task);

  // CPU time that the pool's threads have used, in nanoseconds.
  std::int64_t CpuNanos() const { return cpu_nanos_.load(std::memory_order_relaxed); }

 private:
  void StartThreads(std::size_t tasks);
  void ThreadMain();
  void TakeTasks();

  const int max_threads_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable finished_;
  std::vector<std::thread> threads_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t busy_ = 0;       // Tasks that were taken and are not done yet.
  std::exception_ptr failed_;  // The first exception of the batch.
  bool stop_ = false;
  std::atomic<std::int64_t> cpu_nanos_{0};
};

// CPU time of the calling thread in nanoseconds.
std::int64_t ThreadCpuNanos();

}  // namespace sightline
