// JournalDrain: moves events from a journal into its sinks, in order. The writer's thread and
// replays use it. One thread at a time may use it, but any thread may read its state: stalled(),
// paused(), external_values(), counters() and worker_cpu_nanos().
//
// If a sink fails, it stalls: it keeps its place in the journal, and the next Drain tries it again.
// The other sinks continue. If the journal fills up meanwhile, further values are dropped. But an
// expendable sink may not cause that: once the journal is half full, it loses the events that it
// has not taken, and they are counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/fault_log.h"
#include "sightline/recorder/journal/external_values.h"
#include "sightline/recorder/journal/journal.h"
#include "sightline/recorder/writing/event_batch.h"
#include "sightline/recorder/writing/sink.h"
#include "sightline/recorder/writing/worker_pool.h"

namespace sightline {

class JournalDrain {
 public:
  enum class Source {
    kLive,  // Callers still record; an unfinished entry will be finished.
    kDead,  // The journal's process is dead. Unfinished entries were never accepted, and checksums
            // are verified.
  };

  struct SpaceLimit {
    FileSystem* file_system = nullptr;
    std::string directory;
    std::uint64_t min_free_bytes = 0;
  };

  JournalDrain(Journal& journal, Source source, std::vector<std::unique_ptr<Sink>> sinks,
               SpaceLimit space, int workers, FaultLog& faults);

  // `on_release` is called when there is room in the journal: as soon as at most half of it is in
  // use, or else at the end of a Drain.
  void set_on_release(std::function<void()> on_release) { on_release_ = std::move(on_release); }

  // Takes everything that is committed at the time of the call to all sinks, and flushes them. If
  // something is left, returns the first reason. The fault log gets an error for each sink that
  // fails, and one when disk space or memory becomes short. If memory runs out, all sinks stall.
  Status Drain();
  // Makes durable what was flushed. May throw std::bad_alloc.
  Status Sync();
  // Closes the sinks' files. May throw std::bad_alloc. REQUIRES: the last call was Drain or Sync.
  Status Close();

  // All sinks have flushed everything before this place.
  JournalCursor done() const;
  // Whether disk space is short, or a sink that may not lose anything fails at the moment.
  bool stalled() const { return stalled_.load(std::memory_order_acquire); }
  // Whether disk space is short, or any sink fails at the moment.
  bool paused() const { return paused_.load(std::memory_order_acquire); }

  // The error for when memory runs out. It is made in advance, since a Status takes memory.
  const Status& no_memory() const { return no_memory_; }

  // Counts the values that not every file has as lost. After Close, for a journal that goes.
  void LoseTheRest();

  ExternalValues& external_values() { return external_values_; }
  const EventBatch::Counters& counters() const { return counters_; }
  std::int64_t worker_cpu_nanos() const { return pool_.CpuNanos(); }

 private:
  struct Output {
    std::unique_ptr<Sink> sink;
    Status error;  // Why it stalls; OK if it does not.
  };

  Status DrainAll();
  void StallForMemory();
  Status CheckSpace();
  // Takes entries to `outputs`, until there are no more or all outputs have failed.
  void DrainInto(const std::vector<Output*>& outputs);
  // Each fills scalars_ or batch_ with the next entries from `cursor` on, and moves `cursor` past
  // them. False if there are no such entries before `end`.
  bool FillScalars(JournalCursor& cursor, std::uint64_t end);
  bool FillBatch(JournalCursor& cursor, std::uint64_t end);
  // Appends scalars_ or batch_ to an output.
  void Deliver(Output& output);
  void DeliverScalars(Output& output);
  void DeliverBatch(Output& output);
  void Flush(Output& output);
  // Whether this drain will make more room.
  enum class More : std::uint8_t { kFollows, kNone };
  void FlushAndRelease(const std::vector<Output*>& outputs, More more);
  void Fail(Output& output, const Status& status);
  void AbandonWhatBlocks();
  void Release(More more);
  void UpdateState();

  Journal& journal_;
  const Source source_;
  std::vector<Output> outputs_;
  const SpaceLimit space_;
  FaultLog& faults_;
  EventBatch::Counters counters_;
  ExternalValues external_values_;
  WorkerPool pool_;
  // The entries that are being delivered: either scalars, or a batch.
  std::vector<PlacedScalar> scalars_;
  EventBatch batch_;
  bool batch_external_ = false;
  std::function<void()> on_release_;
  const Status no_memory_{StatusCode::kResourceExhausted, "there is no memory left"};
  std::uint64_t space_checked_at_ = 0;
  Status space_error_;
  std::atomic<bool> stalled_{false};
  std::atomic<bool> paused_{false};
};

}  // namespace sightline
