#include "sightline/base/system/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace sightline {
namespace {

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

}  // namespace

bool IsLocked(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat info = {};
  bool locked = fstat(fd, &info) == 0 && LockIsListed(info);
  if (!locked) locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);  // Also gives the lock back.
  return locked;
}

}  // namespace sightline
