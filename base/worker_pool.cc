#include "sightline/base/worker_pool.h"

#include <ctime>

#include "sightline/base/background_thread.h"

namespace sightline {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Run(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (count == 1 || max_threads_ == 0) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    while (threads_.size() < static_cast<std::size_t>(max_threads_) &&
           threads_.size() + 1 < count) {
      threads_.push_back(StartBackgroundThread("sightline-work", [this] { ThreadMain(); }));
    }
  }
  work_.notify_all();
  TakeTasks();
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  count_ = next_ = 0;
}

void WorkerPool::ThreadMain() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [this] { return stop_ || next_ < count_; });
      if (stop_) return;
    }
    const std::int64_t before = ThreadCpuNanos();
    TakeTasks();
    cpu_nanos_.fetch_add(ThreadCpuNanos() - before, std::memory_order_relaxed);
  }
}

void WorkerPool::TakeTasks() {
  for (;;) {
    std::size_t index = 0;
    const std::function<void(std::size_t)>* task = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_) return;
      index = next_++;
      task = task_;
      ++busy_;
    }
    (*task)(index);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0 && next_ >= count_) finished_.notify_all();
  }
}

std::int64_t ThreadCpuNanos() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace sightline
