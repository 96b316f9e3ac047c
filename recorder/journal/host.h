// Host: what a journal must know about its machine. A journal belongs to a process of one machine.
// Its lock tells whether that process lives, but not to everybody: on a network drive that is
// mounted without locks, another machine can take the same lock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sightline {

// The properties of a file system that matter for a journal's file.
struct Storage {
  enum class CopyOnWrite : std::uint8_t {
    kNo,
    kUnlessTurnedOff,  // btrfs: a file may be marked so that it is rewritten in place.
    kAlways,           // ZFS, bcachefs.
  };

  bool shared = false;     // Other machines may have it mounted: NFS, SMB, Lustre, FUSE and others.
  bool in_memory = false;  // tmpfs: its files are gone when the machine restarts.
  // If blocks are not rewritten in place, it does not help to allocate them: a store into the
  // mapped journal may still find the disk full, which raises SIGBUS.
  CopyOnWrite copy_on_write = CopyOnWrite::kNo;

  bool operator==(const Storage&) const = default;
};

// Describes the file system that contains `path`, by its number in statfs(2). If that fails, it
// counts as a local one that rewrites in place.
Storage StorageOf(const std::string& path);

// 32 hexadecimal digits that tell machines apart, of those in /etc/machine-id and of the machine's
// name: virtual machines and containers that are made from one image have the same /etc/machine-id.
// Empty where `digits` is.
std::string MachineId(std::string_view digits, std::string_view name);

struct Host {
  std::string machine_id = {};  // As MachineId makes it; empty if there is none.
  std::string boot_id = {};  // The running kernel's boot id: 32 hexadecimal digits; may be empty.
  std::function<Storage(const std::string& path)> storage = StorageOf;
  double started_at = 0;  // When that kernel was started, in Unix seconds; 0: not known.

  // This machine. It is read once; any thread may call this.
  static const Host& This();
};

}  // namespace sightline
