// Records and files of records, byte by byte, for tests of reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline::testing {

// A record as it is in a file: length, checksum, payload, checksum.
std::string FrameRecord(std::string_view payload);
// Only the first twelve bytes: a header that holds and promises `length` bytes.
std::string FrameHeader(std::uint64_t length);

// A file over bytes that the test may change while it is read. Reads return at most
// `most_bytes_a_read`.
class BytesFile : public ReadableFile {
 public:
  explicit BytesFile(std::shared_ptr<const std::string> bytes,
                     std::size_t most_bytes_a_read = SIZE_MAX)
      : bytes_(std::move(bytes)), most_bytes_a_read_(most_bytes_a_read) {}
  explicit BytesFile(std::string bytes)
      : BytesFile(std::make_shared<const std::string>(std::move(bytes))) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override;
  Result<std::uint64_t> Size() const override { return bytes_->size(); }

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t most_bytes_a_read_;
};

}  // namespace sightline::testing
