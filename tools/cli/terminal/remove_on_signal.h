// Leaves no half-written file behind when the user ends the program.
#pragma once

#include <string>

namespace sightline {

// As long as it lives, SIGINT, SIGTERM and SIGHUP remove the file, if it is there, and then end the
// program as they do without it; those that the program was started to ignore stay ignored. One at
// a time.
class RemoveOnSignal {
 public:
  explicit RemoveOnSignal(std::string path);
  ~RemoveOnSignal();
  RemoveOnSignal(const RemoveOnSignal&) = delete;
  RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;

 private:
  std::string path_;
};

}  // namespace sightline
