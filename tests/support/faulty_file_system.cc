#include "sightline/tests/support/faulty_file_system.h"

#include <limits>

namespace sightline::testing {

std::string_view FileOperationName(FileOperation operation) {
  switch (operation) {
    case FileOperation::kOpenForRead:
      return "OpenForRead";
    case FileOperation::kOpenForWrite:
      return "OpenForWrite";
    case FileOperation::kReadAt:
      return "ReadAt";
    case FileOperation::kReadSize:
      return "ReadableFile::Size";
    case FileOperation::kWriteAt:
      return "WriteAt";
    case FileOperation::kTruncate:
      return "Truncate";
    case FileOperation::kWriteSize:
      return "WritableFile::Size";
    case FileOperation::kSync:
      return "Sync";
    case FileOperation::kClose:
      return "Close";
    case FileOperation::kStat:
      return "Stat";
    case FileOperation::kList:
      return "List";
    case FileOperation::kCreateDirectories:
      return "CreateDirectories";
    case FileOperation::kRemove:
      return "Remove";
    case FileOperation::kRename:
      return "Rename";
    case FileOperation::kRenameExclusive:
      return "RenameExclusive";
    case FileOperation::kLink:
      return "Link";
    case FileOperation::kFreeBytes:
      return "FreeBytes";
    case FileOperation::kSyncDirectory:
      return "SyncDirectory";
    case FileOperation::kMappablePath:
      return "MappablePath";
  }
  return "unknown";
}

Status FaultyFileSystem::Plan::Call(FileOperation operation, const std::string& path) {
  const std::lock_guard lock(mutex);
  ++calls;
  ++calls_by_operation[static_cast<std::size_t>(operation)];
  StatusCode code = StatusCode::kOk;
  if (calls >= fail_first && calls <= fail_last) code = fail_code;
  for (Rule& rule : rules) {
    if (rule.operation != operation || path.find(rule.path_part) == std::string::npos) continue;
    if (rule.skip > 0) {
      --rule.skip;
    } else {
      code = rule.code;
    }
  }
  if (code == StatusCode::kOk) return {};
  ++fired;
  return Status(code,
                "injected fault in " + std::string(FileOperationName(operation)) + " of " + path);
}

class FaultyFileSystem::Reader : public ReadableFile {
 public:
  Reader(std::shared_ptr<Plan> plan, std::unique_ptr<ReadableFile> inner, std::string path)
      : plan_(std::move(plan)), inner_(std::move(inner)), path_(std::move(path)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kReadAt, path_));
    return inner_->ReadAt(offset, buffer);
  }
  Result<std::uint64_t> Size() const override {
    SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kReadSize, path_));
    return inner_->Size();
  }

 private:
  std::shared_ptr<Plan> plan_;
  std::unique_ptr<ReadableFile> inner_;
  std::string path_;
};

class FaultyFileSystem::Writer : public WritableFile {
 public:
  Writer(std::shared_ptr<Plan> plan, std::unique_ptr<WritableFile> inner, std::string path)
      : plan_(std::move(plan)), inner_(std::move(inner)), path_(std::move(path)) {}

  Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
    Status fault = plan_->Call(FileOperation::kWriteAt, path_);
    if (fault.ok()) {
      SIGHTLINE_RETURN_IF_ERROR(inner_->WriteAt(offset, bytes));
      if (plan_->after_write) plan_->after_write(path_, offset, bytes);
      return {};
    }
    std::size_t keep = 0;
    {
      const std::lock_guard lock(plan_->mutex);
      keep = plan_->keep;
    }
    if (keep > 0) (void)inner_->WriteAt(offset, bytes.substr(0, keep));
    return fault;
  }
  Status Truncate(std::uint64_t size) override {
    SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kTruncate, path_));
    return inner_->Truncate(size);
  }
  Result<std::uint64_t> Size() const override {
    SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kWriteSize, path_));
    return inner_->Size();
  }
  Status Sync() override {
    SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kSync, path_));
    return inner_->Sync();
  }
  // A failing close still closes, as close(2) does.
  Status Close() override {
    Status fault = plan_->Call(FileOperation::kClose, path_);
    Status closed = inner_->Close();
    return fault.ok() ? closed : fault;
  }

 private:
  std::shared_ptr<Plan> plan_;
  std::unique_ptr<WritableFile> inner_;
  std::string path_;
};

