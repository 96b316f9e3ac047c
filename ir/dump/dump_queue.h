// Graphs that wait to be written, and the thread that writes them one by one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/dump/dump_options.h"
#include "sightline/ir/dump/dump_writer.h"
#include "sightline/ir/dump/graph_tape.h"

namespace sightline::ir {

// Any thread. Bounded by bytes: a graph that is larger than the buffer waits alone.
class DumpQueue {
 public:
  // The queue's own thread calls `write`. If no thread can be started, started() is not OK, and
  // nothing may be pushed.
  DumpQueue(std::size_t buffer_bytes, WhenFull when_full,
            std::function<void(const DumpJob&)> write);
  const Status& started() const { return started_; }
  // Closes.
  ~DumpQueue();
  DumpQueue(const DumpQueue&) = delete;
  DumpQueue& operator=(const DumpQueue&) = delete;

  // An empty tape, if possible with memory for a graph as large as the last one.
  GraphTape TakeTape();
  // Waits for room, or drops the graph and counts it. Does nothing after Close.
  void Push(DumpJob job);
  // Waits until what was pushed before the call is written.
  void Flush();
  // The same, and then ends the thread. Idempotent.
  void Close();

  std::uint64_t accepted() const;
  std::uint64_t dropped() const;

 private:
  void Main();

  const std::size_t buffer_bytes_;
  const WhenFull when_full_;
  const std::function<void(const DumpJob&)> write_;

  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::condition_variable written_;
  std::deque<DumpJob> jobs_;
  std::vector<GraphTape> spare_;
  std::size_t waiting_bytes_ = 0;  // Of tapes that are not written yet.
  std::size_t last_bytes_ = 0;     // Of the last tape.
  std::uint64_t accepted_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t dropped_ = 0;
  bool closing_ = false;

  std::mutex close_mutex_;
  std::thread thread_;
  Status started_;
};

}  // namespace sightline::ir
