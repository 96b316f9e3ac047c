// Host: this machine, as far as a journal must know it. A journal belongs to a process of one
// machine. Its lock says whether that process lives, but only to processes that share the lock: on
// a network drive that is mounted without locks, another machine gets it as well.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sightline {

// What a file system does with a journal's file.
struct Storage {
  enum class CopyOnWrite : std::uint8_t {
    kNo,
    kUnlessTurnedOff,  // btrfs: a file may be marked so that it is rewritten in place.
    kAlways,           // ZFS, bcachefs.
  };

  bool shared = false;  // Other machines may have it mounted: NFS, SMB, Lustre, FUSE and others.
  // Where blocks are not rewritten in place, those that are allocated promise nothing: a store into
  // the mapped journal may find the disk full, which is SIGBUS.
  CopyOnWrite copy_on_write = CopyOnWrite::kNo;

  bool operator==(const Storage&) const = default;
};

// Of the file system that holds `path`, by its number in statfs(2); a local one where that fails.
Storage StorageOf(const std::string& path);

struct Host {
  std::string machine_id =
      {};                    // /etc/machine-id: 32 hexadecimal digits; empty where there is none.
  std::string boot_id = {};  // Of the kernel that runs, 32 hexadecimal digits.
  std::function<Storage(const std::string& path)> storage = StorageOf;

  // This one. Read once; any thread.
  static const Host& This();
};

}  // namespace sightline
