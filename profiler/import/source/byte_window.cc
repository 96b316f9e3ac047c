#include "sightline/profiler/import/source/byte_window.h"

#include <algorithm>
#include <cstring>

namespace sightline::profiler {

bool ByteWindow::More() {
  if (!status_.ok()) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    dropped_ += at_;
    end_ -= at_;
    at_ = 0;
  }
  if (end_ >= kMaxWindow) {
    status_ = Status(StatusCode::kResourceExhausted, "a single value is larger than 64 MB");
    return false;
  }
  // Doubled, so that a value that does not fit is parsed only a few times.
  const std::size_t wanted = std::max(kChunk, std::min(end_ * 2, kMaxWindow));
  if (buffer_.size() < wanted) buffer_.resize(wanted);
  auto read = source_.Read(std::span(buffer_).subspan(end_));
  if (!read) {
    status_ = read.error();
    return false;
  }
  end_ += *read;
  return *read > 0;
}

}  // namespace sightline::profiler
