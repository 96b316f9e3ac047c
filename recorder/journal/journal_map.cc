#include "sightline/recorder/journal/journal_map.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/base/process_registry.h"

namespace sightline {
namespace {

// Between the creation of our temporary file and its lock, another recorder that opens in the same
// directory may take it for a left-over one and remove it. Then we make it again.
constexpr int kCreateTries = 8;

std::size_t RoundUpToPages(std::size_t bytes) {
  // The ring's offset is a multiple of every page size, so it is a good unit on every machine.
  return (bytes + kJournalRingOffset - 1) / kJournalRingOffset * kJournalRingOffset;
}

// Marks the file so that it is rewritten in place. Only an empty file can be marked.
Status TurnOffCopyOnWrite(int fd, const std::string& path, Storage::CopyOnWrite copy_on_write) {
  if (copy_on_write == Storage::CopyOnWrite::kNo) return {};
  int flags = 0;
  if (copy_on_write == Storage::CopyOnWrite::kUnlessTurnedOff &&
      ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
    flags |= FS_NOCOW_FL;
    if (ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 &&
        (flags & FS_NOCOW_FL) != 0)
      return {};
  }
  return Status(StatusCode::kUnimplemented,
                "the file system of journal " + path +
                    " copies on each write, so no room can be kept for the journal; set "
                    "journal_dir to a folder on another file system");
}

// Returns the path without links, "." and ".."; empty, with errno set, if there is no such file.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? "" : real.get();
}

Error CompletedElsewhere(const std::string& path) {
  return Error(StatusCode::kAlreadyExists, "another process completes journal " + path);
}

// Makes a new, locked file of its full size. After an error, no file is left.
Result<int> MakeFile(const std::string& path, std::size_t bytes,
                     Storage::CopyOnWrite copy_on_write) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return Error(ErrnoStatus("cannot create journal " + path, errno));
  Status status;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) status = ErrnoStatus("cannot lock journal " + path, errno);
  if (status.ok()) status = TurnOffCopyOnWrite(fd, path, copy_on_write);
  if (status.ok()) {
    if (const int error = posix_fallocate(fd, 0, static_cast<off_t>(bytes)); error != 0) {
      status =
          ErrnoStatus(fmt::format("cannot allocate {} bytes for journal {}", bytes, path), error);
    }
  }
  if (status.ok()) return fd;
  unlink(path.c_str());
  close(fd);
  return Error(status);
}

}  // namespace

std::uint32_t JournalHeaderChecksum(const JournalHeader& header) {
  const auto* begin = reinterpret_cast<const char*>(&header.ring_bytes);
  const auto* end =
      header.manifest + std::min<std::size_t>(header.manifest_bytes, kMaxManifestBytes);
  return crc32c::Value(std::string_view(begin, static_cast<std::size_t>(end - begin)));
}

Status CheckJournalHeader(const JournalHeader& header, std::uint64_t file_bytes) {
  if (std::memcmp(header.magic, kJournalMagic, sizeof(kJournalMagic)) != 0) {
    return Status(StatusCode::kDataLoss, "not a journal (magic bytes)");
  }
  if (header.version != kJournalVersion) {
    return Status(StatusCode::kUnimplemented,
                  fmt::format("the journal has version {}, but this program knows version {}",
                              header.version, kJournalVersion));
  }
  if (header.manifest_bytes > kMaxManifestBytes || header.sink_count > kMaxSinks ||
      header.checksum != JournalHeaderChecksum(header)) {
    return Status(StatusCode::kDataLoss, "the journal's header is damaged");
  }
  if (header.ring_bytes > kMaxRingBytes) {
    return Status(StatusCode::kDataLoss,
                  fmt::format("the journal's header says {} bytes; at most {} are one",
                              header.ring_bytes, kMaxRingBytes));
  }
  if (header.ring_bytes == 0 || header.ring_bytes % kJournalRingOffset != 0 ||
      file_bytes < kJournalRingOffset || file_bytes - kJournalRingOffset < header.ring_bytes) {
    return Status(StatusCode::kDataLoss,
                  fmt::format("the journal is cut: {} bytes, its header says {}", file_bytes,
                              kJournalRingOffset + header.ring_bytes));
  }
  return {};
}

