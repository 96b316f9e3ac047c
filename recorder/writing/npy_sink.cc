#include "sightline/recorder/writing/npy_sink.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "sightline/recorder/tensor/npy.h"

namespace sightline {
namespace {

// If so many names are taken, it is an error.
constexpr int kNameTries = 100'000;

std::string FolderPath(const std::string& directory, std::uint64_t number) {
  return JoinPath(directory, NpyFolderName(number));
}

// Makes the first folder from `number` on that does not exist yet, and returns its number.
Result<std::uint64_t> TakeFolder(FileSystem& file_system, const std::string& directory,
                                 std::uint64_t number) {
  for (int tries = 0; tries < kNameTries; ++tries, ++number) {
    const std::string path = FolderPath(directory, number);
    const auto real = file_system.MappablePath(path);
    // A file system in memory is not shared with other processes.
    if (!real && real.error().code() == StatusCode::kUnimplemented) {
      if (file_system.Stat(path)) continue;
      SIGHTLINE_RETURN_IF_ERROR(file_system.CreateDirectories(path));
      return number;
    }
    if (!real) return Error(real.error());
    if (mkdir(real->c_str(), 0777) == 0) return number;
    if (errno != EEXIST) return Error(ErrnoStatus("cannot create " + path, errno));
  }
  return Error(StatusCode::kResourceExhausted, "no name is free for an export in " + directory);
}

}  // namespace

std::string NpyFolderName(std::uint64_t number) { return "export_" + std::to_string(number); }

NpySink::NpySink(FileSystem& file_system, std::string directory, std::uint64_t first_number,
                 SinkObserver observer, Journal& journal, std::size_t slot)
    : file_system_(file_system),
      directory_(std::move(directory)),
      first_number_(first_number),
      observer_(std::move(observer)),
      journal_(journal),
      slot_(slot),
      stored_(journal.LoadProgress(slot)) {
  taken_ = done();
}

void NpySink::Resume() {
  if (stored_.file_digits == 0) return;
  const std::string folder = JoinPath(FolderPath(directory_, stored_.file_digits), "tensor");
  const auto names = file_system_.List(folder);
  if (!names) return;
  for (const std::string& name : *names) {
    if (IsPartOfNpy(name)) (void)file_system_.Remove(JoinPath(folder, name)).ok();
  }
}

// Makes the folder, or opens the one in the journal. Its number is stored there for a replay.
Status NpySink::OpenFolder() {
  if (stored_.file_digits == 0) {
    SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(directory_));
    SIGHTLINE_ASSIGN_OR_RETURN(stored_.file_digits,
                               TakeFolder(file_system_, directory_, first_number_));
    journal_.StoreProgress(slot_, stored_);
  }
  const std::string folder = JoinPath(FolderPath(directory_, stored_.file_digits), "tensor");
  SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(folder));
  folder_ = folder;
  return {};
}

Status NpySink::Append(const PreparedEvent& event, const JournalCursor& behind) {
  for (const PreparedValue& value : event.values) {
    if (value.kind != ValueKind::kTensor) continue;
    if (folder_.empty()) SIGHTLINE_RETURN_IF_ERROR(OpenFolder());
    const std::string path = JoinPath(folder_, NpyFileName(value.tag, event.step));
    SIGHTLINE_RETURN_IF_ERROR(WriteNpy(file_system_, path, value.tensor));
    if (observer_.written) observer_.written(value.tensor.ByteSize());
  }
  taken_ = behind;
  return {};
}

Status NpySink::Flush() {
  if (taken_.position == stored_.position) return {};
  stored_.position = taken_.position;
  stored_.sequence = taken_.sequence;
  journal_.StoreProgress(slot_, stored_);
  return {};
}

// Syncs only the folder. The files were closed long ago; syncing each would cost more than an
// export is worth, and the event file has the same tensors.
Status NpySink::Sync() { return folder_.empty() ? Status() : file_system_.SyncDirectory(folder_); }

}  // namespace sightline
