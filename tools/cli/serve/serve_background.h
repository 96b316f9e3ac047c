// Starting in the background: a process of its own session that tells how its start went.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sightline {

// The side of the new process: exactly one of them is called, once.
class BackgroundStart {
 public:
  explicit BackgroundStart(int pipe) : pipe_(pipe) {}
  void Running(const std::string& url) const;
  void Failed(const std::string& why) const;

 private:
  int pipe_;
};

// Forks; `run` is what the new process does, and its exit code. Returns in the old one, once the
// new one told: prints its address, or why not. REQUIRES: the process has one thread.
int StartInBackground(std::uint16_t port, const std::function<int(const BackgroundStart&)>& run);

}  // namespace sightline
