// A file descriptor that is closed with its owner. Of this library alone: it is not installed.
#pragma once

#include <unistd.h>

#include <utility>

namespace sightline {

// Negative: there is none, as open(2) answers when it fails.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }

  int get() const { return fd_; }
  // The descriptor, which the caller closes from now on.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace sightline
