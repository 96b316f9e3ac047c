// ForgetfulFileSystem: a file system in memory that can lose power: whatever was not synced is then
// old or new, page by page and name by name.
//
//   ForgetfulFileSystem files;
//   ... writes and syncs ...
//   files.LosePowerInto(after, seed);   // What the next start may find.
//
// May be used from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include "sightline/tests/support/memory_file_system.h"

namespace sightline::testing {

class ForgetfulFileSystem : public MemoryFileSystem {
 public:
  // Called after every call that changes something, with the path.
  void SetAfterChange(std::function<void(const std::string& path, bool is_sync)> after_change) {
    after_change_ = std::move(after_change);
  }

  // What is there survives a power loss from now on.
  void SyncEverything() {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, file] : names_) file->synced = file->now;
    synced_names_ = names_;
  }

  // What the next start may find; another seed, another outcome.
  void LosePowerInto(MemoryFileSystem& after, unsigned seed) const {
    const std::lock_guard lock(mutex_);
    std::minstd_rand random(seed + 1);
    const auto coin = [&random] { return random() / 2 % 2 == 0; };
    // A name that was synced and is still there survives; any other may.
    std::map<std::string, std::shared_ptr<File>> left;
    for (const auto& [path, file] : names_) {
      const auto synced = synced_names_.find(path);
      if ((synced != synced_names_.end() && synced->second == file) || coin()) left[path] = file;
    }
    for (const auto& [path, file] : synced_names_)
      if (!names_.contains(path) && coin()) left[path] = file;
    for (const auto& [path, file] : left) {
      const std::size_t size = coin() ? file->now.size() : file->synced.size();
      std::string bytes(size, '\0');
      for (std::size_t page = 0; page < size; page += kPage) {
        const std::string& from = coin() ? file->now : file->synced;
        for (std::size_t i = page; i < std::min(size, page + kPage); ++i)
          bytes[i] = i < from.size() ? from[i] : '\0';
      }
      after.Put(path, bytes);
    }
  }

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto inner, MemoryFileSystem::OpenForWrite(path, mode));
    std::shared_ptr<File> file;
    {
      const std::lock_guard lock(mutex_);
      auto& named = names_[path];
      if (!named) named = std::make_shared<File>();
      if (mode == OpenMode::kTruncate) named->now.clear();
      file = named;
    }
    return std::make_unique<Writer>(*this, path, std::move(inner), std::move(file));
  }
  Status Remove(const std::string& path) override {
    SIGHTLINE_RETURN_IF_ERROR(MemoryFileSystem::Remove(path));
    {
      const std::lock_guard lock(mutex_);
      names_.erase(path);
    }
    Changed(path, false);
    return {};
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return Moved(from, to, MemoryFileSystem::Rename(from, to), true);
  }
  Status RenameExclusive(const std::string& from, const std::string& to) override {
    return Moved(from, to, MemoryFileSystem::RenameExclusive(from, to), true);
  }
  Status Link(const std::string& from, const std::string& to) override {
    return Moved(from, to, MemoryFileSystem::Link(from, to), false);
  }
  Status SyncDirectory(const std::string& path) override {
    SIGHTLINE_RETURN_IF_ERROR(MemoryFileSystem::SyncDirectory(path));
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(synced_names_,
                    [&](const auto& entry) { return DirectoryOf(entry.first) == path; });
      for (const auto& [name, file] : names_)
        if (DirectoryOf(name) == path) synced_names_[name] = file;
    }
    Changed(path, true);
    return {};
  }

 private:
  static constexpr std::size_t kPage = 4096;

  struct File {
    std::string now;
    std::string synced;
  };

  class Writer : public WritableFile {
   public:
    Writer(ForgetfulFileSystem& files, std::string path, std::unique_ptr<WritableFile> inner,
           std::shared_ptr<File> file)
        : files_(files), path_(std::move(path)), inner_(std::move(inner)), file_(std::move(file)) {}

    Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
      SIGHTLINE_RETURN_IF_ERROR(inner_->WriteAt(offset, bytes));
      {
        const std::lock_guard lock(files_.mutex_);
        if (file_->now.size() < offset + bytes.size()) file_->now.resize(offset + bytes.size());
        file_->now.replace(offset, bytes.size(), bytes);
      }
      files_.Changed(path_, false);
      return {};
    }
    Status Truncate(std::uint64_t size) override {
      SIGHTLINE_RETURN_IF_ERROR(inner_->Truncate(size));
      {
        const std::lock_guard lock(files_.mutex_);
        file_->now.resize(size);
      }
      files_.Changed(path_, false);
      return {};
    }
    Result<std::uint64_t> Size() const override { return inner_->Size(); }
    Status Sync() override {
      SIGHTLINE_RETURN_IF_ERROR(inner_->Sync());
      {
        const std::lock_guard lock(files_.mutex_);
        file_->synced = file_->now;
      }
      files_.Changed(path_, true);
      return {};
    }
    Status Close() override { return inner_->Close(); }

   private:
    ForgetfulFileSystem& files_;
    const std::string path_;
    const std::unique_ptr<WritableFile> inner_;
    const std::shared_ptr<File> file_;
  };

  Status Moved(const std::string& from, const std::string& to, Status status, bool is_gone) {
    if (!status.ok()) return status;
    {
      const std::lock_guard lock(mutex_);
      const auto found = names_.find(from);
      if (found != names_.end()) {
        names_[to] = found->second;
        if (is_gone) names_.erase(from);
      }
    }
    Changed(to, false);
    return {};
  }

  void Changed(const std::string& path, bool is_sync) {
    if (after_change_) after_change_(path, is_sync);
  }

  mutable std::mutex mutex_;  // Guards what follows.
  std::map<std::string, std::shared_ptr<File>> names_;
  std::map<std::string, std::shared_ptr<File>> synced_names_;
  std::function<void(const std::string&, bool)> after_change_;
};

}  // namespace sightline::testing
