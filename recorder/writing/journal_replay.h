// What the next writer does about journals that killed recorders left in a run's directory: it
// completes their event files and removes them. A journal whose recorder lives is left alone.
// Killing the replay itself is harmless: it is repeated. Processes that open one directory together
// take turns, for ten seconds at most.
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
  std::vector<std::string> live;  // The session ids of other recorders at work.
  std::uint64_t events = 0;       // Events that were taken over.
};

// Errors are noted in `faults`; a journal that could not be completed stays for the next time, and
// so does one of another machine.
ReplaySummary ReplayJournals(const std::string& directory, FileSystem& file_system,
                             const Clock& clock, FaultLog& faults, const Host& host = Host::This(),
                             OtherMachines others = OtherMachines::kLeaveAlone);

// A journal is a file in a directory that others may write: what it says of names and places is not
// followed before it was looked at. kDataLoss for what no recorder writes.
Status CheckPlace(const SinkProgress& progress);

// The journals in a directory, by path; without those that are still being made.
std::vector<std::string> FindJournals(const std::string& directory, FileSystem& file_system);

}  // namespace sightline
