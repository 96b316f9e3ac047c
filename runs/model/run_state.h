// RunState: whether a run is still being recorded, as far as its files show.
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"

namespace sightline {

enum class RunState : std::uint8_t {
  kRunning,   // A recorder of ours holds its journal, or another program's files grew lately.
  kStalled,   // Ours, but silent for more than ten of its usual intervals and a minute.
  kKilled,    // Ours; its journal was left and not closed, or completed by `sightline recover`.
  kFinished,  // Ours, closed; or another recorder's, whose files say so.
  kEnded,     // Another program's; its files do not grow any more.
};

// "running", "stalled", ...
std::string_view RunStateName(RunState state);

// The signs from which the state follows. Durations are in seconds, points in time in seconds since
// the Unix epoch.
struct RunSigns {
  bool ours = false;          // It has a file of a session of Sightline's, or a journal.
  bool journal = false;       // It has a sound journal,
  bool journal_held = false;  // and a living process holds it.
  bool recovered = false;     // The last session of a rank was killed, and its files completed.
  // It is another recorder's, whose files say that the run ended.
  bool closed = false;
  // The newest time of the files; if ours, also of the events. Of another program's run whose last
  // event is more than kCopySeconds older than its files: the time of that event, since the files
  // are copies.
  double last_change = 0;
  std::optional<double> usual_interval = std::nullopt;  // Median time between the last points.
};

// A run is silent after more than ten usual intervals and more than kSilenceSeconds, or after
// kLongestSilenceSeconds. Without a journal that is held, so is one whose last change is more than
// kCopySeconds after the clock's time: another clock gave that time, or somebody set it.
RunState StateOf(const RunSigns& signs, const Clock& clock);
inline constexpr double kSilenceSeconds = 60;
inline constexpr double kLongestSilenceSeconds = 10.0 * 24 * 3600;
inline constexpr double kCopySeconds = 3600;

// Adds what the journals of `directory` show. Whether a process holds one is looked up in
// /proc/locks; if it is not listed there, this tries a shared lock and gives it back at once.
void AddJournalSigns(FileSystem& file_system, const std::string& directory, RunSigns& signs);

}  // namespace sightline
