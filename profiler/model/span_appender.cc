#include "sightline/profiler/model/span_appender.h"

#include <algorithm>
#include <utility>

#include "sightline/base/background_thread.h"

namespace sightline::profiler {
namespace {

// Doubles the room, in parts: while a memory limit is set, memory is released between them.
template <typename T>
void Grow(ColumnVector<T>& column) {
  constexpr std::size_t kPart = std::size_t{1} << 18U;
  ColumnVector<T> larger;
  larger.reserve(2 * column.capacity());
  for (std::size_t at = 0; at < column.size(); at += kPart) {
    const T* const part = column.data() + at;
    larger.insert(larger.end(), part, part + std::min(kPart, column.size() - at));
    MemoryLimit::Keep();
  }
  column.swap(larger);
}

}  // namespace

SpanAppender::~SpanAppender() { Stop(); }

void SpanAppender::Reserve(std::size_t count) {
  spans_.start.reserve(count);
  spans_.duration.reserve(count);
  spans_.name.reserve(count);
  spans_.type.reserve(count);
  spans_.category.reserve(count);
  spans_.detail.reserve(count);
  spans_.lane.reserve(count);
  spans_.kind.reserve(count);
}

Spans SpanAppender::Take() {
  Stop();
  if (failure_) std::rethrow_exception(failure_);
  Append(batch_);
  return std::move(spans_);
}

void SpanAppender::HandOver() {
  if (!thread_.joinable()) {
    auto thread = StartBackgroundThread("sightline-spans", [this] { ThreadMain(); });
    if (!thread) {  // The next batch tries again.
      Append(batch_);
      return batch_.clear();
    }
    thread_ = *std::move(thread);
  }
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return handed_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
    handed_.swap(batch_);
  }
  changed_.notify_one();
}

// One column after the other, so that each is written from end to end.
void SpanAppender::Append(const std::vector<NewSpan>& batch) {
  const auto append = [&](auto& column, auto NewSpan::*member) {
    if (column.size() >= kBatch && column.capacity() - column.size() < batch.size()) Grow(column);
    for (const NewSpan& span : batch) column.push_back(span.*member);
  };
  append(spans_.start, &NewSpan::start);
  append(spans_.duration, &NewSpan::duration);
  append(spans_.name, &NewSpan::name);
  append(spans_.type, &NewSpan::type);
  append(spans_.category, &NewSpan::category);
  append(spans_.detail, &NewSpan::detail);
  append(spans_.lane, &NewSpan::lane);
  append(spans_.kind, &NewSpan::kind);
  MemoryLimit::Keep();
}

void SpanAppender::ThreadMain() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !handed_.empty(); });
    if (handed_.empty()) return;
    // While it is not empty, no other thread touches it.
    lock.unlock();
    try {
      Append(handed_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    lock.lock();
    handed_.clear();
    changed_.notify_one();
  }
}

void SpanAppender::Stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace sightline::profiler
