#include "sightline/runs/source/file_look.h"

#include <sys/stat.h>

#include <chrono>

namespace sightline {
namespace {

// Coarser than the clock of any file system in use (FAT's has 2 s).
constexpr std::chrono::nanoseconds kSettled = std::chrono::seconds(3);

std::int64_t NowNanos() {
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  return now.count();
}

}  // namespace

FileLook LookAtFile(FileSystem& file_system, const std::string& path) {
  FileLook look;
  if (const auto real = file_system.MappablePath(path)) {
    struct stat info = {};
    if (stat(real->c_str(), &info) != 0) return look;
    look.there = true;
    look.is_directory = S_ISDIR(info.st_mode);
    look.bytes = static_cast<std::uint64_t>(info.st_size);
    look.modified_seconds =
        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
    look.changed_nanos = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec;
    look.inode = info.st_ino;
    look.settled = look.changed_nanos < NowNanos() - kSettled.count();
  } else if (const auto seen = file_system.Stat(path)) {
    look.there = true;
    look.is_directory = seen->is_directory;
    look.bytes = seen->size;
    look.modified_seconds = seen->modified_seconds;
  }
  return look;
}

}  // namespace sightline
