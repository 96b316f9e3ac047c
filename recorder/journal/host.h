// Host: what a journal must know about its machine. A journal belongs to a process of one machine.
// Its lock tells whether that process lives, but not to everybody: on a network drive that is
// mounted without locks, another machine can take the same lock.
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
  // If blocks are not rewritten in place, it does not help to allocate them: a store into the
  // mapped journal may still find the disk full, which raises SIGBUS.
  CopyOnWrite copy_on_write = CopyOnWrite::kNo;

  bool operator==(const Storage&) const = default;
};

// Describes the file system that contains `path`, by its number in statfs(2). If that fails, it
// counts as a local one that rewrites in place.
Storage StorageOf(const std::string& path);

struct Host {
  std::string machine_id = {};  // /etc/machine-id: 32 hexadecimal digits; empty if there is none.
  std::string boot_id = {};  // The running kernel's boot id: 32 hexadecimal digits; may be empty.
  std::function<Storage(const std::string& path)> storage = StorageOf;

  // This machine. It is read once; any thread may call this.
  static const Host& This();
};

}  // namespace sightline
