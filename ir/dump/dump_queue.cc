#include "sightline/ir/dump/dump_queue.h"

#include <utility>

#include "sightline/base/background_thread.h"

namespace sightline::ir {
namespace {

// Tapes whose memory is kept for the next dumps.
constexpr std::size_t kSpareTapes = 2;

}  // namespace

DumpQueue::DumpQueue(std::size_t buffer_bytes, WhenFull when_full,
                     std::function<void(const DumpJob&)> write)
    : buffer_bytes_(buffer_bytes), when_full_(when_full), write_(std::move(write)) {
  thread_ = StartBackgroundThread("sightline-dump", [this] { Main(); });
}

DumpQueue::~DumpQueue() { Close(); }

GraphTape DumpQueue::TakeTape() {
  const std::lock_guard lock(mutex_);
  GraphTape tape;
  if (spare_.empty()) {
    // The next graph is about as large as the last: memory for it at once, not in ever larger
    // pieces.
    tape.Reserve(last_bytes_ + last_bytes_ / 8);
  } else {
    tape = std::move(spare_.back());
    spare_.pop_back();
  }
  return tape;
}

void DumpQueue::Push(DumpJob job) {
  const std::size_t bytes = job.tape.size();
  std::unique_lock lock(mutex_);
  last_bytes_ = bytes;
  const auto has_room = [&] {
    return closing_ || waiting_bytes_ == 0 || waiting_bytes_ + bytes <= buffer_bytes_;
  };
  if (when_full_ == WhenFull::kWait) room_.wait(lock, has_room);
  if (closing_) return;
  if (!has_room()) {
    ++dropped_;
    return;
  }
  jobs_.push_back(std::move(job));
  waiting_bytes_ += bytes;
  ++accepted_;
  work_.notify_one();
}

void DumpQueue::Main() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    DumpJob job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    write_(job);
    const std::size_t bytes = job.tape.size();
    job.tape.Clear();
    lock.lock();
    waiting_bytes_ -= bytes;
    ++done_;
    if (spare_.size() < kSpareTapes && bytes <= buffer_bytes_)
      spare_.push_back(std::move(job.tape));
    room_.notify_all();
    written_.notify_all();
  }
}

void DumpQueue::Flush() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [this, all = accepted_] { return done_ >= all; });
}

void DumpQueue::Close() {
  const std::lock_guard closing(close_mutex_);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_one();
    room_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

std::uint64_t DumpQueue::accepted() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

std::uint64_t DumpQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace sightline::ir
