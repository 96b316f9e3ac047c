// The text of a file of which only a part is in memory: what lies ahead of a reader that goes
// through it once. A dump of a gigabyte is read in a tenth of it.
//
// The text has one address from its begin to its end, as if it were all there; what is not read
// yet, and what was given back behind the reader, must not be looked at. (A file that is mapped
// would be simpler, and would end the process when a compiler cuts it off while it is read.)
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::ir {

// A line that is longer is no dump's: MindSpore cuts constants off at some thousand elements.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// kInvalidArgument, naming the line, when a line of this text is longer than `limit`; the text's
// first line is that of `first_line`, 1-based. Looks at few bytes.
Status CheckLines(std::string_view text, std::uint32_t first_line, std::size_t limit);

class TextWindow {
 public:
  // `size` is the file's; what it loses later ends the text, what it gains is left out.
  // `line_limit`: what the longest line may have. At most three times as much is in memory.
  static Result<TextWindow> Open(std::unique_ptr<ReadableFile> file, std::uint64_t size,
                                 std::size_t line_limit = kMaxLineBytes);

  // What is there, from `at`, where the reader now is, in the line that has the number `line`: more
  // than `line_limit` bytes, or up to the end of the text. When the file cannot be read or a line
  // is too long, nothing; status() says why. `at` is null for the text's begin. Memory before the
  // position of the call before is given back.
  std::string_view MoveTo(const char* at, std::uint32_t line);

  // Whether the end of what MoveTo returned is the text's.
  bool complete() const { return filled_ == size_; }
  // As of the calls so far.
  const Status& status() const { return status_; }

 private:
  struct Unmap {
    std::size_t size = 0;
    void operator()(char* memory) const;
  };

  TextWindow(std::unique_ptr<ReadableFile> file, std::size_t size, std::size_t line_limit,
             std::unique_ptr<char, Unmap> text)
      : file_(std::move(file)), size_(size), line_limit_(line_limit), text_(std::move(text)) {}

  Status Fill(std::size_t end);
  void GiveBack(std::size_t end);

  std::unique_ptr<ReadableFile> file_;
  std::size_t size_ = 0;
  std::size_t line_limit_ = 0;
  std::unique_ptr<char, Unmap> text_;  // Addresses for all of it.
  std::size_t filled_ = 0;
  std::size_t given_back_ = 0;
  std::size_t moved_to_ = 0;
  Status status_;
};

}  // namespace sightline::ir
