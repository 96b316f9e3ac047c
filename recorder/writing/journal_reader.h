// What journals hold after the ends of event files: for readers, which never write. Works on the
// journal of a live recorder as on one that a killed recorder left, also in a read-only directory.
//
//   for (const JournalTail& tail : *ReadJournalTails(FileSystem::Local(), "run")) {
//     // The records of run/<tail.file_name> are those of its first tail.visible_bytes bytes, then
//     tail.payloads.
//   }
//
// The answer is one instant's: a live recorder may have moved payloads into the file since, which
// is why the file counts up to visible_bytes only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline {

struct JournalTail {
  std::string file_name;  // In the run's directory; the file may not exist yet.
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t visible_bytes = 0;  // Of the file.
  std::vector<std::string> payloads;
};

// The tails of all event files of `directory` that a journal belongs to; of the same file at most
// one. Journals that are damaged, or vanish while they are read, are left out. Errors: the
// directory cannot be listed.
Result<std::vector<JournalTail>> ReadJournalTails(FileSystem& file_system,
                                                  const std::string& directory);

}  // namespace sightline
