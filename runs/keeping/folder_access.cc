#include "sightline/runs/keeping/folder_access.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "sightline/base/descriptor.h"
#include "sightline/base/file_system.h"
#include "sightline/base/system/write_all.h"

namespace sightline {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr int kPassageFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;  // Needs no right to list.
constexpr mode_t kFolderMode = S_IRWXU | S_IRWXG | S_IRWXO;      // Less the umask.
constexpr mode_t kFileMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

}  // namespace

int OpenFolder(const std::string& path) {
  const Descriptor top(open("/", kPassageFlags));
  const std::string_view all = path;
  return OpenBelow(top.get(), all.substr(all.starts_with('/') ? 1 : 0));
}

int OpenBelow(int base, std::string_view path, Missing missing) {
  int at = openat(base, ".", kPassageFlags);
  while (at >= 0 && !path.empty()) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    const Descriptor above(at);
    if (name.empty() || name == "." || name == "..") {
      errno = EINVAL;
      return -1;
    }
    if (missing == Missing::kIsMade && mkdirat(above.get(), name.c_str(), kFolderMode) != 0 &&
        errno != EEXIST)
      return -1;
    at = openat(above.get(), name.c_str(), kPassageFlags | O_NOFOLLOW);
  }
  const Descriptor found(at);
  return at < 0 ? -1 : openat(found.get(), ".", kFolderFlags);
}

bool HasEntry(int folder, const std::string& name) {
  struct stat info {};
  return fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

Status RenameEntry(int from_folder, const std::string& from, int to_folder, const std::string& to,
                   const std::string& what) {
  int failed = renameat2(from_folder, from.c_str(), to_folder, to.c_str(), RENAME_NOREPLACE);
  // Some network file systems cannot tell. A name that appears just now is then lost only if it is
  // a file, or an empty folder.
  if (failed != 0 && errno == EINVAL) {
    errno = EEXIST;
    if (!HasEntry(to_folder, to))
      failed = renameat(from_folder, from.c_str(), to_folder, to.c_str());
  }
  return failed == 0 ? Status() : ErrnoStatus("cannot move " + what, errno);
}

Status EachEntry(int folder, const std::function<Status(const std::string& name)>& show) {
  const std::unique_ptr<DIR, CloseDirectory> directory(
      fdopendir(openat(folder, ".", kFolderFlags)));
  if (directory == nullptr) return ErrnoStatus("cannot list a folder", errno);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory.get())) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    if (name != "." && name != "..") SIGHTLINE_RETURN_IF_ERROR(show(name));
  return {};
}

Status RemoveEmptyFolders(int base, const std::string& name, int depth) {
  const Descriptor folder(openat(base, name.c_str(), kFolderFlags | O_NOFOLLOW));
  if (folder.get() < 0 && errno == ENOENT) return {};
  if (folder.get() < 0 || depth == kDeepestFolder)
    return {StatusCode::kFailedPrecondition, name + " is not a folder"};
  SIGHTLINE_RETURN_IF_ERROR(EachEntry(folder.get(), [&](const std::string& entry) {
    return RemoveEmptyFolders(folder.get(), entry, depth + 1);
  }));
  if (unlinkat(base, name.c_str(), AT_REMOVEDIR) == 0) return {};
  return {StatusCode::kFailedPrecondition, name + " is not empty"};
}

Status WriteWholeFile(int folder, const std::string& name, std::string_view bytes) {
  const std::string fresh = name + ".new";
  unlinkat(folder, fresh.c_str(), 0);
  const Descriptor file(openat(folder, fresh.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kFileMode));
  if (file.get() >= 0 && WriteAll(file.get(), bytes) && fsync(file.get()) == 0 &&
      renameat(folder, fresh.c_str(), folder, name.c_str()) == 0) {
    fsync(folder);  // A file system that cannot does not keep anybody from moving.
    return {};
  }
  const int error = errno;
  unlinkat(folder, fresh.c_str(), 0);
  return ErrnoStatus("cannot write " + (file.get() < 0 ? fresh : name), error);
}

Result<std::string> ReadSmallFile(int folder, const std::string& name, std::size_t most) {
  const Descriptor file(
      openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) return Error(ErrnoStatus("cannot open " + name, errno));
  struct stat info {};
  if (fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) ||
      static_cast<std::uint64_t>(info.st_size) > most)
    return Error(StatusCode::kDataLoss, name + " is not a file of ours");
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  const ssize_t got = pread(file.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

std::string PathBelow(const std::string& folder, std::string_view path) {
  return path.empty() ? folder : JoinPath(folder, path);
}

std::string PathFrom(const std::string& folder, const std::string& path) {
  return path.substr(folder == "/" ? 1 : std::min(path.size(), folder.size() + 1));
}

bool IsOnSameDisk(const std::string& a, const std::string& b) {
  struct stat info_a {};
  struct stat info_b {};
  return stat(a.c_str(), &info_a) == 0 && stat(b.c_str(), &info_b) == 0 &&
         info_a.st_dev == info_b.st_dev;
}

bool IsAtOrBelow(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace sightline
