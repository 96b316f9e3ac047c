// FileStamp: what one stat call says about a file or a directory, to find out later whether it
// changed.
//
//   const FileStamp before = StampOf(file_system, path);
//   ...
//   if (StampOf(file_system, path) != before) Read(path);
//
// A plain value and a plain function, callable from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

struct FileStamp {
  bool exists = false;
  bool is_directory = false;
  std::uint64_t bytes = 0;
  double modified_seconds = 0;  // Since the Unix epoch.
  // The inode's change time in ns, and its number; 0 if the file is not on this machine's file
  // system.
  std::int64_t changed_nanos = 0;
  std::uint64_t inode = 0;
  // The last change was long enough before the stamp was taken that any later write, even one of
  // the same size, gives another stamp. File systems use a coarse clock, so a write just after
  // another one may not show.
  bool settled = false;

  // Ignores `settled`, which depends on when the stamp was taken.
  bool operator==(const FileStamp& other) const {
    return exists == other.exists && is_directory == other.is_directory && bytes == other.bytes &&
           modified_seconds == other.modified_seconds && changed_nanos == other.changed_nanos &&
           inode == other.inode;
  }
};

// Follows links. A file for which stat fails has the empty stamp.
FileStamp StampOf(FileSystem& file_system, const std::string& path);

}  // namespace sightline
