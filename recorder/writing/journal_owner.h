// The journals that lie in a run's directory, and whether their recorders live: for people and
// programs that read, and change nothing.
//
//   for (const LeftJournal& journal : ListJournals(FileSystem::Local(), "run")) {
//     if (journal.owner == JournalOwner::kDead) Advise(journal.path);
//   }
//
// Whether a recorder lives is asked of the kernel, by trying the journal's lock (journal_map.h).
// The lock is held for an instant then; a recorder that opens the directory in that instant takes
// the journal for a live one's and leaves it for the next.
//
// Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/recorder/journal/host.h"

namespace sightline {

enum class JournalOwner : std::uint8_t {
  kLives,      // A recorder is at work.
  kDead,       // It was killed, or ended without closing; the next recorder completes the files.
  kElsewhere,  // It was written on another machine, and only that one can tell.
  kUnknown,    // The journal cannot be opened: no permission, or a link to one that is gone.
};

// "lives", "dead", "elsewhere", "unknown".
std::string_view JournalOwnerName(JournalOwner owner);

struct LeftJournal {
  std::string path;
  std::string session_id;  // By its name.
  JournalOwner owner = JournalOwner::kUnknown;
};

// By path; none where the directory cannot be listed. What a recorder is making right now is left
// out.
std::vector<LeftJournal> ListJournals(FileSystem& file_system, const std::string& directory,
                                      const Host& host = Host::This());

}  // namespace sightline
