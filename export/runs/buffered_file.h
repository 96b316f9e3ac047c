// BufferedFile: text or bytes appended to a file through one buffer. Private to this folder.
//
// After the first error, appending has no effect, and Close returns that error. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

class BufferedFile {
 public:
  BufferedFile() = default;
  explicit BufferedFile(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

  void Append(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferBytes) Flush();
  }
  // Bytes appended so far.
  std::uint64_t size() const { return written_ + buffer_.size(); }
  const Status& status() const { return status_; }

  Status Close() {
    Flush();
    if (file_ != nullptr) {
      const Status closed = file_->Close();
      if (status_.ok()) status_ = closed;
    }
    file_ = nullptr;
    return status_;
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

  void Flush() {
    if (status_.ok() && file_ != nullptr) status_ = file_->WriteAt(written_, buffer_);
    written_ += buffer_.size();
    buffer_.clear();
  }

  std::unique_ptr<WritableFile> file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  Status status_;
};

}  // namespace sightline
