#include "sightline/recorder/writing/journal_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>

#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/journal_drain.h"
#include "sightline/recorder/writing/run_config.h"

namespace sightline {
namespace {

bool IsTemporary(std::string_view name) { return name.ends_with(kJournalTemporarySuffix); }

// A journal that its maker did not live to finish, or is making right now: the lock tells.
void RemoveUnfinished(const std::string& path, FileSystem& file_system) {
  const auto real = file_system.MappablePath(path);
  if (!real) return;
  const int fd = open(real->c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(real->c_str());
  close(fd);
}

// A file that was not given its name yet when its recorder died.
void RemoveTemporaryFiles(const std::string& directory, const std::string& session_id,
                          FileSystem& file_system) {
  const auto names = file_system.List(directory);
  if (!names) return;
  const std::string prefix = ".sightline-" + session_id + "-";
  for (const std::string& name : *names) {
    if (name.starts_with(prefix) && IsTemporary(name))
      (void)file_system.Remove(JoinPath(directory, name)).ok();
  }
}

Status Replay(const std::string& path, const std::string& directory, FileSystem& file_system,
              const Clock& clock, FaultLog& faults, std::uint64_t& events) {
  auto map = JournalMap::Adopt(file_system, path);
  if (!map) return map.error();
  Journal journal(*std::move(map));
  const JournalHeader& header = journal.header();
  SIGHTLINE_ASSIGN_OR_RETURN(const RunConfig config, ParseManifest(std::string_view(
                                                         header.manifest, header.manifest_bytes)));
  if (SinkCount(config) != header.sink_count) {
    return Status(StatusCode::kDataLoss,
                  "its manifest names another number of files than its header");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto sinks, OpenSinks(config, directory, SinkStart::kKilledRun,
                                                   file_system, clock, {}, journal));
  JournalDrain drain(journal, JournalDrain::Source::kDead, std::move(sinks), {}, 0, faults);
  const std::uint64_t before = drain.done().sequence;
  SIGHTLINE_RETURN_IF_ERROR(drain.Drain());
  events += drain.done().sequence - before;
  SIGHTLINE_RETURN_IF_ERROR(drain.Close());
  RemoveTemporaryFiles(directory, config.run.session_id, file_system);
  return journal.map().Remove();
}

}  // namespace

std::vector<std::string> FindJournals(const std::string& directory, FileSystem& file_system) {
  std::vector<std::string> paths;
  const auto names = file_system.List(directory);
  if (!names) return paths;
  for (const std::string& name : *names) {
    if (name.starts_with(kJournalPrefix) && !IsTemporary(name))
      paths.push_back(JoinPath(directory, name));
  }
  return paths;
}

ReplaySummary ReplayJournals(const std::string& directory, FileSystem& file_system,
                             const Clock& clock, FaultLog& faults) {
  ReplaySummary summary;
  if (const auto names = file_system.List(directory)) {
    for (const std::string& name : *names) {
      if (name.starts_with(kJournalPrefix) && IsTemporary(name)) {
        RemoveUnfinished(JoinPath(directory, name), file_system);
      }
    }
  }
  for (const std::string& path : FindJournals(directory, file_system)) {
    const Status status = Replay(path, directory, file_system, clock, faults, summary.events);
    if (status.ok()) {
      ++summary.completed;
    } else if (status.code() == StatusCode::kUnavailable) {
      summary.live.push_back(path.substr(path.rfind(kJournalPrefix) + std::strlen(kJournalPrefix)));
    } else {
      // A link to a journal elsewhere that is no more: in memory, and the machine was started
      // again.
      if (status.code() == StatusCode::kNotFound) (void)file_system.Remove(path).ok();
      faults.Note(
          status.WithContext("cannot complete the files of a killed recorder from " + path));
    }
  }
  return summary;
}

}  // namespace sightline
