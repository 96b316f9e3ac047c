#include "sightline/runs/keeping/trash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/file_system.h"
#include "sightline/runs/keeping/folder_access.h"
#include "sightline/runs/keeping/moved_notes.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {
namespace {

using State = TrashRecord::State;

constexpr char kRecord[] = "move.json";
constexpr char kFreshRecord[] = "move.json.new";
constexpr char kRun[] = "run";
constexpr char kGone[] = ".gone-";  // Before the id of an entry that is being deleted.
constexpr std::size_t kMaxRecord = std::size_t{64} << 20U;
constexpr mode_t kFolderMode = S_IRWXU | S_IRWXG | S_IRWXO;  // Less the umask.

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

// One of the places between which an entry's paths move: the folder, or the entry's run/.
struct Place {
  int fd;
  std::string below = {};  // "run" in an entry.
  int OpenParent(const std::string& path, Missing missing) const {
    const std::string parent = FolderOf(path);
    if (below.empty()) return OpenBelow(fd, parent, missing);
    return OpenBelow(fd, parent.empty() ? below : below + "/" + parent, missing);
  }
  bool Has(const std::string& path) const {
    const Descriptor parent(OpenParent(path, Missing::kFails));
    return parent.get() >= 0 && HasEntry(parent.get(), std::string(BaseName(path)));
  }
};

Status MovePath(const Place& from, const Place& to, const std::string& path) {
  const Descriptor source(from.OpenParent(path, Missing::kFails));
  if (source.get() < 0) return ErrnoStatus("cannot open the folder of " + path, errno);
  const Descriptor target(to.OpenParent(path, Missing::kIsMade));
  if (target.get() < 0) return ErrnoStatus("cannot make the folder of " + path, errno);
  const std::string name(BaseName(path));
  SIGHTLINE_RETURN_IF_ERROR(RenameEntry(source.get(), name, target.get(), name, path));
  fsync(target.get());
  fsync(source.get());
  return {};
}

}  // namespace

Trash::Trash(std::string folder, int folder_fd, int trash_fd, TrashOptions options)
    : folder_(std::move(folder)),
      folder_fd_(folder_fd),
      trash_fd_(trash_fd),
      options_(std::move(options)) {}

Trash::~Trash() {
  unlinkat(folder_fd_, kTrashFolder, AT_REMOVEDIR);
  close(trash_fd_);
  close(folder_fd_);
}

std::string Trash::Where(const std::string& id) const {
  return PathBelow(folder_, fmt::format("{}/{}", kTrashFolder, id));
}

Result<std::unique_ptr<Trash>> Trash::Open(const std::string& folder, const TrashOptions& options) {
  Descriptor opened(OpenFolder(folder));
  if (opened.get() < 0) return Error(ErrnoStatus("cannot open " + folder, errno));
  const std::string path = PathBelow(folder, kTrashFolder);
  if (!options.make && !HasEntry(opened.get(), kTrashFolder))
    return Error(StatusCode::kNotFound, folder + " has no trash");
  if (options.make) options.before_change();
  Descriptor trash(
      OpenBelow(opened.get(), kTrashFolder, options.make ? Missing::kIsMade : Missing::kFails));
  if (trash.get() < 0 && (errno == ELOOP || errno == ENOTDIR)) {
    return Error(StatusCode::kFailedPrecondition,
                 path + " is a link or a file, and no folder of ours; move it away");
  }
  if (trash.get() < 0) return Error(ErrnoStatus("cannot open the trash " + path, errno));
  // Where locks are not supported (network drives), two processes may disturb each other.
  if (flock(trash.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error(StatusCode::kUnavailable,
                 fmt::format("another process moves runs of {} at this moment; try again", folder));
  }
  std::unique_ptr<Trash> made(new Trash(folder, opened.Release(), trash.Release(), options));
  SIGHTLINE_RETURN_IF_ERROR(made->Settle());
  return made;
}

std::vector<TrashRecord> Trash::List(const std::string& folder, std::vector<std::string>* notes) {
  std::vector<TrashRecord> all;
  const Descriptor opened(OpenFolder(folder));
  const Descriptor trash(OpenBelow(opened.get(), kTrashFolder));
  if (trash.get() < 0) return all;
  (void)EachEntry(trash.get(), [&](const std::string& id) -> Status {
    const Descriptor entry(OpenBelow(trash.get(), id));
    if (entry.get() < 0 || id.starts_with('.')) return {};
    auto record = ReadSmallFile(entry.get(), kRecord, kMaxRecord).and_then([&](const auto& text) {
      return ParseTrashRecord(id, text);
    });
    if (record) {
      all.push_back(*std::move(record));
    } else if (notes != nullptr && HasEntry(entry.get(), kRun)) {
      notes->push_back(
          fmt::format("{}/{}/{}: {}", folder, kTrashFolder, id, record.error().message()));
    }
    return {};
  });
  return all;
}

std::vector<std::string> Trash::Find(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(PathBelow(folder, kTrashFolder), error)))
    found.push_back(folder);
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; at != end && !error;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_symlink(ignored) || !at->is_directory(ignored)) continue;
    const bool trash = at->path().filename() == kTrashFolder;
    if (trash && at.depth() > 0) found.push_back(at->path().parent_path());
    if (trash || at.depth() >= kMaxRunDepth) at.disable_recursion_pending();
  }
  std::sort(found.begin(), found.end());
  return found;
}

