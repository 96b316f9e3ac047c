#include "sightline/recorder/writing/journal_owner.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sightline/base/process_registry.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/journal_replay.h"

namespace sightline {
namespace {

bool IsElsewhere(int fd, const std::string& path, const Host& host) {
  JournalHeader header{};
  return pread(fd, static_cast<void*>(&header), sizeof(header), 0) ==
             static_cast<ssize_t>(sizeof(header)) &&
         !IsOfThisMachine(header, path, host);
}

JournalOwner OwnerOf(FileSystem& file_system, const std::string& path, const Host& host) {
  const auto real = file_system.MappablePath(path);
  if (!real) return JournalOwner::kUnknown;
  // A child that is forked in this instant would keep the lock.
  const ProcessRegistry::NoFork no_fork;
  // A pipe of that name would be waited for.
  const int fd = open(real->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return JournalOwner::kUnknown;
  // The lock is shared, so that two readers do not take each other for a recorder.
  const bool locked = flock(fd, LOCK_SH | LOCK_NB) == 0;
  const int error = errno;
  const bool elsewhere = locked && IsElsewhere(fd, *real, host);
  const bool adopted = IsAdopted(fd);
  close(fd);
  if (elsewhere) return JournalOwner::kElsewhere;
  if (locked || adopted) return JournalOwner::kDead;
  return error == EWOULDBLOCK ? JournalOwner::kLives : JournalOwner::kUnknown;
}

}  // namespace

std::string_view JournalOwnerName(JournalOwner owner) {
  switch (owner) {
    case JournalOwner::kLives:
      return "lives";
    case JournalOwner::kDead:
      return "dead";
    case JournalOwner::kElsewhere:
      return "elsewhere";
    case JournalOwner::kUnknown:
      return "unknown";
  }
  return "";
}

std::vector<LeftJournal> ListJournals(FileSystem& file_system, const std::string& directory,
                                      const Host& host) {
  std::vector<LeftJournal> journals;
  for (const std::string& path : FindJournals(directory, file_system)) {
    LeftJournal& journal = journals.emplace_back();
    journal.path = path;
    journal.session_id = BaseName(path).substr(std::strlen(kJournalPrefix));
    journal.owner = OwnerOf(file_system, path, host);
  }
  return journals;
}

}  // namespace sightline
