// FaultLog: the first error of a recorder, and how many there were. Errors in a training loop are
// not thrown at the trainer, but kept here until somebody asks. Safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "sightline/base/status.h"

namespace sightline {

class FaultLog {
 public:
  // OK is ignored.
  void Note(const Status& status) {
    if (status.ok()) return;
    count_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    if (first_.ok()) first_ = status;
  }

  Status first() const {
    const std::lock_guard lock(mutex_);
    return first_;
  }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> count_{0};
  mutable std::mutex mutex_;
  Status first_;
};

}  // namespace sightline