Status Trash::WriteRecord(int entry, TrashRecord& record, State state) {
  record.state = state;
  options_.before_change();
  return WriteWholeFile(entry, kRecord, TrashRecordText(record)).WithContext(Where(record.id));
}

Result<TrashRecord> Trash::ReadRecord(int entry, const std::string& id) const {
  if (entry < 0) return Error(StatusCode::kNotFound, Where(id) + " is missing");
  auto text = ReadSmallFile(entry, kRecord, kMaxRecord);
  if (!text) return Error(text.error().WithContext(Where(id)));
  auto record = ParseTrashRecord(id, *text);
  if (!record) return Error(record.error().WithContext(Where(id)));
  return record;
}

Status Trash::Put(TrashRecord record) {
  options_.before_change();
  if (mkdirat(trash_fd_, record.id.c_str(), kFolderMode) != 0)
    return ErrnoStatus("cannot make " + Where(record.id), errno);
  const Descriptor entry(OpenBelow(trash_fd_, record.id));
  if (entry.get() < 0) return ErrnoStatus("cannot open " + Where(record.id), errno);
  SIGHTLINE_RETURN_IF_ERROR(WriteRecord(entry.get(), record, State::kMoving));
  fsync(trash_fd_);
  fsync(folder_fd_);
  Status moved = MoveIn(entry.get(), record);
  if (moved.ok()) moved = WriteRecord(entry.get(), record, State::kKept);
  if (!moved.ok() && PutBack(entry.get(), record).ok()) (void)RemoveEntry(entry.get(), record.id);
  return moved;
}

Status Trash::MoveIn(int entry, const TrashRecord& record) {
  for (const std::string& path : record.paths) {
    options_.before_change();
    SIGHTLINE_RETURN_IF_ERROR(MovePath({folder_fd_}, {entry, kRun}, path));
  }
  options_.before_change();
  return RemoveNotes(folder_, record.notes);
}

Status Trash::PutBack(int entry, const TrashRecord& record) {
  const Place here = {folder_fd_};
  const Place kept = {entry, kRun};
  bool any = record.state != State::kLeaving;  // Whether the run did not leave.
  Status stays;
  for (auto path = record.paths.rbegin(); path != record.paths.rend(); ++path) {
    if (!kept.Has(*path)) continue;
    any = true;
    if (here.Has(*path)) {
      stays = {StatusCode::kAlreadyExists,
               fmt::format("{} exists again; move it away, then what is in {}/run can be restored",
                           PathBelow(folder_, *path), Where(record.id))};
      continue;
    }
    options_.before_change();
    SIGHTLINE_RETURN_IF_ERROR(MovePath(kept, here, *path));
  }
  if (!stays.ok() || !any) return stays;
  options_.before_change();
  return RestoreNotes(folder_, record.notes);
}

Status Trash::RemoveEntry(int entry, const std::string& id) {
  options_.before_change();
  SIGHTLINE_RETURN_IF_ERROR(RemoveEmptyFolders(entry, kRun).WithContext(Where(id)));
  unlinkat(entry, kFreshRecord, 0);
  unlinkat(entry, kRecord, 0);
  options_.before_change();
  if (unlinkat(trash_fd_, id.c_str(), AT_REMOVEDIR) != 0)
    return ErrnoStatus("cannot remove " + Where(id), errno);
  return {};
}

