// Files in memory whose bytes are counted when they are read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sightline/tests/support/memory_file_system.h"

namespace sightline::testing {

class CountingFileSystem : public MemoryFileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, MemoryFileSystem::OpenForRead(path));
    return std::make_unique<File>(std::move(file), bytes_);
  }
  std::uint64_t TakeBytesRead() { return bytes_.exchange(0); }

 private:
  class File : public ReadableFile {
   public:
    File(std::unique_ptr<ReadableFile> file, std::atomic<std::uint64_t>& bytes)
        : file_(std::move(file)), bytes_(bytes) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      auto read = file_->ReadAt(offset, buffer);
      if (read) bytes_ += *read;
      return read;
    }
    Result<std::uint64_t> Size() const override { return file_->Size(); }

   private:
    std::unique_ptr<ReadableFile> file_;
    std::atomic<std::uint64_t>& bytes_;
  };
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace sightline::testing
