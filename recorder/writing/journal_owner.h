// Lists the journals in a run's directory, and whether their recorders live. Changes nothing.
//
//   for (const LeftJournal& journal : ListJournals(FileSystem::Local(), "run")) {
//     if (journal.owner == JournalOwner::kDead) Advise(journal.path);
//   }
//
// To find out whether a recorder lives, this tries the journal's lock (journal_map.h), and holds it
// for an instant. A recorder that opens the directory in that instant takes the journal for that of
// a live recorder, and leaves it for the next one.
//
// Plain functions; may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/recorder/journal/host.h"

namespace sightline {

enum class JournalOwner : std::uint8_t {
  kLives,      // The recorder lives.
  kDead,       // It was killed, or ended without Close. The next recorder completes the files.
  kElsewhere,  // Another machine wrote the journal, and only that machine can tell.
  kUnknown,    // The journal cannot be opened: no permission, or a link to a file that is gone.
};

// "lives", "dead", "elsewhere", "unknown".
std::string_view JournalOwnerName(JournalOwner owner);

struct LeftJournal {
  std::string path;
  std::string session_id;  // From the journal's name.
  JournalOwner owner = JournalOwner::kUnknown;
};

// Returns the journals, ordered by path; empty if the directory cannot be listed. A journal that a
// recorder is just making is left out.
std::vector<LeftJournal> ListJournals(FileSystem& file_system, const std::string& directory,
                                      const Host& host = Host::This());

}  // namespace sightline
