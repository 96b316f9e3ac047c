#include "sightline/runs/model/run_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/journal_replay.h"

namespace sightline {
namespace {

constexpr double kSilentIntervals = 10;

bool IsSoundJournal(FileSystem& file_system, const std::string& path) {
  const auto file = file_system.OpenForRead(path);
  if (!file) return false;
  const auto size = (*file)->Size();
  auto header = std::make_unique<JournalHeader>();
  const auto read =
      (*file)->ReadAt(0, {reinterpret_cast<char*>(header.get()), sizeof(JournalHeader)});
  return size && read && *read == sizeof(JournalHeader) && CheckJournalHeader(*header, *size).ok();
}

// Whether /proc/locks lists a lock of the file. Locks of processes that this one cannot see are
// missing there, so false proves nothing.
bool LockIsListed(const struct stat& info) {
  std::ifstream locks("/proc/locks");
  const std::uint64_t inode = info.st_ino;
  for (std::string line; std::getline(locks, line);) {
    // "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234567 0 EOF"
    if (line.find("FLOCK") == std::string::npos || line.find("->") != std::string::npos) continue;
    unsigned device_major = 0;
    unsigned device_minor = 0;
    unsigned long long listed = 0;
    const std::size_t colon = line.find(':', line.find(':') + 1);
    if (colon == std::string::npos || colon < 2) continue;
    const std::size_t begin = line.rfind(' ', colon) + 1;
    if (std::sscanf(line.c_str() + begin, "%x:%x:%llu", &device_major, &device_minor, &listed) != 3)
      continue;
    if (listed == inode && device_major == major(info.st_dev) && device_minor == minor(info.st_dev))
      return true;
  }
  return false;
}

bool IsHeld(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat info = {};
  bool held = fstat(fd, &info) == 0 && LockIsListed(info);
  if (!held) held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);  // Also gives the lock back.
  return held;
}

}  // namespace

std::string_view RunStateName(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return "running";
    case RunState::kStalled:
      return "stalled";
    case RunState::kKilled:
      return "killed";
    case RunState::kFinished:
      return "finished";
    case RunState::kEnded:
      return "ended";
  }
  return "unknown";
}

RunState StateOf(const RunSigns& signs, const Clock& clock) {
  const double silence = clock.WallSeconds() - signs.last_change;
  const double longest = std::clamp(kSilentIntervals * signs.usual_interval.value_or(0),
                                    kSilenceSeconds, kLongestSilenceSeconds);
  // A time that this clock has not reached says nothing. Then a lock is the only sign of life.
  const bool silent = silence > longest || (!signs.journal_held && silence < -kCopySeconds);
  if (signs.journal_held) return silent ? RunState::kStalled : RunState::kRunning;
  if (signs.journal || signs.recovered) return RunState::kKilled;
  if (signs.ours) return RunState::kFinished;
  return silent ? RunState::kEnded : RunState::kRunning;
}

void AddJournalSigns(FileSystem& file_system, const std::string& directory, RunSigns& signs) {
  for (const std::string& path : FindJournals(directory, file_system)) {
    if (!IsSoundJournal(file_system, path)) continue;
    signs.journal = true;
    signs.ours = true;
    const auto mappable = file_system.MappablePath(path);
    if (mappable && IsHeld(*mappable)) signs.journal_held = true;
  }
}

}  // namespace sightline
