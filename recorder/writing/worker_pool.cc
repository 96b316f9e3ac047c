#include "sightline/recorder/writing/worker_pool.h"

#include <ctime>
#include <utility>

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
  StartThreads(count);
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
  }
  work_.notify_all();
  TakeTasks();
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  count_ = next_ = 0;
  if (const auto failed = std::exchange(failed_, nullptr)) std::rethrow_exception(failed);
}

void WorkerPool::StartThreads(std::size_t tasks) {
  while (threads_.size() < static_cast<std::size_t>(max_threads_) && threads_.size() + 1 < tasks) {
    auto thread = StartBackgroundThread("sightline-work", [this] { ThreadMain(); });
    if (!thread) break;  // The caller's thread does the rest; the next batch tries again.
    threads_.push_back(*std::move(thread));
  }
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
    std::exception_ptr failed;
    try {
      (*task)(index);
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failed && !failed_) failed_ = failed;
    if (--busy_ == 0 && next_ >= count_) finished_.notify_all();
  }
}

std::int64_t ThreadCpuNanos() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace sightline
