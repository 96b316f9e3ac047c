// Counters: scalars of what a process, a command or a machine uses. A thread or a process beside
// the training records them, and goes on while the training hangs: they are no sign that it does
// something. By their names; any thread.
#pragma once

#include <string>
#include <string_view>

#include "sightline/runs/model/series.h"

namespace sightline {

// Of `sightline run`, about a command or its machine: the steps of these are seconds.
inline bool IsOfCommand(std::string_view tag) {
  return tag.starts_with("command/") || tag.starts_with("machine/");
}

// Also those of SummaryMonitor, about its own process.
inline bool IsCounter(const Series& series) {
  const std::string& tag = series.key().tag;
  return series.is_scalar() && (IsOfCommand(tag) || tag.starts_with("system/"));
}

}  // namespace sightline
