// JournalDrain: carries events from a journal into its sinks, in order; the heart of the writer's
// thread and of a replay. One thread.
//
// A sink that fails stalls: it keeps its place in the journal and is tried again at the next Drain,
// the others go on. When the buffer fills up meanwhile, callers are refused more, except where the
// sink is expendable: then it loses what it did not take, and that is counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/fault_log.h"
#include "sightline/base/worker_pool.h"
#include "sightline/recorder/journal/external_values.h"
#include "sightline/recorder/journal/journal.h"
#include "sightline/recorder/writing/event_batch.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

class JournalDrain {
 public:
  enum class Source {
    kLive,  // Callers are at work; an unfinished entry will be finished.
    kDead,  // Left by a process that died; unfinished entries were never accepted, checksums are
            // verified.
  };

  struct SpaceLimit {
    FileSystem* file_system = nullptr;
    std::string directory;
    std::uint64_t min_free_bytes = 0;
  };

  JournalDrain(Journal& journal, Source source, std::vector<std::unique_ptr<Sink>> sinks,
               SpaceLimit space, int workers, FaultLog& faults);

  // Called when room was made in the journal: half of it, or all that there is to be made.
  void set_on_release(std::function<void()> on_release) { on_release_ = std::move(on_release); }

  // Takes what is committed at the time of the call to all sinks and flushes them. OK when nothing
  // of it is left behind; otherwise the first reason (the sinks' errors are also noted in the fault
  // log, once for each stall). Where memory runs out, all sinks stall.
  Status Drain();
  // Makes what was flushed durable. May throw std::bad_alloc.
  Status Sync();
  // Closes the sinks' files. REQUIRES: Drain was called last. May throw std::bad_alloc.
  Status Close();

  // Every sink that is needed has everything before it.
  JournalCursor done() const;
  // A sink that may not lose anything takes nothing at the moment.
  bool stalled() const { return stalled_.load(std::memory_order_acquire); }
  // Any sink takes nothing at the moment.
  bool paused() const { return paused_.load(std::memory_order_acquire); }

  // Counts the values that not every file has as lost. After Close, for a journal that goes.
  void LoseTheRest();

  ExternalValues& external_values() { return external_values_; }
  const EventBatch::Counters& counters() const { return counters_; }
  std::int64_t worker_cpu_nanos() const { return pool_.CpuNanos(); }

 private:
  struct Output {
    std::unique_ptr<Sink> sink;
    Status error;  // Of the stall it is in.
  };

  Status DrainAll();
  void StallForMemory();
  Status CheckSpace();
  // Takes entries to `outputs` until there are no more or all of them have failed.
  void DrainInto(const std::vector<Output*>& outputs);
  // Each takes the next entries from `cursor` on, which moves past them; false when there are
  // none of its kind before `end`.
  bool FillScalars(JournalCursor& cursor, std::uint64_t end);
  bool FillBatch(JournalCursor& cursor, std::uint64_t end);
  // What was filled.
  void Deliver(Output& output);
  void DeliverScalars(Output& output);
  void DeliverBatch(Output& output);
  void Flush(Output& output);
  // Whether this drain goes on to make more room.
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
  // What is on its way: either scalars, or a batch.
  std::vector<PlacedScalar> scalars_;
  EventBatch batch_;
  bool batch_external_ = false;
  std::function<void()> on_release_;
  std::uint64_t space_checked_at_ = 0;
  Status space_error_;
  std::atomic<bool> stalled_{false};
  std::atomic<bool> paused_{false};
};

}  // namespace sightline
