// The names of spans, counters and queues: a text has one number for the whole process, and an
// event carries the number.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "sightline/profiler/record/event_ring.h"

namespace sightline::tracing {

// The number of `text`, always the same; takes a lock, so ask once and keep it. A process may have
// a million names; every further one is "(too many names)". Any thread.
NameId InternName(std::string_view text);

// The text of a number that InternName gave; empty for 0. Any thread.
std::string NameText(NameId name);

// One place in a program that names something, asked for its number when it is first recorded.
class NameSite {
 public:
  constexpr explicit NameSite(const char* text) : text_(text) {}

  NameId id() {
    const NameId known = id_.load(std::memory_order_relaxed);
    if (known != 0) [[likely]]
      return known;
    return Ask();
  }

 private:
  NameId Ask();

  const char* text_;
  std::atomic<NameId> id_{0};
};

// Held over a fork, so that the child finds the names unlocked.
void LockNames();
void UnlockNames();

}  // namespace sightline::tracing
