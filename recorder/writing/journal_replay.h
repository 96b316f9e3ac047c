// Replays the journals that killed recorders left in a run's directory: completes their event
// files, and removes the journals. A journal whose recorder lives is left alone. If a replay is
// killed, the next one repeats it. If several processes open one directory together, they replay
// one after another; none waits more than ten seconds for its turn.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/fault_log.h"
#include "sightline/base/file_system.h"
#include "sightline/recorder/journal/host.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/journal/journal_map.h"

namespace sightline {

struct ReplaySummary {
  int completed = 0;              // Journals whose events are all in their files now.
  std::vector<std::string> live;  // The session ids of other recorders that live.
  std::uint64_t events = 0;       // The number of entries that were replayed.
};

// Replays all journals in `directory`. Errors are noted in `faults`. A journal stays if it cannot
// be completed, or if another machine wrote it and `others` is kLeaveAlone.
ReplaySummary ReplayJournals(const std::string& directory, FileSystem& file_system,
                             const Clock& clock, FaultLog& faults, const Host& host = Host::This(),
                             OtherMachines others = OtherMachines::kLeaveAlone);

// Checks the name and the position in a slot before they are used, since others may be able to
// write in the journal's directory. kDataLoss for values that no recorder writes.
Status CheckPlace(const SinkProgress& progress);

// The journals in a directory, ordered by path, without those that are still being made.
std::vector<std::string> FindJournals(const std::string& directory, FileSystem& file_system);

}  // namespace sightline
