// A file descriptor that is closed with its owner. Private to this library: it is not installed.
#pragma once

#include <unistd.h>

#include <utility>

namespace sightline {

// A negative number means none, as open(2) returns when it fails.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }

  int get() const { return fd_; }
  // Gives up the descriptor; the caller must close it.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace sightline