FaultyFileSystem::FaultyFileSystem(FileSystem& inner) : inner_(inner) {}

void FaultyFileSystem::FailCall(std::uint64_t n, StatusCode code) {
  const std::lock_guard lock(plan_->mutex);
  plan_->fail_first = plan_->fail_last = plan_->calls + n;
  plan_->fail_code = code;
}

void FaultyFileSystem::FailFrom(std::uint64_t n, StatusCode code) {
  const std::lock_guard lock(plan_->mutex);
  plan_->fail_first = plan_->calls + n;
  plan_->fail_last = std::numeric_limits<std::uint64_t>::max();
  plan_->fail_code = code;
}

void FaultyFileSystem::FailEvery(FileOperation operation, std::string path_part, StatusCode code,
                                 std::uint64_t skip) {
  const std::lock_guard lock(plan_->mutex);
  plan_->rules.push_back({operation, std::move(path_part), code, skip});
}

void FaultyFileSystem::SetAfterWrite(AfterWrite after_write) {
  plan_->after_write = std::move(after_write);
}

void FaultyFileSystem::KeepOfFailedWrites(std::size_t bytes) {
  const std::lock_guard lock(plan_->mutex);
  plan_->keep = bytes;
}

void FaultyFileSystem::Heal() {
  const std::lock_guard lock(plan_->mutex);
  plan_->fail_first = plan_->fail_last = 0;
  plan_->rules.clear();
}

std::uint64_t FaultyFileSystem::calls() const {
  const std::lock_guard lock(plan_->mutex);
  return plan_->calls;
}

std::uint64_t FaultyFileSystem::calls(FileOperation operation) const {
  const std::lock_guard lock(plan_->mutex);
  return plan_->calls_by_operation[static_cast<std::size_t>(operation)];
}

std::uint64_t FaultyFileSystem::fired() const {
  const std::lock_guard lock(plan_->mutex);
  return plan_->fired;
}

Result<std::unique_ptr<ReadableFile>> FaultyFileSystem::OpenForRead(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kOpenForRead, path));
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, inner_.OpenForRead(path));
  return std::make_unique<Reader>(plan_, std::move(file), path);
}

Result<std::unique_ptr<WritableFile>> FaultyFileSystem::OpenForWrite(const std::string& path,
                                                                     OpenMode mode) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kOpenForWrite, path));
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, inner_.OpenForWrite(path, mode));
  return std::make_unique<Writer>(plan_, std::move(file), path);
}

Result<FileInfo> FaultyFileSystem::Stat(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kStat, path));
  return inner_.Stat(path);
}

Result<std::vector<std::string>> FaultyFileSystem::List(const std::string& directory) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kList, directory));
  return inner_.List(directory);
}

Status FaultyFileSystem::CreateDirectories(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kCreateDirectories, path));
  return inner_.CreateDirectories(path);
}

Status FaultyFileSystem::Remove(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kRemove, path));
  return inner_.Remove(path);
}

Status FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kRename, from + " to " + to));
  return inner_.Rename(from, to);
}

Status FaultyFileSystem::RenameExclusive(const std::string& from, const std::string& to) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kRenameExclusive, from + " to " + to));
  return inner_.RenameExclusive(from, to);
}

Status FaultyFileSystem::Link(const std::string& from, const std::string& to) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kLink, from + " to " + to));
  return inner_.Link(from, to);
}

Result<std::uint64_t> FaultyFileSystem::FreeBytes(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kFreeBytes, path));
  return inner_.FreeBytes(path);
}

Status FaultyFileSystem::SyncDirectory(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kSyncDirectory, path));
  return inner_.SyncDirectory(path);
}

Result<std::string> FaultyFileSystem::MappablePath(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(plan_->Call(FileOperation::kMappablePath, path));
  return inner_.MappablePath(path);
}

}  // namespace sightline::testing
