// The names of spans, counters and queues. Each name has a number in the process, which the events
// hold in place of the text.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::profiler {

using EventName = std::uint32_t;  // 24 bits; 0: no name.

// The number of `text`; it never changes. Takes a lock, so ask once and keep the number. A process
// may have a million names; all further ones become "(too many names)". Any thread.
EventName InternName(std::string_view text);

// The text of a number that InternName returned; empty for 0. Any thread.
std::string NameText(EventName name);

// One place in a program that records under a name. It asks for the name's number when it records
// for the first time.
class NameSite {
 public:
  constexpr explicit NameSite(const char* text) : text_(text) {}

  EventName name() {
    const EventName known = name_.load(std::memory_order_relaxed);
    if (known != 0) [[likely]]
      return known;
    return Ask();
  }

 private:
  EventName Ask();

  const char* text_;
  std::atomic<EventName> name_{0};
};

namespace internal {
// Lock before a fork and unlock after it, in parent and child, so that the child finds the names
// unlocked.
void LockNames();
void UnlockNames();
}  // namespace internal

}  // namespace sightline::profiler
