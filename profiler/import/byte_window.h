// A stretch of a ByteSource in memory, for parsers that need a whole value before them.
//
// Views into the window are valid until More is called. Memory: what is in the window, and at most
// kMaxWindow; a file's size does not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/profiler/import/byte_source.h"

namespace sightline::profile {

class ByteWindow {
 public:
  // The greatest value that is read as one.
  static constexpr std::size_t kMaxWindow = std::size_t{64} << 20U;

  explicit ByteWindow(ByteSource& source) : source_(source) {}

  // What lies before the parser.
  std::string_view rest() const { return {buffer_.data() + at_, end_ - at_}; }
  void Skip(std::size_t bytes) { at_ += bytes; }
  // Offset in the (unpacked) file of rest().
  std::uint64_t offset() const { return dropped_ + at_; }

  // Reads on, keeping rest(). False where nothing comes any more: the end (status() is OK), an
  // error, or a rest that fills the window (kResourceExhausted).
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

}  // namespace sightline::profile
