// Leaves nothing half-written behind when the user ends the program.
//
//   const RemoveOnSignal remove(path + ".unfinished");   // Before it exists.
//   ... write it, rename it ...
#pragma once

#include <string>

namespace sightline {

// As long as it lives, SIGINT, SIGTERM and SIGHUP remove a file, or a folder with all that is in
// it, and then end the program as they do without it. They do so at once, whatever the program is
// doing, and a second signal ends it without removing more. Signals that the program was started
// to ignore stay ignored.
//
// One at a time, in the main thread. Other threads must block signals, as background threads do, so
// that nobody creates files while they are removed.
class RemoveOnSignal {
 public:
  // `path` need not exist.
  explicit RemoveOnSignal(std::string path);
  ~RemoveOnSignal();
  RemoveOnSignal(const RemoveOnSignal&) = delete;
  RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;

 private:
  std::string path_;
};

}  // namespace sightline
