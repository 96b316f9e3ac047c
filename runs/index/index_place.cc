#include "sightline/runs/index/index_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "sightline/base/descriptor.h"
#include "sightline/base/file_system.h"

namespace sightline {
namespace {

constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

Error Refused(const std::string& path, std::string_view why) {
  return Error(StatusCode::kPermissionDenied, fmt::format("{} {}; it is not used", path, why));
}

// The real path of the folder, which is made if it does not exist.
Result<std::string> MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return Error(ErrnoStatus("cannot make " + folder, errno));
  const std::unique_ptr<char, void (*)(void*)> real(realpath(folder.c_str(), nullptr), &std::free);
  if (real == nullptr) return Error(ErrnoStatus("cannot open " + folder, errno));
  struct stat info {};
  if (lstat(real.get(), &info) != 0) return Error(ErrnoStatus("cannot stat " + folder, errno));
  if (!S_ISDIR(info.st_mode)) return Refused(folder, "is not a directory");
  if (info.st_uid != geteuid()) return Refused(folder, "belongs to another user");
  if ((info.st_mode & kOthersWrite) != 0)
    return Refused(folder, "can be written by other users (chmod go-w)");
  return std::string(real.get());
}

}  // namespace

Result<std::string> MakeIndexFile(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string folder, MakeFolder(DirectoryOf(path)));
  std::string real = JoinPath(folder, BaseName(path));
  const Descriptor made(
      open(real.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (made.get() < 0 && errno != EEXIST) return Error(ErrnoStatus("cannot make " + path, errno));
  struct stat info {};
  if (lstat(real.c_str(), &info) != 0) return Error(ErrnoStatus("cannot stat " + path, errno));
  if (!S_ISREG(info.st_mode)) return Refused(path, "is not a regular file");
  if (info.st_uid != geteuid()) return Refused(path, "belongs to another user");
  if (info.st_nlink != 1) return Refused(path, "has a second name (a hard link)");
  // Files of earlier versions could be read by others.
  if ((info.st_mode & kOthers) != 0 && chmod(real.c_str(), S_IRUSR | S_IWUSR) != 0)
    return Error(ErrnoStatus("cannot make private " + path, errno));
  return real;
}

}  // namespace sightline
