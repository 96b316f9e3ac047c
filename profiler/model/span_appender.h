// SpanAppender: appends spans to the columns of a model. If there are many, it uses a thread of its
// own, so that the reader of a large trace continues while columns grow.
//
// One thread at a time may call it. Add and Take throw std::bad_alloc.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

struct NewSpan {
  std::int64_t start = 0;
  std::int64_t duration = 0;
  NameId name = kNoName;
  NameId type = kNoName;
  NameId category = kNoName;
  NameId detail = kNoName;
  LaneId lane{};
  SpanKind kind = SpanKind::kOther;
};

class SpanAppender {
 public:
  SpanAppender() = default;
  ~SpanAppender();
  SpanAppender(const SpanAppender&) = delete;
  SpanAppender& operator=(const SpanAppender&) = delete;

  // Reserves room for `count` spans; the system gives the memory only once they are added. Call it
  // before the first Add.
  void Reserve(std::size_t count);
  void Add(const NewSpan& span) {
    batch_.push_back(span);
    if (batch_.size() == kBatch) HandOver();
  }
  // All spans in the order of the calls, without their depths. No call may follow.
  Spans Take();

 private:
  static constexpr std::size_t kBatch = 8192;

  void HandOver();
  void Append(const std::vector<NewSpan>& batch);
  void ThreadMain();
  void Stop();

  Spans spans_;  // Only the thread uses it, if there is one.
  std::vector<NewSpan> batch_;
  std::vector<NewSpan> handed_;  // The spans that the thread appends; empty while it is idle.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::exception_ptr failure_;  // The thread ran out of memory.
  std::thread thread_;
};

}  // namespace sightline::profiler
