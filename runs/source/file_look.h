// FileLook: what one stat says about a file or a directory, to find out later whether it changed.
//
// A plain value and a plain function, callable from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

struct FileLook {
  bool there = false;
  bool is_directory = false;
  std::uint64_t bytes = 0;
  double modified_seconds = 0;
  // The inode's change time in ns, and its number; 0 if the file is not on this machine's file
  // system.
  std::int64_t changed_nanos = 0;
  std::uint64_t inode = 0;
  // The last change was long enough before the look that any later write, even one of the same
  // size, makes the file look different. File systems stamp changes with a coarse clock, so that a
  // write just after another one may not show.
  bool settled = false;

  // The time of the look does not matter.
  bool operator==(const FileLook& other) const {
    return there == other.there && is_directory == other.is_directory && bytes == other.bytes &&
           modified_seconds == other.modified_seconds && changed_nanos == other.changed_nanos &&
           inode == other.inode;
  }
};

// Follows links. A file that cannot be looked at counts as not there.
FileLook LookAtFile(FileSystem& file_system, const std::string& path);

}  // namespace sightline