Result<std::unique_ptr<JournalMap>> JournalMap::Create(
    FileSystem& file_system, const std::string& directory, const std::string& link_directory,
    std::string_view session_id, std::size_t ring_bytes, std::string_view manifest,
    std::size_t sinks, const Host& host) {
  ring_bytes = RoundUpToPages(ring_bytes);
  const std::string name = kJournalPrefix + std::string(session_id);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path,
                             file_system.MappablePath(JoinPath(directory, name)));
  const std::string temporary = path + kJournalTemporarySuffix;

  auto map = std::unique_ptr<JournalMap>(new JournalMap());
  const ProcessRegistry::NoFork no_fork;
  for (int tries = 1;; ++tries) {
    Result<int> fd = MakeFile(temporary, kJournalRingOffset + ring_bytes,
                              host.storage(DirectoryOf(path)).copy_on_write);
    const bool taken = fd.has_value() ? false : fd.error().code() == StatusCode::kUnavailable;
    if (!fd && (!taken || tries == kCreateTries)) return Error(fd.error());
    if (!fd) continue;
    map->fd_ = *fd;
    Status status = map->Map(*fd, ring_bytes);
    if (status.ok()) {
      map->Initialize(session_id, manifest, sinks, host);
      if (rename(temporary.c_str(), path.c_str()) == 0) break;
      status = ErrnoStatus("cannot rename journal " + path, errno);
    }
    unlink(temporary.c_str());
    if (status.code() != StatusCode::kNotFound || tries == kCreateTries) return Error(status);
    map.reset(new JournalMap());
  }
  map->GiveUpInForkedChildren();
  map->file_system_ = &file_system;
  map->path_ = path;
  // The two may be the same directory, written differently.
  if (RealPath(directory) == RealPath(link_directory)) return map;
  map->link_ = JoinPath(link_directory, name);
  const std::string absolute = RealPath(path);
  if (!absolute.empty() && symlink(absolute.c_str(), map->link_.c_str()) == 0) return map;
  // Without the link, nobody who opens the run would find the journal.
  const Status status = ErrnoStatus("cannot link journal " + path + " to " + map->link_, errno);
  unlink(path.c_str());
  return Error(status);
}

Result<std::unique_ptr<JournalMap>> JournalMap::CreatePrivate(std::string_view session_id,
                                                              std::size_t ring_bytes,
                                                              std::string_view manifest,
                                                              std::size_t sinks) {
  ring_bytes = RoundUpToPages(ring_bytes);
  auto map = std::unique_ptr<JournalMap>(new JournalMap());
  map->fd_ = memfd_create("sightline-journal", MFD_CLOEXEC);
  if (map->fd_ < 0 ||
      ftruncate(map->fd_, static_cast<off_t>(kJournalRingOffset + ring_bytes)) != 0) {
    return Error(ErrnoStatus(fmt::format("cannot get {} bytes of memory", ring_bytes), errno));
  }
  SIGHTLINE_RETURN_IF_ERROR(map->Map(map->fd_, ring_bytes));
  map->Initialize(session_id, manifest, sinks, Host::This());
  return map;
}

bool IsAdopted(int fd) {
  std::uint32_t adopted = 0;
  return pread(fd, &adopted, sizeof(adopted), offsetof(JournalHeader, adopted)) ==
             static_cast<ssize_t>(sizeof(adopted)) &&
         adopted != 0;
}

bool IsOfThisMachine(const JournalHeader& header, const std::string& path, const Host& host) {
  const auto is = [](const char(&id)[32], const std::string& own) {
    return !own.empty() && std::string_view(id, sizeof(id)) == own;
  };
  return is(header.boot_id, host.boot_id) || is(header.machine_id, host.machine_id) ||
         !host.storage(path).shared;
}