Status Trash::Settle() {
  return EachEntry(trash_fd_, [&](const std::string& id) -> Status {
    const Descriptor entry(OpenBelow(trash_fd_, id));
    if (entry.get() < 0 || id.starts_with('.')) return {};
    if (!HasEntry(entry.get(), kRecord)) {  // Killed before it began, or at the very end.
      if (!HasEntry(entry.get(), kRun)) (void)RemoveEntry(entry.get(), id);
      return {};
    }
    auto record = ReadRecord(entry.get(), id);
    if (!record || record->state == State::kKept) return {};
    const Status back = PutBack(entry.get(), *record);
    if (back.code() == StatusCode::kAlreadyExists)
      return WriteRecord(entry.get(), *record, State::kKept);
    SIGHTLINE_RETURN_IF_ERROR(back);
    return RemoveEntry(entry.get(), id);
  });
}

Status Trash::Restore(const std::string& id) {
  const Descriptor entry(OpenBelow(trash_fd_, id));
  SIGHTLINE_ASSIGN_OR_RETURN(TrashRecord record, ReadRecord(entry.get(), id));
  bool any = false;
  for (const std::string& path : record.paths) {
    if (!Place{entry.get(), kRun}.Has(path)) continue;
    any = true;
    if (!Place{folder_fd_}.Has(path)) continue;
    return {StatusCode::kAlreadyExists,
            fmt::format("{} exists again; move it away, then restore", PathBelow(folder_, path))};
  }
  if (!any) return {StatusCode::kNotFound, Where(id) + "/run does not hold the run any more"};
  SIGHTLINE_RETURN_IF_ERROR(WriteRecord(entry.get(), record, State::kMoving));
  Status back = PutBack(entry.get(), record);
  if (back.ok()) return RemoveEntry(entry.get(), id);
  (void)WriteRecord(entry.get(), record, State::kKept);  // What did not move stays here.
  return back;
}

Status Trash::MoveOut(const std::string& id, const std::string& to) {
  const Descriptor entry(OpenBelow(trash_fd_, id));
  SIGHTLINE_ASSIGN_OR_RETURN(TrashRecord record, ReadRecord(entry.get(), id));
  const auto move = [&]() -> Status {
    const Descriptor source(Place{entry.get(), kRun}.OpenParent(record.run, Missing::kFails));
    const Descriptor target(OpenFolder(to.rfind('/') == 0 ? "/" : FolderOf(to)));
    if (source.get() < 0 || target.get() < 0)
      return ErrnoStatus("cannot open the folder of " + to, errno);
    if (HasEntry(target.get(), std::string(BaseName(to))))
      return {StatusCode::kAlreadyExists, to + " exists"};
    SIGHTLINE_RETURN_IF_ERROR(WriteRecord(entry.get(), record, State::kLeaving));
    options_.before_change();
    SIGHTLINE_RETURN_IF_ERROR(
        WriteNotesOfMoved(folder_, PathBelow(folder_, record.run), to, record.notes));
    options_.before_change();
    SIGHTLINE_RETURN_IF_ERROR(RenameEntry(source.get(), std::string(BaseName(record.run)),
                                          target.get(), std::string(BaseName(to)), to));
    fsync(target.get());
    fsync(source.get());
    return {};
  };
  Status moved = move();
  if (!moved.ok()) SIGHTLINE_RETURN_IF_ERROR(PutBack(entry.get(), record));
  SIGHTLINE_RETURN_IF_ERROR(RemoveEntry(entry.get(), id));
  return moved;
}

Status Trash::Delete(const std::string& id) {
  const std::string gone = kGone + id;
  options_.before_change();
  SIGHTLINE_RETURN_IF_ERROR(RenameEntry(trash_fd_, id, trash_fd_, gone, Where(id)));
  return DeleteRest();
}

Status Trash::DeleteRest() {
  return EachEntry(trash_fd_, [&](const std::string& name) -> Status {
    if (!name.starts_with(kGone)) return {};
    options_.before_change();
    std::error_code error;  // Follows no links, and by the descriptor none on the way.
    std::filesystem::remove_all(fmt::format("/proc/self/fd/{}/{}", trash_fd_, name), error);
    return error ? ErrnoStatus("cannot delete " + Where(name), error.value()) : Status();
  });
}

const Result<std::unique_ptr<Trash>>& OpenTrashes::Of(const std::string& folder) {
  const auto known = opened_.find(folder);
  if (known != opened_.end()) return known->second;
  return opened_.emplace(folder, Trash::Open(folder, options_)).first->second;
}

}  // namespace sightline
