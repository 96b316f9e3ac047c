#include "sightline/recorder/journal/host.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <fstream>

#include "sightline/base/fnv1a.h"
#include "sightline/base/system/host_name.h"

namespace sightline {
namespace {

// Magic numbers of statfs(2). They are from linux/magic.h; those of file systems outside of the
// kernel's sources are from the file systems' own headers.
constexpr std::uint32_t kBtrfs = 0x9123683E;
constexpr std::uint32_t kZfs = 0x2FC12FC1;
constexpr std::uint32_t kBcachefs = 0xCA451A4E;
constexpr std::uint32_t kTmpfs = 0x01021994;
constexpr std::array<std::uint32_t, 18> kShared = {
    0x6969,      // NFS
    0x517B,      // SMB
    0xFE534D42,  // SMB 2
    0xFF534D42,  // CIFS
    0x0BD00BD0,  // Lustre
    0x00C36400,  // Ceph
    0x47504653,  // GPFS
    0x65735546,  // FUSE, which may be a network drive
    0x5346414F,  // AFS
    0x6B414653,  // AFS, the kernel's
    0x7461636F,  // OCFS2
    0x01161970,  // GFS2
    0x01021997,  // 9P
    0x19830326,  // BeeGFS
    0xAAD7AAEA,  // Panasas
    0xBEEFDEAD,  // StorNext
    0x786F4256,  // VirtualBox's shared folders
    0xBACBACBC,  // VMware's
};

// The hexadecimal digits of the file's first line, without the dashes of a boot id. Empty if they
// are not 32.
std::string DigitsOf(const char* path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  std::erase_if(text, [](unsigned char c) { return std::isxdigit(c) == 0; });
  return text.size() == 32 ? text : "";
}

double StartedAt() {
  timespec now{};
  timespec up{};
  if (clock_gettime(CLOCK_REALTIME, &now) != 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0) return 0;
  return static_cast<double>(now.tv_sec - up.tv_sec);
}

}  // namespace

std::string MachineId(std::string_view digits, std::string_view name) {
  if (digits.empty()) return "";
  return fmt::format("{:.16}{:016x}", digits, Fnv1a64(fmt::format("{} {}", digits, name)));
}

Storage StorageOf(const std::string& path) {
  struct statfs info {};
  if (statfs(path.c_str(), &info) != 0) return {};
  const auto type = static_cast<std::uint32_t>(info.f_type);
  Storage storage;
  storage.in_memory = type == kTmpfs;
  storage.shared = std::find(kShared.begin(), kShared.end(), type) != kShared.end();
  if (type == kBtrfs) storage.copy_on_write = Storage::CopyOnWrite::kUnlessTurnedOff;
  if (type == kZfs || type == kBcachefs) storage.copy_on_write = Storage::CopyOnWrite::kAlways;
  return storage;
}

const Host& Host::This() {
  static const auto* const host =
      new Host{MachineId(DigitsOf("/etc/machine-id"), HostName()),
               DigitsOf("/proc/sys/kernel/random/boot_id"), StorageOf, StartedAt()};
  return *host;
}

}  // namespace sightline
