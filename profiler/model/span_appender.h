// SpanAppender: appends spans to the columns of a model; many of them on a thread of its own. A
// third of the time to read a large trace goes into columns, whose memory the system clears as they
// grow, and the reader can go on meanwhile.
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

namespace sightline::profile {

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

  // Room for so many spans, of memory that is not taken before they come. Before the first Add.
  void Reserve(std::size_t count);
  void Add(const NewSpan& span) {
    batch_.push_back(span);
    if (batch_.size() == kBatch) HandOver();
  }
  // All spans in the order of the calls, without their depths. The last call.
  Spans Take();

 private:
  static constexpr std::size_t kBatch = 8192;

  void HandOver();
  void Append(const std::vector<NewSpan>& batch);
  void ThreadMain();
  void Stop();

  Spans spans_;  // The thread's, where there is one.
  std::vector<NewSpan> batch_;
  std::vector<NewSpan> handed_;  // What the thread is at; empty where it is idle.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::exception_ptr failure_;  // Of the thread: there was no memory.
  std::thread thread_;
};

}  // namespace sightline::profile
