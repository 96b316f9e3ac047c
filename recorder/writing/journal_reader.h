// Reads from journals the events that are not in the event files yet, for readers, which never
// write. The recorder may live or be dead, and the directory may be read-only.
//
//   for (const JournalTail& tail : *ReadJournalTails(FileSystem::Local(), "run")) {
//     // run/<tail.file_name> has the records in its first tail.visible_bytes bytes,
//     // and then those of tail.payloads.
//   }
//
// The answer is a snapshot. A live recorder may have written some of the payloads into the file
// since, so read the file only up to visible_bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

struct JournalTail {
  std::string file_name;  // In the run's directory; the file may not exist yet.
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t visible_bytes = 0;  // Bytes of the file that belong to this snapshot.
  std::vector<std::string> payloads;
};

// Returns the tails of all event files in `directory` that have a journal, at most one for each
// file. Journals that are damaged, or vanish while they are read, are left out. An error if the
// directory cannot be listed.
Result<std::vector<JournalTail>> ReadJournalTails(FileSystem& file_system,
                                                  const std::string& directory);

// The rank that the recorder of a journal gave itself. No value if the journal cannot be read.
std::optional<ProcessRank> RankOfJournal(FileSystem& file_system, const std::string& path);

}  // namespace sightline
