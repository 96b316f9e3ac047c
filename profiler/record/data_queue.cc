#include "sightline/profiler/record/data_queue.h"

#include <string>

#include "sightline/profiler/record/event_ring.h"
#include "sightline/profiler/record/thread_events.h"
#include "sightline/profiler/record/ticks.h"

namespace sightline::profiler {

DataQueue::DataQueue(std::string_view name, const DataQueueOptions& options)
    : name_(InternName(name)),
      get_(InternName(std::string(name) + ": get")),
      put_(InternName(std::string(name) + ": put")),
      depth_(InternName(std::string(name) + ": depth")),
      parent_(options.parent.empty() ? 0 : InternName(options.parent)),
      capacity_(options.capacity),
      workers_(options.workers) {}

void DataQueue::SetDepth(std::int64_t elements) {
  Announce();
  RecordCounter(depth_, static_cast<double>(elements));
}

void DataQueue::Announce() {
  const Session session = Recording();
  if (session == 0 || announced_.load(std::memory_order_relaxed) == session) return;
  if (announced_.exchange(session, std::memory_order_relaxed) == session) return;
  ThreadEvents* events = EventsOfThisThread();
  if (events == nullptr || !events->HasRoom(3)) return;
  events->Put(ReadTicks(),
              EventHead{name_, EventKind::kQueue, Category::kQueue, false, 2}.Packed());
  events->Put(static_cast<std::uint64_t>(capacity_), static_cast<std::uint64_t>(workers_));
  events->Put(parent_, 0);
  events->Publish();
}

}  // namespace sightline::profiler
