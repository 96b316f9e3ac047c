// ByteWindow: the part of a ByteSource that a parser works on, for parsers that need a value as a
// whole.
//
// Views into the window are valid until More is called. It needs memory for the window only, at
// most kMaxWindow, however large the file is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/source/byte_source.h"

namespace sightline::profiler {

class ByteWindow {
 public:
  // The size of the largest value that can be read as a whole.
  static constexpr std::size_t kMaxWindow = std::size_t{64} << 20U;

  explicit ByteWindow(ByteSource& source) : source_(source) {}

  // The bytes that were read from the source and not skipped yet.
  std::string_view rest() const { return {buffer_.data() + at_, end_ - at_}; }
  void Skip(std::size_t bytes) { at_ += bytes; }
  // Where rest() begins in the (unpacked) file.
  std::uint64_t offset() const { return dropped_ + at_; }

  // Reads more from the source; rest() becomes longer. False if nothing more comes: at the end
  // (status() is OK), on an error, or if rest() fills the window (kResourceExhausted).
  bool More();
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 21U;

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t dropped_ = 0;
  Status status_;
};

}  // namespace sightline::profiler
