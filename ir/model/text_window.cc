#include "sightline/ir/model/text_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace sightline::ir {

Status CheckLines(std::string_view text, std::uint32_t first_line, std::size_t limit) {
  std::size_t begin = 0;
  while (text.size() - begin > limit) {
    const std::size_t newline = text.substr(begin, limit + 1).rfind('\n');
    if (newline == std::string_view::npos) {
      const auto line = first_line + std::count(text.begin(), text.begin() + begin, '\n');
      return Status(StatusCode::kInvalidArgument,
                    "line " + std::to_string(line) + ", column 1: the line is longer than " +
                        std::to_string(limit) + " bytes; this is no dump");
    }
    begin += newline + 1;
  }
  return {};
}

void TextWindow::Unmap::operator()(char* memory) const { munmap(memory, size); }

Result<TextWindow> TextWindow::Open(std::unique_ptr<ReadableFile> file, std::uint64_t size,
                                    std::size_t line_limit) {
  const std::size_t bytes = std::max<std::size_t>(size, 1);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Error(StatusCode::kResourceExhausted,
                 "there are not " + std::to_string(bytes) + " bytes of addresses for its text");
  }
  std::unique_ptr<char, Unmap> text(static_cast<char*>(memory), Unmap{bytes});
  return TextWindow(std::move(file), size, line_limit, std::move(text));
}

std::string_view TextWindow::MoveTo(const char* at, std::uint32_t line) {
  const std::size_t offset = at == nullptr ? 0 : static_cast<std::size_t>(at - text_.get());
  GiveBack(std::exchange(moved_to_, offset));
  // Twice the limit, so that the next call is a limit's worth of text away.
  if (status_.ok()) status_ = Fill(std::min(size_, offset + 2 * line_limit_ + 1));
  const std::string_view text(text_.get() + offset, filled_ - offset);
  if (status_.ok()) status_ = CheckLines(text, line, line_limit_);
  return status_.ok() ? text : text.substr(0, 0);
}

Status TextWindow::Fill(std::size_t end) {
  while (filled_ < end) {
    auto got = file_->ReadAt(filled_, {text_.get() + filled_, end - filled_});
    if (!got) return got.error();
    if (*got == 0) size_ = end = filled_;  // It was cut off since.
    filled_ += *got;
  }
  return {};
}

void TextWindow::GiveBack(std::size_t end) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  end -= end % page;
  if (end <= given_back_) return;
  madvise(text_.get() + given_back_, end - given_back_, MADV_DONTNEED);
  given_back_ = end;
}

}  // namespace sightline::ir
