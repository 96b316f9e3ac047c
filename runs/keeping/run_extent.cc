#include "sightline/runs/keeping/run_extent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/file_system.h"
#include "sightline/runs/console/console_files.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/notes_file.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

bool StartsWithAny(std::string_view name, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

bool EndsWithAny(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

bool IsFolderOfTraining(std::string_view name) {
  return StartsWithAny(name, {"ckpt", "checkpoint", "landscape", "export_"});
}

bool IsConsole(const std::string& name) {
  constexpr std::string_view kTimes = ".times";
  if (!ConsoleRanks({name}).empty()) return true;
  return name.size() > kTimes.size() && name.starts_with('.') && name.ends_with(kTimes) &&
         !ConsoleRanks({name.substr(1, name.size() - 1 - kTimes.size())}).empty();
}

bool IsFileOfTraining(const std::string& name) {
  return name.starts_with(".sightline-") || IsConsole(name) ||
         (name.starts_with(".landscape_") && name.ends_with(".points")) ||
         (name.starts_with("landscape_") && name.ends_with(".svg")) ||  // `sightline demo`'s.
         EndsWithAny(name, {".ckpt", ".safetensors", ".pt", ".pth", "_graph.meta"}) ||
         name == "train_metadata.json" || name == "hparams.yaml" ||
         name == "projector_config.pbtxt";
}

// These go if the whole folder goes.
bool IsOfTheFolder(std::string_view name) { return name == kTrashFolder || name == kNotesFile; }

class Walk {
 public:
  explicit Walk(const ExtentRequest& request) : request_(request) {}

  // Whether all of the directory goes. If not, `out` has the paths in it that go, and what stays.
  Result<bool> Look(int fd, const std::string& path, int depth, RunExtent& out) {
    bool all = true;
    RunExtent inner;
    SIGHTLINE_RETURN_IF_ERROR(EachEntry(fd, [&](const std::string& name) -> Status {
      if (IsOfTheFolder(name)) return {};
      SIGHTLINE_ASSIGN_OR_RETURN(const bool goes,
                                 LookAt(fd, name, PathBelow(path, name), depth, inner));
      all = all && goes;
      return {};
    }));
    if (all) inner.paths = {path};
    std::move(inner.paths.begin(), inner.paths.end(), std::back_inserter(out.paths));
    std::move(inner.left.begin(), inner.left.end(), std::back_inserter(out.left));
    out.files += inner.files;
    out.bytes += inner.bytes;
    return all;
  }

 private:
  static bool AnyBelow(const std::set<std::string>& paths, const std::string& folder) {
    const auto at = paths.lower_bound(folder);
    const std::string below = folder + "/";
    const auto deeper = paths.lower_bound(below);
    return (at != paths.end() && *at == folder) ||
           (deeper != paths.end() && deeper->starts_with(below));
  }

  bool IsMade(const std::string& path) const { return request_.made.contains(DirectoryOf(path)); }

  Result<bool> LookAt(int fd, const std::string& name, const std::string& path, int depth,
                      RunExtent& out) {
    struct stat info {};
    if (fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
      return Error(ErrnoStatus("cannot look at " + path, errno));
    const bool ours = request_.whole || IsMade(path);
    if (!S_ISDIR(info.st_mode)) {
      const bool goes = ours || request_.recorded.contains(path) || IsFileOfTraining(name);
      goes ? AddFile(path, info, out) : out.left.push_back(path);
      return goes;
    }
    if (depth == kDeepestFolder)
      return Error(StatusCode::kResourceExhausted, path + ": folders are nested too deep");
    const Descriptor folder(OpenBelow(fd, name));
    if (folder.get() < 0) return Error(ErrnoStatus("cannot open " + path, errno));
    if (AnyBelow(request_.own, path)) return Look(folder.get(), path, depth + 1, out);
    if (AnyBelow(request_.others, path) || (!ours && !IsFolderOfTraining(name))) {
      out.left.push_back(path);
      return false;
    }
    out.paths.push_back(path);
    SIGHTLINE_RETURN_IF_ERROR(Count(folder.get(), path, depth + 1, out));
    return true;
  }

  static void AddFile(const std::string& path, const struct stat& info, RunExtent& out) {
    out.paths.push_back(path);
    ++out.files;
    out.bytes += static_cast<std::uint64_t>(info.st_size);
  }

  // Files that go with their folder.
  static Status Count(int fd, const std::string& path, int depth, RunExtent& out) {
    if (depth == kDeepestFolder)
      return {StatusCode::kResourceExhausted, path + ": folders are nested too deep"};
    return EachEntry(fd, [&](const std::string& name) -> Status {
      struct stat info {};
      if (fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return {};
      if (S_ISDIR(info.st_mode)) {
        const Descriptor folder(OpenBelow(fd, name));
        return folder.get() < 0 ? Status() : Count(folder.get(), path, depth + 1, out);
      }
      ++out.files;
      out.bytes += static_cast<std::uint64_t>(info.st_size);
      return {};
    });
  }

  const ExtentRequest& request_;
};

}  // namespace

Result<RunExtent> FindExtent(const ExtentRequest& request) {
  const Descriptor folder(OpenFolder(request.folder));
  const Descriptor run(folder.get() < 0 ? -1 : OpenBelow(folder.get(), request.run));
  if (run.get() < 0)
    return Error(ErrnoStatus("cannot open " + PathBelow(request.folder, request.run), errno));
  RunExtent extent;
  const auto all = Walk(request).Look(run.get(), request.run, 0, extent);
  if (!all) return Error(all.error());
  return extent;
}

}  // namespace sightline
