#include "sightline/base/importing/import_files.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace sightline {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;  // Between two looks at `is_cancelled`.

}  // namespace

class ImportFiles::CountingFile final : public ReadableFile {
 public:
  CountingFile(ImportFiles& files, std::unique_ptr<ReadableFile> file)
      : files_(files), file_(std::move(file)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    for (std::size_t done = 0;;) {
      SIGHTLINE_RETURN_IF_ERROR(files_.CheckCancelled());
      const auto piece = buffer.subspan(done, std::min(kPiece, buffer.size() - done));
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, file_->ReadAt(offset + done, piece));
      files_.bytes_ += read;
      done += read;
      if (read < piece.size() || done == buffer.size()) return done;
    }
  }
  Result<std::uint64_t> Size() const override { return file_->Size(); }

 private:
  ImportFiles& files_;
  const std::unique_ptr<ReadableFile> file_;
};

std::pair<FileStamp, bool> ImportFiles::Note(const std::string& path) {
  const FileStamp stamp = StampOf(base_, path);
  const std::lock_guard lock(mutex_);
  return {stamp, files_.emplace(path, stamp).second};
}

void ImportFiles::Expect(const std::string& path) {
  const auto [stamp, is_new] = Note(path);
  if (is_new && !stamp.is_directory) total_ += stamp.bytes;
}

ImportProgress ImportFiles::progress() const {
  const std::uint64_t total = total_;
  // A file may be opened twice, for example to find out its format.
  return {std::min<std::uint64_t>(bytes_, total), total};
}

Status ImportFiles::CheckCancelled() const {
  if (!is_cancelled_()) return {};
  return {StatusCode::kUnavailable, "the import was cancelled"};
}

bool ImportFiles::Changed() const {
  // Nothing changes these members any more, so a slow file system must not hold the mutex.
  return std::any_of(files_.begin(), files_.end(),
                     [&](const auto& file) { return StampOf(base_, file.first) != file.second; }) ||
         std::any_of(directories_.begin(), directories_.end(), [&](const auto& directory) {
           const auto names = base_.List(directory.first);
           return !names || *names != directory.second;
         });
}

Result<std::unique_ptr<ReadableFile>> ImportFiles::OpenForRead(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(CheckCancelled());
  Expect(path);
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, base_.OpenForRead(path));
  return std::make_unique<CountingFile>(*this, std::move(file));
}

Result<std::vector<std::string>> ImportFiles::List(const std::string& directory) {
  SIGHTLINE_RETURN_IF_ERROR(CheckCancelled());
  auto names = base_.List(directory);
  if (!names) return names;
  const std::lock_guard lock(mutex_);
  directories_.emplace(directory, *names);
  return names;
}

Result<std::string> ImportFiles::MappablePath(const std::string& path) {
  return Error(StatusCode::kUnimplemented, path + " is read through a counting file system");
}

}  // namespace sightline
