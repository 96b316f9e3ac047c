// RecordWriter: appends framed records (record_format.h) to a file, through one buffer.
//
//   RecordWriter writer(*std::move(file), size);
//   SIGHTLINE_RETURN_IF_ERROR(writer.Write(payload));
//   SIGHTLINE_RETURN_IF_ERROR(writer.Flush());
//
// After an error, the file may contain a part of the unflushed bytes. Discard then goes back to the
// last offset that the caller knows to be good. One thread at a time.
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

  // Without a file; Attach it before the first write.
  RecordWriter() : buffer_(new char[kBufferBytes]) {}
  // Continues at `offset` of `file`.
  RecordWriter(std::unique_ptr<WritableFile> file, std::uint64_t offset) : RecordWriter() {
    Attach(std::move(file), offset);
  }
  // Continues at `offset` of `file`. REQUIRES: Flush, Discard or Close was the last call.
  void Attach(std::unique_ptr<WritableFile> file, std::uint64_t offset);
  bool attached() const { return file_ != nullptr; }

  // Writes one record. Large pieces go to the operating system without a copy.
  Status Write(std::string_view payload);
  Status Write(const Payload& payload);

  // Returns room in the buffer for `bytes` (at most kBufferBytes), for a record that the caller
  // frames itself. Advance then tells how many bytes were used. nullptr if the buffer had to be
  // flushed and that failed; `status` has the error.
  char* Reserve(std::size_t bytes, Status& status) {
    if (buffered_ + bytes > kBufferBytes) {
      status = Flush();
      if (!status.ok()) return nullptr;
    }
    return buffer_.get() + buffered_;
  }
  void Advance(std::size_t bytes) { buffered_ += bytes; }
  // Writes bytes of a record that is framed already.
  Status WriteFramed(std::string_view bytes);

  // Hands everything to the operating system.
  Status Flush();
  // Forgets what is buffered, and cuts the file to `offset`. A failed cut is not an error, since
  // the next records overwrite what it would have removed.
  void Discard(std::uint64_t offset);
  // Cuts the file to `offset`.
  Status CutTo(std::uint64_t offset) { return file_->Truncate(offset); }
  // Continues at `offset`. REQUIRES: a file is attached, and everything is flushed.
  void GoOnAt(std::uint64_t offset) { flushed_ = offset; }
  Status Sync() { return file_ == nullptr ? Status() : file_->Sync(); }
  // Closes the file. REQUIRES: flushed.
  Status Close();

  // Where the bytes end that the operating system has, and where the file will end after Flush.
  std::uint64_t flushed() const { return flushed_; }
  std::uint64_t end() const { return flushed_ + buffered_; }

 private:
  std::unique_ptr<WritableFile> file_;
  std::uint64_t flushed_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t buffered_ = 0;
};

}  // namespace sightline
