// Counters: scalars of what a process, a command or a machine uses. A thread or a process beside
// the training records them, and goes on while the training hangs: they are no sign that it does
// something. By their names; any thread.
#pragma once

#include <string_view>

namespace sightline {

// Of `sightline run`, about a command or its machine: the steps of these are seconds.
inline bool IsOfCommand(std::string_view tag) {
  return tag.starts_with("command/") || tag.starts_with("machine/");
}

// Also those of SummaryMonitor, about its own process.
inline bool IsCounter(std::string_view tag) {
  return IsOfCommand(tag) || tag.starts_with("system/");
}

}  // namespace sightline
