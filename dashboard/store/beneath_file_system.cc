#include "sightline/dashboard/store/beneath_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/local_file.h"

namespace sightline::dashboard {
namespace {

constexpr int kMaxRetries = 16;  // openat2 says EAGAIN while something beneath the root is renamed.

// openat2, or errno as a negative number. Kernels before 5.6 and some sandboxes have none.
int OpenAt2(int directory, const std::string& path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = resolve;
  for (int i = 0; i < kMaxRetries; ++i) {
    const long fd = syscall(SYS_openat2, directory, path.c_str(), &how, sizeof(how));
    if (fd >= 0) return static_cast<int>(fd);
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return -errno;
}

bool IsBeneath(std::string_view root, std::string_view path) {
  if (root == "/") return path.substr(0, 1) == "/";
  return path.substr(0, root.size()) == root &&
         (path.size() == root.size() || path[root.size()] == '/');
}

// `path` from `root` on; "." for itself. REQUIRES: IsBeneath.
std::string Below(std::string_view root, std::string_view path) {
  std::string_view rest = path.substr(root == "/" ? 0 : root.size());
  while (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
  return rest.empty() ? "." : std::string(rest);
}

std::string RealPath(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  std::string result = real == nullptr ? "" : real;
  std::free(real);
  return result;
}

}  // namespace

Result<BeneathFileSystem::Place> BeneathFileSystem::OpenPlace(const std::string& path) {
  Place place;
  place.path = RealPath(path);
  if (place.path.empty()) return Error(ErrnoStatus(fmt::format("cannot open {}", path), errno));
  place.directory = open(place.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place.directory < 0) return Error(ErrnoStatus(fmt::format("cannot open {}", path), errno));
  return place;
}

Result<std::unique_ptr<BeneathFileSystem>> BeneathFileSystem::Open(
    const std::vector<std::string>& roots, const std::vector<std::string>& follow) {
  std::unique_ptr<BeneathFileSystem> file_system(new BeneathFileSystem());
  for (const std::string& root : roots) {
    SIGHTLINE_ASSIGN_OR_RETURN(Place place, OpenPlace(root));
    file_system->root_paths_.push_back(place.path);
    file_system->roots_.push_back(std::move(place));
  }
  for (const std::string& directory : follow) {
    SIGHTLINE_ASSIGN_OR_RETURN(Place place, OpenPlace(directory));
    file_system->follow_.push_back(std::move(place));
  }
  return file_system;
}

BeneathFileSystem::~BeneathFileSystem() {
  for (const Place& place : roots_) close(place.directory);
  for (const Place& place : follow_) close(place.directory);
}

const BeneathFileSystem::Place* BeneathFileSystem::Find(const std::vector<Place>& places,
                                                        const std::string& path) {
  const auto at = std::find_if(places.begin(), places.end(),
                               [&](const Place& place) { return IsBeneath(place.path, path); });
  return at == places.end() ? nullptr : &*at;
}

Result<int> BeneathFileSystem::OpenBeneath(const std::string& path, int flags) const {
  flags |= O_CLOEXEC;
  // A pipe keeps nobody waiting; openat2 refuses it together with O_PATH, which opens nothing.
  if ((flags & O_PATH) == 0) flags |= O_NONBLOCK;
  const auto denied = [&](int error) {
    return error == EXDEV || error == ELOOP
               ? Status(StatusCode::kNotFound, path + " leads out of the served directories")
               : ErrnoStatus("cannot open " + path, error);
  };
  const Place* root = Find(roots_, path);
  if (root == nullptr) return Error(denied(EXDEV));
  if (path.find('\0') != std::string::npos) return Error(denied(ENOENT));  // It ends a C string.
  int fd = OpenAt2(root->directory, Below(root->path, path), flags,
                   RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
  if (fd >= 0) return fd;
  if (fd != -EXDEV && fd != -ENOSYS) return Error(denied(-fd));
  // A link with an absolute target, or out of the root: by its real path, which has no link left.
  const std::string real = RealPath(path);
  if (real.empty()) return Error(denied(errno));
  const Place* place = Find(roots_, real);
  if (place == nullptr) place = Find(follow_, real);
  if (place == nullptr) return Error(denied(EXDEV));
  if (fd != -ENOSYS) {
    fd = OpenAt2(place->directory, Below(place->path, real), flags,
                 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    if (fd < 0) return Error(denied(-fd));
    return fd;
  }
  // Without openat2: what was opened says itself where it is.
  Descriptor opened(open(real.c_str(), flags | O_NOFOLLOW));
  if (opened.get() < 0) return Error(denied(errno));
  char where[PATH_MAX];
  const ssize_t length =
      readlink(fmt::format("/proc/self/fd/{}", opened.get()).c_str(), where, sizeof(where));
  if (length <= 0 ||
      !IsBeneath(place->path, std::string_view(where, static_cast<std::size_t>(length)))) {
    return Error(denied(EXDEV));
  }
  return opened.Release();
}

Result<std::unique_ptr<ReadableFile>> BeneathFileSystem::OpenForRead(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const int fd, OpenBeneath(path, O_RDONLY));
  auto file = ReadableFileOf(fd, path);
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return Error(StatusCode::kNotFound, path + " is not a regular file");
  return file;
}

Result<FileInfo> BeneathFileSystem::Stat(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const int fd, OpenBeneath(path, O_PATH));
  const Descriptor opened(fd);
  struct stat info {};
  if (fstat(fd, &info) != 0) return Error(ErrnoStatus("cannot stat " + path, errno));
  return FileInfo{
      static_cast<std::uint64_t>(info.st_size),
      static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) * 1e-9,
      S_ISDIR(info.st_mode)};
}

Result<std::vector<std::string>> BeneathFileSystem::List(const std::string& directory) {
  SIGHTLINE_ASSIGN_OR_RETURN(const int fd, OpenBeneath(directory, O_RDONLY | O_DIRECTORY));
  DIR* entries = fdopendir(fd);
  if (entries == nullptr) {
    close(fd);
    return Error(ErrnoStatus("cannot list " + directory, errno));
  }
  std::vector<std::string> names;
  errno = 0;
  // A stream of its own is read by one thread. NOLINTNEXTLINE(concurrency-mt-unsafe)
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  const int error = errno;
  closedir(entries);
  if (error != 0) return Error(ErrnoStatus("cannot list " + directory, error));
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> BeneathFileSystem::MappablePath(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR([&]() -> Status {
    const auto info = Stat(path);
    return info ? Status() : info.error();
  }());
  return path;
}

}  // namespace sightline::dashboard
