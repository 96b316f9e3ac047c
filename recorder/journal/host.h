// Host: this machine, as far as a journal must know it. A journal belongs to a process of one
// machine. Its lock says whether that process lives, but only to processes that share the lock: on
// a network drive that is mounted without locks, another machine gets it as well.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sightline {

// What a file system does with a journal's file.
struct Storage {
  enum class CopyOnWrite : std::uint8_t {
    kNo,
    kUnlessTurnedOff,  // btrfs: a file may be marked so that it is rewritten in place.
    kAlways,           // ZFS, bcachefs.
  };

  bool shared = false;     // Other machines may have it mounted: NFS, SMB, Lustre, FUSE and others.
  bool in_memory = false;  // tmpfs: what it holds is gone when the machine is started again.
  // Where blocks are not rewritten in place, those that are allocated promise nothing: a store into
  // the mapped journal may find the disk full, which is SIGBUS.
  CopyOnWrite copy_on_write = CopyOnWrite::kNo;

  bool operator==(const Storage&) const = default;
};

// Of the file system that holds `path`, by its number in statfs(2); a local one where that fails.
Storage StorageOf(const std::string& path);

// 32 hexadecimal digits that tell machines apart, of those in /etc/machine-id and of the machine's
// name: virtual machines and containers that are made from one image have the same /etc/machine-id.
// Empty where `digits` is.
std::string MachineId(std::string_view digits, std::string_view name);

struct Host {
  std::string machine_id = {};  // As MachineId makes it.
  std::string boot_id = {};     // Of the kernel that runs, 32 hexadecimal digits.
  std::function<Storage(const std::string& path)> storage = StorageOf;
  double started_at = 0;  // When that kernel was started, in Unix seconds; 0: not known.

  // This one. Read once; any thread.
  static const Host& This();
};

}  // namespace sightline
