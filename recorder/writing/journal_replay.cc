#include "sightline/recorder/writing/journal_replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "sightline/base/process_registry.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/journal_drain.h"
#include "sightline/recorder/writing/npy_sink.h"
#include "sightline/recorder/writing/run_config.h"

namespace sightline {
namespace {

bool IsTemporary(std::string_view name) { return name.ends_with(kJournalTemporarySuffix); }

// How long a replay waits for another process that replays the same directory. That process may be
// stopped, and a training must not wait for it for ever.
constexpr std::chrono::seconds kTurnPatience{10};
constexpr std::chrono::milliseconds kTurnPause{5};

// Lets one process at a time replay a directory, by a lock on the directory. If eight ranks are
// restarted together, one of them completes a dead journal, and without this the others could take
// it for that of a live recorder. If the directory cannot be locked (NFS), or the other process
// takes too long, the replay starts without its turn.
class ReplayTurn {
 public:
  ReplayTurn(const std::string& directory, FileSystem& file_system) {
    OpenDirectory(directory, file_system);
    const auto end = std::chrono::steady_clock::now() + kTurnPatience;
    while (flock(directory_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() >= end) break;
      std::this_thread::sleep_for(kTurnPause);
    }
  }
  ReplayTurn(const ReplayTurn&) = delete;
  ReplayTurn& operator=(const ReplayTurn&) = delete;
  ~ReplayTurn() {
    {
      const ProcessRegistry::NoFork no_fork;
      if (directory_ >= 0) close(std::exchange(directory_, -1));
    }
    ProcessRegistry::Remove(this);
  }

