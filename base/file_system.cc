#include "sightline/base/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "sightline/base/descriptor.h"
#include "sightline/base/local_file.h"

namespace sightline {
namespace {

// Files are created 0644 and directories 0777, both under the umask.
constexpr mode_t kFileMode = 0644;

Status OpenError(const std::string& path, int error_number) {
  return ErrnoStatus(fmt::format("cannot open {}", path), error_number);
}

Result<std::uint64_t> SizeOf(int fd, const std::string& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return Error(ErrnoStatus("cannot stat " + path, errno));
  return static_cast<std::uint64_t>(info.st_size);
}

class LocalReadableFile final : public ReadableFile {
 public:
  LocalReadableFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      const ssize_t n = pread(fd_.get(), buffer.data() + done, buffer.size() - done,
                              static_cast<off_t>(offset + done));
      if (n == 0) break;
      if (n < 0) {
        if (errno == EINTR) continue;
        return Error(ErrnoStatus(fmt::format("cannot read {} at {}", path_, offset), errno));
      }
      done += static_cast<std::size_t>(n);
    }
    return done;
  }

  Result<std::uint64_t> Size() const override { return SizeOf(fd_.get(), path_); }

 private:
  Descriptor fd_;
  std::string path_;
};

class LocalWritableFile final : public WritableFile {
 public:
  LocalWritableFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (n < 0) {
        if (errno == EINTR) continue;
        return ErrnoStatus(
            fmt::format("cannot write {} bytes to {} at {}", bytes.size(), path_, offset), errno);
      }
      bytes.remove_prefix(static_cast<std::size_t>(n));
      offset += static_cast<std::uint64_t>(n);
    }
    return {};
  }

  Status Truncate(std::uint64_t size) override {
    if (ftruncate(fd_.get(), static_cast<off_t>(size)) == 0) return {};
    return ErrnoStatus(fmt::format("cannot truncate {} to {}", path_, size), errno);
  }

  Result<std::uint64_t> Size() const override { return SizeOf(fd_.get(), path_); }

  Status Sync() override {
    if (fdatasync(fd_.get()) == 0) return {};
    return ErrnoStatus("cannot sync " + path_, errno);
  }

  Status Close() override {
    const int fd = fd_.Release();
    if (fd < 0 || close(fd) == 0) return {};
    return ErrnoStatus("cannot close " + path_, errno);
  }

 private:
  Descriptor fd_;
  std::string path_;
};

int OpenFlags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kCreateNew:
      return O_CREAT | O_EXCL;
    case OpenMode::kOpenExisting:
      return O_NOFOLLOW;
    case OpenMode::kTruncate:
      return O_CREAT | O_TRUNC;
  }
  return 0;
}

class LocalFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    // Does not wait for somebody to write into a pipe of that name.
    Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0) return Error(OpenError(path, errno));
    struct stat info {};
    if (fstat(fd.get(), &info) != 0) return Error(ErrnoStatus("cannot stat " + path, errno));
    if (S_ISDIR(info.st_mode)) return Error(OpenError(path, EISDIR));
    if (!S_ISREG(info.st_mode))
      return Error(StatusCode::kInvalidArgument, path + " is not a regular file");
    return ReadableFileOf(fd.Release(), path);
  }

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override {
    Descriptor fd(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | OpenFlags(mode), kFileMode));
    if (fd.get() < 0) return Error(OpenError(path, errno));
    return std::make_unique<LocalWritableFile>(fd.Release(), path);
  }

  Result<FileInfo> Stat(const std::string& path) override {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) return Error(ErrnoStatus("cannot stat " + path, errno));
    return FileInfo{
        static_cast<std::uint64_t>(info.st_size),
        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9,
        S_ISDIR(info.st_mode)};
  }

  Result<std::vector<std::string>> List(const std::string& directory) override {
    // Not by std::filesystem, whose iterator ends the program when there is no memory.
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(directory.c_str()), &closedir);
    if (entries == nullptr) return Error(ErrnoStatus("cannot list " + directory, errno));
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* const entry =
          readdir(entries.get());  // NOLINT(concurrency-mt-unsafe): own DIR.
      if (entry == nullptr) break;
      const std::string_view name = &entry->d_name[0];
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return Error(ErrnoStatus("cannot list " + directory, errno));
    std::sort(names.begin(), names.end());
    return names;
  }

  Status CreateDirectories(const std::string& path) override {
    SIGHTLINE_RETURN_IF_ERROR(CheckLocalPath("directory", path));
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (!error && !std::filesystem::is_directory(path, error) && !error) {
      error = std::make_error_code(std::errc::not_a_directory);
    }
    if (error) return ErrnoStatus("cannot create directory " + path, error.value());
    return {};
  }

  Status Remove(const std::string& path) override {
    if (unlink(path.c_str()) == 0) return {};
    return ErrnoStatus("cannot remove " + path, errno);
  }

  Status Rename(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) == 0) return {};
    return ErrnoStatus(fmt::format("cannot rename {} to {}", from, to), errno);
  }

  Status RenameExclusive(const std::string& from, const std::string& to) override {
    // A hard link is the portable way to give a name only if it is free, NFS included; where a file
    // system has no links, the kernel's exclusive rename does the same.
    Status linked = Link(from, to);
    if (linked.ok()) return Remove(from);
    if (linked.code() != StatusCode::kUnimplemented) return linked;
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    return ErrnoStatus(fmt::format("cannot name {} {}", from, to), errno);
  }

  Status Link(const std::string& from, const std::string& to) override {
    if (link(from.c_str(), to.c_str()) == 0) return {};
    const int error = errno;
    Status status = ErrnoStatus(fmt::format("cannot name {} {}", from, to), error);
    // How file systems without links, and those with all links of a file taken, say so.
    const bool unable = error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK;
    return unable ? Status(StatusCode::kUnimplemented, std::string(status.message())) : status;
  }

  Result<std::uint64_t> FreeBytes(const std::string& path) override {
    struct statvfs info {};
    if (statvfs(path.c_str(), &info) != 0) {
      return Error(ErrnoStatus("cannot ask for the free space of " + path, errno));
    }
    return std::uint64_t{info.f_bavail} * info.f_frsize;
  }

  Status SyncDirectory(const std::string& path) override {
    Descriptor fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) return OpenError(path, errno);
    if (fsync(fd.get()) == 0) return {};
    return ErrnoStatus("cannot sync directory " + path, errno);
  }

  Result<std::string> MappablePath(const std::string& path) override { return path; }

  std::string AbsolutePath(const std::string& path) override {
    std::string_view relative = path;
    while (relative.starts_with("./") && relative.size() > 2) relative.remove_prefix(2);
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(relative, error).string();
    return error ? path : absolute;
  }
};

}  // namespace

FileSystem& FileSystem::Local() {
  static LocalFileSystem local;
  return local;
}

std::unique_ptr<ReadableFile> ReadableFileOf(int fd, std::string path) {
  return std::make_unique<LocalReadableFile>(fd, std::move(path));
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  if (directory.back() == '/') return fmt::format("{}{}", directory, name);
  return fmt::format("{}/{}", directory, name);
}

std::string DirectoryOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

std::string_view BaseName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Status CheckLocalPath(std::string_view name, std::string_view path) {
  if (path.find('\0') != std::string_view::npos) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{} has a NUL byte, but must be a path", name));
  }
  const std::size_t colon = path.find("://");
  const bool is_url = colon != std::string_view::npos && colon != 0 && path.find('/') > colon;
  if (!is_url) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{} is {}, but must be a path of this machine: record there, and copy "
                            "the files that are closed",
                            name, path));
}

}  // namespace sightline
