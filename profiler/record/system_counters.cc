#include "sightline/profiler/record/system_counters.h"

#include "sightline/profiler/record/span.h"

namespace sightline::profiler {

void SystemCounters::Add(const std::string& name, double value) {
  EventName& id = names_[name];
  if (id == 0) id = InternName(name);
  RecordCounter(id, value);
}

void SystemCounters::Record(std::uint64_t dropped) {
  for (const ResourceValue& value : sampler_.Sample()) Add(value.name, value.value);
  if (dropped != last_dropped_) Add("profile/dropped_events", static_cast<double>(dropped));
  last_dropped_ = dropped;
}

}  // namespace sightline::profiler
