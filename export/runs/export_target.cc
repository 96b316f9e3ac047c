#include "sightline/export/runs/export_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sightline/base/file_system.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool MayBeRemoved(const std::string& folder) {
  std::error_code error;
  return fs::exists(JoinPath(folder, ExportTarget::kMarker), error) || fs::is_empty(folder, error);
}

Status CheckReplaceable(const std::string& path, ExportTarget::Kind kind) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  if (kind == ExportTarget::Kind::kFile) {
    if (fs::is_regular_file(path, error)) return {};
    return Status(StatusCode::kAlreadyExists,
                  path + ": not a regular file, so an export does not replace it");
  }
  if (is_folder && MayBeRemoved(path)) return {};
  return Status(
      StatusCode::kAlreadyExists,
      path + ": an export did not write this folder, so it is not replaced; give another name");
}

Status RenameInto(const std::string& from, const std::string& to, bool replace) {
  if (!replace) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    if (errno != EINVAL && errno != ENOSYS) return ErrnoStatus("cannot name " + to, errno);
    struct stat info {};  // This file system cannot do both in one step.
    if (lstat(to.c_str(), &info) == 0)
      return Status(StatusCode::kAlreadyExists, to + ": already exists");
  }
  if (rename(from.c_str(), to.c_str()) == 0) return {};
  return ErrnoStatus("cannot name " + to, errno);
}

}  // namespace

ExportTarget::ExportTarget(std::string path, std::string temporary, Kind kind, bool replace)
    : path_(std::move(path)), temporary_(std::move(temporary)), kind_(kind), replace_(replace) {}

ExportTarget::ExportTarget(ExportTarget&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      kind_(other.kind_),
      replace_(other.replace_) {}

ExportTarget::~ExportTarget() {
  std::error_code error;
  if (!temporary_.empty()) fs::remove_all(temporary_, error);
}

Result<ExportTarget> ExportTarget::Open(
    const std::string& given, Kind kind, bool replace,
    const std::function<void(const std::string& temporary)>& on_named) {
  const std::string path = WithoutSlashes(given);
  SIGHTLINE_RETURN_IF_ERROR(CheckLocalPath("the output", path));
  if (BaseName(path).empty() || BaseName(path) == "." || BaseName(path) == "..") {
    return Error(StatusCode::kInvalidArgument,
                 given + ": not the name of a file or folder to write");
  }
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0) {
    if (!replace) {
      return Error(StatusCode::kAlreadyExists,
                   path + ": already exists; --force replaces an earlier export");
    }
    SIGHTLINE_RETURN_IF_ERROR(CheckReplaceable(path, kind));
  }
  static std::atomic<int> number = 0;
  const std::string temporary = JoinPath(
      DirectoryOf(path),
      fmt::format(".{}.sightline-{}-{}.tmp", BaseName(path), getpid(), number.fetch_add(1)));
  std::error_code error;
  fs::remove_all(temporary, error);  // A killed process with our id left it.
  if (!fs::is_directory(DirectoryOf(path), error))
    return Error(StatusCode::kNotFound, DirectoryOf(path) + ": this folder does not exist");
  if (on_named) on_named(temporary);
  ExportTarget target(path, temporary, kind, replace);
  if (kind == Kind::kFolder) {
    if (!fs::create_directory(temporary, error))
      return Error(ErrnoStatus("cannot create " + temporary, error.value()));
    SIGHTLINE_ASSIGN_OR_RETURN(
        auto marker,
        FileSystem::Local().OpenForWrite(JoinPath(temporary, kMarker), OpenMode::kCreateNew));
    SIGHTLINE_RETURN_IF_ERROR(marker->Close());
  }
  return target;
}

Status ExportTarget::Commit() {
  std::error_code error;
  std::string old;
  struct stat info {};
  if (replace_ && kind_ == Kind::kFolder && lstat(path_.c_str(), &info) == 0) {
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0) {
      fs::remove_all(std::exchange(temporary_, ""), error);  // That is the earlier export now.
      return {};
    }
    // This file system cannot exchange names. A kill between the two renames leaves the earlier
    // export under the hidden name.
    old = temporary_ + ".old";
    SIGHTLINE_RETURN_IF_ERROR(RenameInto(path_, old, false));
  }
  Status named = RenameInto(temporary_, path_, replace_);
  if (!named.ok()) {
    if (!old.empty()) (void)RenameInto(old, path_, false).ok();
    return named;
  }
  temporary_.clear();
  if (!old.empty()) fs::remove_all(old, error);
  return {};
}

}  // namespace sightline
