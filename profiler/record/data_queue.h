// DataQueue: records how full a queue between two stages of a data pipeline is, and who waits for
// it.
//
//   profiler::DataQueue queue("batches", {.capacity = 8, .workers = 2});
//   { const auto waiting = queue.Get(); batch = TakeBatch(); }     // Span "batches: get".
//   queue.SetDepth(batches.size());                                // Counter "batches: depth".
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "sightline/profiler/record/span.h"

namespace sightline::profiler {

struct DataQueueOptions {
  std::int64_t capacity = 0;     // In elements; 0: unbounded or unknown.
  std::int64_t workers = 0;      // How many threads or processes fill it; 0: unknown.
  std::string_view parent = {};  // Name of the queue from which these take; empty: none.
};

// Any thread may call the methods. The queue must outlive the spans that Get and Put return.
class DataQueue {
 public:
  explicit DataQueue(std::string_view name, const DataQueueOptions& options = {});

  // The time until the span's end is spent on taking from the queue, or adding to it.
  Span Get() { return Wait(get_); }
  Span Put() { return Wait(put_); }
  // How many elements the queue holds now.
  void SetDepth(std::int64_t elements);

 private:
  Span Wait(EventName name) {
    Announce();
    return Span(name, Category::kQueue);
  }
  // Records the queue's options, once in each profile.
  void Announce();

  EventName name_;
  EventName get_;
  EventName put_;
  EventName depth_;
  EventName parent_;
  std::int64_t capacity_;
  std::int64_t workers_;
  std::atomic<Session> announced_{0};
};

}  // namespace sightline::profiler
