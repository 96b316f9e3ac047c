#include "sightline/runs/model/run_state.h"

#include <algorithm>
#include <memory>

#include "sightline/base/system/file_lock.h"
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
  if (signs.ours || signs.closed) return RunState::kFinished;
  return silent ? RunState::kEnded : RunState::kRunning;
}

void AddJournalSigns(FileSystem& file_system, const std::string& directory, RunSigns& signs) {
  for (const std::string& path : FindJournals(directory, file_system)) {
    if (!IsSoundJournal(file_system, path)) continue;
    signs.journal = true;
    signs.ours = true;
    const auto mappable = file_system.MappablePath(path);
    if (mappable && IsLocked(*mappable)) signs.journal_held = true;
  }
}

}  // namespace sightline
