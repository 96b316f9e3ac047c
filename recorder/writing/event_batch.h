// EventBatch: the step between journal and sinks. It parses a few journal entries, and computes
// their heavy values (histograms, images) in the worker pool, once for all sinks.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/base/fault_log.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/tensor/histogram.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/writing/sink.h"
#include "sightline/recorder/writing/worker_pool.h"

namespace sightline {

class EventBatch {
 public:
  struct Item {
    EntryEvent entry;
    PreparedEvent event;   // The entry's values, after Prepare.
    JournalCursor behind;  // The place after the entry.
    bool skip = false;     // There is nothing to record: the values are lost or unreadable.
  };

  struct Counters {
    std::atomic<std::uint64_t> lost_values{0};
    std::atomic<std::uint64_t> duplicate_tags{0};
  };

  EventBatch(FaultLog& faults, Counters& counters) : faults_(faults), counters_(counters) {}

  void Clear();
  std::size_t size() const { return size_; }

  // Parses an entry. `external_values_lost`: its values outside of the journal are gone, since its
  // process died or its caller no longer waits.
  void Add(const Journal::Entry& entry, const JournalCursor& behind, bool external_values_lost);
  void AddSkipped(const JournalCursor& behind);

  // Computes the heavy values. After that, items() are ready for the sinks. May throw
  // std::bad_alloc.
  void Prepare(WorkerPool& pool);
  std::span<const Item> items() const { return {items_.data(), size_}; }

 private:
  struct HeavyValue {
    std::size_t item = 0;
    std::size_t value = 0;
    Status status;
    HistogramData histogram;
    PngImage image;
  };

  Item& NextItem(const JournalCursor& behind);
  void DropDuplicates(Item& item);
  static void Compute(const PreparedValue& value, HeavyValue& heavy);

  FaultLog& faults_;
  Counters& counters_;
  std::vector<Item> items_;
  std::size_t size_ = 0;
  std::vector<HeavyValue> heavy_;
  std::size_t heavy_count_ = 0;
};

}  // namespace sightline
