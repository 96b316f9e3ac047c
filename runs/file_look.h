// FileLook: what a file or a directory looks like from outside, by one stat, to tell whether it
// changed since.
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
  // Of the inode, in ns, and its number; 0 where the file system is not the machine's.
  std::int64_t changed_nanos = 0;
  std::uint64_t inode = 0;
  // Its last change was over before it was looked at: whoever writes to it later, even as many
  // bytes as were there, makes it look different. File systems stamp changes with a clock that
  // stands still for some milliseconds, and a write within them need not show.
  bool settled = false;

  // When it was looked at does not count.
  bool operator==(const FileLook& other) const {
    return there == other.there && is_directory == other.is_directory && bytes == other.bytes &&
           modified_seconds == other.modified_seconds && changed_nanos == other.changed_nanos &&
           inode == other.inode;
  }
};

// Links are followed. What cannot be looked at is not there.
FileLook LookAtFile(FileSystem& file_system, const std::string& path);

}  // namespace sightline
