#include "sightline/base/file_stamp.h"

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

FileStamp StampOf(FileSystem& file_system, const std::string& path) {
  FileStamp stamp;
  if (const auto real = file_system.MappablePath(path)) {
    struct stat info = {};
    if (stat(real->c_str(), &info) != 0) return stamp;
    stamp.exists = true;
    stamp.is_directory = S_ISDIR(info.st_mode);
    stamp.bytes = static_cast<std::uint64_t>(info.st_size);
    stamp.modified_seconds =
        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
    stamp.changed_nanos = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec;
    stamp.inode = info.st_ino;
    stamp.settled = stamp.changed_nanos < NowNanos() - kSettled.count();
  } else if (const auto seen = file_system.Stat(path)) {
    stamp.exists = true;
    stamp.is_directory = seen->is_directory;
    stamp.bytes = seen->size;
    stamp.modified_seconds = seen->modified_seconds;
  }
  return stamp;
}

}  // namespace sightline