 private:
  // A forked child closes its copy of the descriptor, which would otherwise keep the lock after
  // this process has ended.
  void OpenDirectory(const std::string& directory, FileSystem& file_system) {
    const auto real = file_system.MappablePath(directory);
    if (!real) return;
    const ProcessRegistry::NoFork no_fork;
    directory_ = open(real->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    no_fork.Add(this, [this] {
      if (directory_ >= 0) close(directory_);
    });
  }

  int directory_ = -1;
};

// Removes a journal whose recorder died while it made it. If the recorder is just making it, the
// lock shows that.
void RemoveUnfinished(const std::string& path, FileSystem& file_system) {
  const auto real = file_system.MappablePath(path);
  if (!real) return;
  const int fd = open(real->c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(real->c_str());
  close(fd);
}

// Removes the event files that did not have their names yet when their recorder died.
Status RemoveTemporaryFiles(const std::string& directory, const std::string& session_id,
                            FileSystem& file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, file_system.List(directory));
  const std::string prefix = ".sightline-" + session_id + "-";
  for (const std::string& name : names) {
    if (name.starts_with(prefix) && IsTemporary(name))
      SIGHTLINE_RETURN_IF_ERROR(file_system.Remove(JoinPath(directory, name)));
  }
  return {};
}

// Whether the journal that this link leads to is gone for good: it was in memory, and the machine
// was started again. Another missing journal may be on another machine, in another container or on
// a disk that is not mounted, and its recorder may be at work.
bool IsGoneForGood(const std::string& link, const Host& host) {
  struct stat made {};
  char target[PATH_MAX] = {};
  return lstat(link.c_str(), &made) == 0 &&
         readlink(link.c_str(), target, sizeof(target) - 1) > 0 &&
         static_cast<double>(made.st_mtim.tv_sec) < host.started_at &&
         !host.storage(DirectoryOf(link)).shared && host.storage(DirectoryOf(target)).in_memory;
}

bool IsEventFileName(const char (&name)[kMaxFileNameBytes]) {
  const std::string_view text(name, strnlen(name, sizeof(name)));
  return text.empty() || (text.size() < sizeof(name) && text.find('/') == std::string_view::npos &&
                          ParseEventFileName(text));
}

// A recorder makes files and folders, not links, which might lead to somebody else's.
Status CheckIsNoLink(const std::string& name, const std::string& directory,
                     FileSystem& file_system) {
  const auto real = file_system.MappablePath(directory);
  struct stat info {};
  if (!real || lstat(JoinPath(*real, name).c_str(), &info) != 0 || !S_ISLNK(info.st_mode))
    return {};
  return Status(StatusCode::kDataLoss, "it names " + name + ", which is a link");
}

Status CheckPlaces(const Journal& journal, const std::string& directory, FileSystem& file_system) {
  const JournalHeader& header = journal.header();
  const std::uint64_t head = journal.head();
  for (std::size_t sink = 0; sink < header.sink_count; ++sink) {
    const SinkProgress progress = journal.LoadProgress(sink);
    SIGHTLINE_RETURN_IF_ERROR(CheckPlace(progress));
    const std::string folder = NpyFolderName(progress.file_digits);
    for (const std::string& name : {std::string(progress.file_name), folder, folder + "/tensor"})
      SIGHTLINE_RETURN_IF_ERROR(CheckIsNoLink(name, directory, file_system));
    if (progress.position > head || head - progress.position > header.ring_bytes ||
        head % kEntryAlignment != 0)
      return Status(StatusCode::kDataLoss, "its positions are not valid");
  }
  return {};
}

Status Replay(std::unique_ptr<JournalMap> map, const std::string& directory,
              FileSystem& file_system, const Clock& clock, FaultLog& faults,
              std::uint64_t& events) {
  Journal journal(std::move(map));
  const JournalHeader& header = journal.header();
  SIGHTLINE_ASSIGN_OR_RETURN(const RunConfig config, ParseManifest(std::string_view(
                                                         header.manifest, header.manifest_bytes)));
  if (SinkCount(config) != header.sink_count || header.sink_count == 0) {
    return Status(StatusCode::kDataLoss,
                  "its manifest and its header have different numbers of files");
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckPlaces(journal, directory, file_system));
  SIGHTLINE_ASSIGN_OR_RETURN(auto sinks, OpenSinks(config, directory, SinkStart::kKilledRun,
                                                   file_system, clock, {}, journal));
  JournalDrain drain(journal, JournalDrain::Source::kDead, std::move(sinks), {}, 0, faults);
  const std::uint64_t before = drain.done().sequence;
  SIGHTLINE_RETURN_IF_ERROR(drain.Drain());
  events += drain.done().sequence - before;
  SIGHTLINE_RETURN_IF_ERROR(drain.Close());
  SIGHTLINE_RETURN_IF_ERROR(RemoveTemporaryFiles(directory, config.run.session_id, file_system));
  return journal.map().Remove();
}

constexpr char kCannotComplete[] = "cannot complete the files of a killed recorder from ";

// Notes a link to a missing journal.
void NoteMissing(const std::string& path, FileSystem& file_system, const Host& host,
                 FaultLog& faults) {
  const auto real = file_system.MappablePath(path);
  struct stat link {};
  if (!real || lstat(real->c_str(), &link) != 0) return;  // Another process has completed it.
  std::string why = "the journal that it leads to is missing";
  if (IsGoneForGood(*real, host)) {
    (void)file_system.Remove(path).ok();
    why += ": it was in memory, and this machine was started again";
  } else {
    why += "; when no other machine or container has it, remove this link";
  }
  faults.Note(Status(StatusCode::kNotFound, kCannotComplete + path + ": " + why));
}

}  // namespace

Status CheckPlace(const SinkProgress& progress) {
  if (!IsEventFileName(progress.file_name))
    return Status(StatusCode::kDataLoss, "it names a file that is not an event file");
  if (progress.position % kEntryAlignment != 0)
    return Status(StatusCode::kDataLoss, "its positions are not valid");
  return {};
}

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
                             const Clock& clock, FaultLog& faults, const Host& host,
                             OtherMachines others) {
  const ReplayTurn turn(directory, file_system);
  ReplaySummary summary;
  if (const auto names = file_system.List(directory)) {
    for (const std::string& name : *names) {
      if (name.starts_with(kJournalPrefix) && IsTemporary(name)) {
        RemoveUnfinished(JoinPath(directory, name), file_system);
      }
    }
  }
  for (const std::string& path : FindJournals(directory, file_system)) {
    auto map = JournalMap::Adopt(file_system, path, host, others);
    if (map) {
      const Status status =
          Replay(*std::move(map), directory, file_system, clock, faults, summary.events);
      summary.completed += status.ok() ? 1 : 0;
      faults.Note(status.WithContext(kCannotComplete + path));
    } else if (map.error().code() == StatusCode::kUnavailable) {
      summary.live.push_back(path.substr(path.rfind(kJournalPrefix) + std::strlen(kJournalPrefix)));
    } else if (map.error().code() == StatusCode::kNotFound) {
      NoteMissing(path, file_system, host, faults);
    } else if (map.error().code() != StatusCode::kAlreadyExists) {  // Another process completes it.
      faults.Note(map.error().WithContext(kCannotComplete + path));
    }
  }
  return summary;
}

}  // namespace sightline
