// A queue between the stages of a data pipeline, told to the profile: how full it is, and who waits
// for it.
//
//   tracing::DataQueue queue("batches", {.capacity = 8, .workers = 2});
//   { const auto waiting = queue.Get(); batch = TakeBatch(); }     // Span "batches: get".
//   queue.SetDepth(batches.size());                                // Counter "batches: depth".
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "sightline/profiler/record/span.h"

namespace sightline::tracing {

struct DataQueueOptions {
  std::int64_t capacity = 0;     // 0: not bounded, or unknown.
  std::int64_t workers = 0;      // Threads or processes that fill it; 0: unknown.
  std::string_view parent = {};  // The queue that these take from; empty: none.
};

// Any thread may call the methods of one queue. It must outlive what Get and Put return.
class DataQueue {
 public:
  explicit DataQueue(std::string_view name, const DataQueueOptions& options = {});

  // The time until the end of the scope is spent taking from the queue, or adding to it.
  Span Get() { return Wait(get_); }
  Span Put() { return Wait(put_); }
  // How many elements are in it now.
  void SetDepth(std::int64_t elements);

 private:
  Span Wait(NameId name) {
    Announce();
    return Span(name, Category::kQueue);
  }
  // Says once a profile what the queue is.
  void Announce();

  NameId name_;
  NameId get_;
  NameId put_;
  NameId depth_;
  NameId parent_;
  std::int64_t capacity_;
  std::int64_t workers_;
  std::atomic<Session> announced_{0};
};

}  // namespace sightline::tracing
