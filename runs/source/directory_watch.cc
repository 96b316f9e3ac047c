#include "sightline/runs/source/directory_watch.h"

#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string_view>

#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/writing/killed_mark.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// File systems that other machines write to as well, or that are programs: inotify does not report
// all changes there. The numbers are those of statfs(2).
bool IsToldOf(const char* directory) {
  constexpr std::array<std::uint32_t, 10> kSilent = {
      0x6969,      // NFS
      0xff534d42,  // CIFS
      0xfe534d42,  // SMB2
      0x517b,      // SMB
      0x65735546,  // FUSE
      0x00c36400,  // Ceph
      0x0bd00bd0,  // Lustre
      0x47504653,  // GPFS
      0x01021997,  // 9P
      0x5346414f,  // AFS
  };
  struct statfs info = {};
  if (statfs(directory, &info) != 0) return false;
  const auto type = static_cast<std::uint32_t>(info.f_type);
  return std::find(kSilent.begin(), kSilent.end(), type) == kSilent.end();
}

bool BelongsToARun(std::string_view name) {
  return name.starts_with(kJournalPrefix) || name.starts_with(kKilledMarkPrefix) ||
         name.starts_with(kRunFactsPrefix) || ParseEventFileName(name);
}

}  // namespace

DirectoryWatch::DirectoryWatch(std::size_t most)
    : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), most_(most) {}

std::size_t DirectoryWatch::HalfOfTheUsers() {
  std::size_t limit = SIZE_MAX;
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> limit;
  return limit / 2;
}

DirectoryWatch::~DirectoryWatch() {
  if (fd_ >= 0) close(fd_);
}

bool DirectoryWatch::Add(const std::string& directory) {
  if (watches_.contains(directory)) return true;
  if (fd_ < 0 || watches_.size() >= most_ || !IsToldOf(directory.c_str())) return false;
  const int watch = inotify_add_watch(fd_, directory.c_str(), kEvents);
  if (watch < 0) return false;
  // The same directory by another path, through a link: the caller must look at this one.
  if (!directories_.emplace(watch, directory).second) return false;
  watches_.emplace(directory, watch);
  return true;
}

// Also forgets the directories below it, since their paths have changed, too.
void DirectoryWatch::Forget(const std::string& directory) {
  const std::string below = directory + "/";
  for (auto watch = watches_.lower_bound(directory);
       watch != watches_.end() && watch->first.starts_with(directory);) {
    if (watch->first != directory && !watch->first.starts_with(below)) {
      ++watch;
      continue;
    }
    inotify_rm_watch(fd_, watch->second);  // For a removed directory the system has done it.
    directories_.erase(watch->second);
    watch = watches_.erase(watch);
  }
}

void DirectoryWatch::TakeEvents(const char* begin, const char* end, News& news) {
  for (const char* at = begin; at < end;) {
    inotify_event event = {};
    std::memcpy(&event, at, sizeof(event));
    const char* const name = at + sizeof(event);
    at = name + event.len;
    if ((event.mask & IN_Q_OVERFLOW) != 0) news.everything = true;
    const auto directory = directories_.find(event.wd);
    if (directory == directories_.end()) continue;
    constexpr std::uint32_t kGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED;
    constexpr std::uint32_t kAppeared = IN_CREATE | IN_MOVED_TO;
    if ((event.mask & kGone) != 0) {
      const std::string path = directory->second;
      Forget(path);
      news.gone.insert(path);
    } else if ((event.mask & IN_ISDIR) != 0 ? (event.mask & kAppeared) != 0
                                            : event.len != 0 && BelongsToARun(name)) {
      news.changed.insert(directory->second);
    }
  }
}

DirectoryWatch::News DirectoryWatch::Take() {
  News news;
  alignas(inotify_event) char buffer[64 * 1024];
  for (ssize_t got = 0; fd_ >= 0 && (got = read(fd_, buffer, sizeof(buffer))) > 0;)
    TakeEvents(buffer, buffer + got, news);
  return news;
}

}  // namespace sightline
