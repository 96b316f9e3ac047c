// HeldBackFiles: a file system whose reads wait while a test holds them back, like those of a file
// that is large or far away. Counts and fails calls as FaultyFileSystem does.
//
//   HeldBackFiles files(FileSystem::Local());
//   files.HoldBack("a.trace.json");        // Reads of such files wait from now on.
//   ... start an import ...
//   files.AwaitReaders(1);                 // Returns once a read waits.
//   files.Release();
#pragma once

#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "sightline/tests/support/faulty_file_system.h"

namespace sightline::dashboard::testing {

class HeldBackFiles final : public sightline::testing::FaultyFileSystem {
 public:
  explicit HeldBackFiles(FileSystem& inner) : FaultyFileSystem(inner) {}

  // Files whose path contains `path_part`. Their first `pass` reads pass.
  void HoldBack(std::string path_part, std::size_t pass = 0) {
    const std::lock_guard lock(gate_.mutex);
    gate_.path_part = std::move(path_part);
    gate_.pass = pass;
  }
  void Release() {
    HoldBack("", std::numeric_limits<std::size_t>::max());
    gate_.changed.notify_all();
  }
  void AwaitReaders(std::size_t count) {
    std::unique_lock lock(gate_.mutex);
    gate_.changed.wait(lock, [&] { return gate_.waiting >= count; });
  }
  std::size_t waiting() const {
    const std::lock_guard lock(gate_.mutex);
    return gate_.waiting;
  }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, FaultyFileSystem::OpenForRead(path));
    return std::make_unique<Reader>(gate_, std::move(file), path);
  }

 private:
  struct Gate {
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::string path_part;
    std::size_t pass = std::numeric_limits<std::size_t>::max();
    std::size_t waiting = 0;

    void Wait(const std::string& path) {
      std::unique_lock lock(mutex);
      if (path.find(path_part) == std::string::npos) return;
      ++waiting;
      changed.notify_all();
      changed.wait(lock, [&] { return pass > 0; });
      --waiting;
      --pass;
    }
  };

  class Reader final : public ReadableFile {
   public:
    Reader(Gate& gate, std::unique_ptr<ReadableFile> file, std::string path)
        : gate_(gate), file_(std::move(file)), path_(std::move(path)) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      gate_.Wait(path_);
      return file_->ReadAt(offset, buffer);
    }
    Result<std::uint64_t> Size() const override { return file_->Size(); }

   private:
    Gate& gate_;
    const std::unique_ptr<ReadableFile> file_;
    const std::string path_;
  };

  Gate gate_;
};

}  // namespace sightline::dashboard::testing
