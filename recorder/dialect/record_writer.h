// RecordWriter: appends framed records (record_format.h) to a file, through one buffer.
//
//   RecordWriter writer(*std::move(file), size);
//   SIGHTLINE_RETURN_IF_ERROR(writer.Write(payload));
//   SIGHTLINE_RETURN_IF_ERROR(writer.Flush());
//
// After an error the file may hold a part of what was not flushed; Discard goes back to the last
// place that the caller knows to be good. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/dialect/payload.h"

namespace sightline {

class RecordWriter {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

  // Writes nowhere until it is given a file.
  RecordWriter() : buffer_(new char[kBufferBytes]) {}
  // Goes on at `offset` of `file`.
  RecordWriter(std::unique_ptr<WritableFile> file, std::uint64_t offset) : RecordWriter() {
    Attach(std::move(file), offset);
  }
  // REQUIRES: flushed or discarded.
  void Attach(std::unique_ptr<WritableFile> file, std::uint64_t offset);
  bool attached() const { return file_ != nullptr; }

  // One record. Large pieces go to the operating system from where they lie, without a copy.
  Status Write(std::string_view payload);
  Status Write(const Payload& payload);

  // Room for a record that the caller frames itself: up to `bytes`, at most kBufferBytes, at the
  // returned place; nullptr on an error of the flush that made the room, which is in `status`.
  // Advance says how many were used.
  char* Reserve(std::size_t bytes, Status& status) {
    if (buffered_ + bytes > kBufferBytes) {
      status = Flush();
      if (!status.ok()) return nullptr;
    }
    return buffer_.get() + buffered_;
  }
  void Advance(std::size_t bytes) { buffered_ += bytes; }
  // Bytes of a record that is framed already.
  Status WriteFramed(std::string_view bytes);

  // Hands everything to the operating system.
  Status Flush();
  // Forgets what is buffered and cuts the file to `offset`; the cut is an attempt only, since what
  // is written next overwrites what it would have removed.
  void Discard(std::uint64_t offset);
  Status Sync() { return file_ == nullptr ? Status() : file_->Sync(); }
  // Closes the file. REQUIRES: flushed.
  Status Close();

  // How far the operating system has the file, and where it will end after Flush.
  std::uint64_t flushed() const { return flushed_; }
  std::uint64_t end() const { return flushed_ + buffered_; }

 private:
  std::unique_ptr<WritableFile> file_;
  std::uint64_t flushed_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t buffered_ = 0;
};

}  // namespace sightline
