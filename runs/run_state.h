// RunState: whether a run is still recorded, as far as its files tell.
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"

namespace sightline {

enum class RunState : std::uint8_t {
  kRunning,   // A recorder of ours holds its journal, or another program's files grew just now.
  kStalled,   // Ours, but silent for more than ten of its usual intervals, and a minute.
  kKilled,    // Ours, which left a journal without closing it.
  kFinished,  // Ours, closed.
  kEnded,     // Another program's; its files grow no more.
};

// "running", "stalled", ...
std::string_view RunStateName(RunState state);

// What tells the state. Times are in seconds, since the Unix epoch where they are points in time.
struct RunSigns {
  bool ours = false;           // A file of a session of Sightline's, or a journal.
  bool journal = false;        // A sound journal lies there,
  bool journal_held = false;   // and a living process holds one.
  double last_change = 0;      // The newest of the files' and the journals' times.
  double usual_interval = 0;   // The median between the last events; 0 where there are too few.
};

// Silence is more than ten usual intervals, and more than kSilenceSeconds.
RunState StateAt(const RunSigns& signs, double now);
inline constexpr double kSilenceSeconds = 60;

// Adds what the journals of `directory` tell. Whether one is held is asked of /proc/locks; where that
// does not say so, by a shared lock that is given back at once.
void AddJournalSigns(FileSystem& file_system, const std::string& directory, RunSigns& signs);

}  // namespace sightline