Result<std::unique_ptr<JournalMap>> JournalMap::Adopt(FileSystem& file_system,
                                                      const std::string& path, const Host& host,
                                                      OtherMachines others) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string real, file_system.MappablePath(path));
  auto map = std::unique_ptr<JournalMap>(new JournalMap());
  const ProcessRegistry::NoFork no_fork;
  map->fd_ = open(real.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (map->fd_ < 0) return Error(ErrnoStatus("cannot open journal " + real, errno));
  if (flock(map->fd_, LOCK_EX | LOCK_NB) != 0) {
    const Status locked = ErrnoStatus("journal " + real + " belongs to a live recorder", errno);
    return IsAdopted(map->fd_) ? CompletedElsewhere(real) : Error(locked);
  }
  map->GiveUpInForkedChildren();
  // Its owner may have closed and removed it between our open and our lock.
  struct stat opened {};
  struct stat named {};
  if (fstat(map->fd_, &opened) != 0 || stat(real.c_str(), &named) != 0 ||
      opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
    return IsAdopted(map->fd_)
               ? CompletedElsewhere(real)
               : Error(StatusCode::kUnavailable, "journal " + real + " was closed by its recorder");
  }
  map->file_system_ = &file_system;
  map->path_ = real;
  // With journal_dir, `path` is a link beside the run; Remove will remove both.
  struct stat link {};
  if (lstat(real.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    if (std::string target = RealPath(real); !target.empty())
      map->link_ = std::exchange(map->path_, std::move(target));
  }
  const auto file_bytes = static_cast<std::uint64_t>(opened.st_size);
  if (file_bytes < kJournalRingOffset)
    return Error(StatusCode::kDataLoss, "the journal has no whole header");
  JournalHeader header{};
  if (pread(map->fd_, static_cast<void*>(&header), sizeof(header), 0) !=
      static_cast<ssize_t>(sizeof(header))) {
    return Error(ErrnoStatus("cannot read journal " + real, errno));
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckJournalHeader(header, file_bytes).WithContext(real));
  if (others == OtherMachines::kLeaveAlone && !IsOfThisMachine(header, real, host)) {
    return Error(StatusCode::kFailedPrecondition,
                 "journal " + real +
                     " was written on another machine, whose recorder may still run; if it does "
                     "not, complete the files with: sightline recover --other-machines " +
                     DirectoryOf(path));
  }
  SIGHTLINE_RETURN_IF_ERROR(map->Map(map->fd_, header.ring_bytes));
  map->header()->adopted.store(1, std::memory_order_relaxed);
  return map;
}

JournalMap::~JournalMap() {
  if (registered_) {
    {
      // Closed first: a child that is forked after Remove would keep it.
      const ProcessRegistry::NoFork no_fork;
      if (fd_ >= 0) close(std::exchange(fd_, -1));
    }
    ProcessRegistry::Remove(this);
  }
  if (base_ != nullptr) munmap(base_, kJournalRingOffset + 2 * ring_bytes_);
  if (fd_ >= 0) close(fd_);
}

Status JournalMap::Map(int fd, std::size_t ring_bytes) {
  const std::size_t whole = kJournalRingOffset + 2 * ring_bytes;
  void* base = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return ErrnoStatus(fmt::format("cannot reserve {} bytes of address space", whole), errno);
  base_ = static_cast<char*>(base);
  ring_bytes_ = ring_bytes;
  const int protection = PROT_READ | PROT_WRITE;
  const void* first =
      mmap(base_, kJournalRingOffset + ring_bytes, protection, MAP_SHARED | MAP_FIXED, fd, 0);
  const void* second = mmap(base_ + kJournalRingOffset + ring_bytes, ring_bytes, protection,
                            MAP_SHARED | MAP_FIXED, fd, kJournalRingOffset);
  if (first == MAP_FAILED || second == MAP_FAILED)
    return ErrnoStatus("cannot map the journal", errno);
  // A forked child has no use for the mapping, and must not be able to write into its parent's
  // ring.
  madvise(base_, whole, MADV_DONTFORK);
  return {};
}

void JournalMap::Initialize(std::string_view session_id, std::string_view manifest,
                            std::size_t sinks, const Host& host) {
  auto* fresh = new (base_) JournalHeader{};
  fresh->ring_bytes = ring_bytes_;
  std::memcpy(fresh->session_id, session_id.data(),
              std::min(session_id.size(), sizeof(fresh->session_id)));
  const auto copy = [](const std::string& id, char(&to)[32]) {
    std::memcpy(to, id.data(), std::min(id.size(), sizeof(to)));
  };
  copy(host.machine_id, fresh->machine_id);
  copy(host.boot_id, fresh->boot_id);
  fresh->sink_count = static_cast<std::uint32_t>(sinks);
  fresh->manifest_bytes = static_cast<std::uint32_t>(std::min(manifest.size(), kMaxManifestBytes));
  std::memcpy(fresh->manifest, manifest.data(), fresh->manifest_bytes);
  fresh->version = kJournalVersion;
  fresh->checksum = JournalHeaderChecksum(*fresh);
  std::memcpy(fresh->magic, kJournalMagic, sizeof(kJournalMagic));
}

void JournalMap::Populate() {
#ifdef MADV_POPULATE_WRITE
  madvise(base_, kJournalRingOffset + ring_bytes_, MADV_POPULATE_WRITE);
  madvise(base_ + kJournalRingOffset + ring_bytes_, ring_bytes_, MADV_POPULATE_WRITE);
#endif
}

Status JournalMap::Remove() {
  if (path_.empty()) return {};
  if (!link_.empty()) unlink(link_.c_str());
  return file_system_->Remove(path_);
}

// REQUIRES: the caller holds a ProcessRegistry::NoFork since before it opened the descriptor.
void JournalMap::GiveUpInForkedChildren() {
  registered_ = true;
  ProcessRegistry::NoFork::Add(this, [this] {
    // The mapping is not in this process (MADV_DONTFORK).
    base_ = nullptr;
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  });
}

}  // namespace sightline
