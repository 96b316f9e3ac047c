// ConsoleReader: parts of a console, as whole lines. A console may be large and grow while it is
// read; nothing of it is kept. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

struct ConsolePart {
  std::uint64_t begin = 0;  // Of the first line.
  std::uint64_t end = 0;    // After the last one.
  std::string bytes;
};

class ConsoleReader {
 public:
  explicit ConsoleReader(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  Result<std::uint64_t> Size() const { return file_->Size(); }

  // The lines from the one that `offset` is in, of at most `most` bytes. A line that is longer than
  // that comes in pieces, and so does the last one while it has no end.
  Result<ConsolePart> From(std::uint64_t offset, std::size_t most) const;
  // The lines before the one that `offset` is in.
  Result<ConsolePart> Before(std::uint64_t offset, std::size_t most) const;

  // The lines before and after the beginning of the one that `offset` is in: each way at most
  // `most` bytes and `lines` lines.
  Result<ConsolePart> Around(std::uint64_t offset, std::size_t most,
                             int lines = std::numeric_limits<int>::max()) const;

  // The next, or the last, place of `text` that begins at or after, or before, `offset`, among at
  // most kMostSearched bytes. ASCII letters match in both cases. If `part` ends before the console
  // does, the search can go on there.
  struct Found {
    std::optional<std::uint64_t> offset;
    std::uint64_t searched_to = 0;
  };
  Result<Found> FindAfter(std::string_view text, std::uint64_t offset) const;
  Result<Found> FindBefore(std::string_view text, std::uint64_t offset) const;
  static constexpr std::uint64_t kMostSearched = std::uint64_t{64} << 20U;
  static constexpr std::size_t kMostText = 1000;

 private:
  Result<std::string> Read(std::uint64_t offset, std::size_t bytes) const;
  Result<std::uint64_t> BeginOfLine(std::uint64_t offset, std::size_t most) const;

  std::unique_ptr<ReadableFile> file_;
};

}  // namespace sightline
