// WatchState: what a watch has said, and what is not delivered yet, in one file, so that a restart
// neither repeats nor forgets it.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(auto state, WatchState::Open(path));
//   state->open.insert_or_assign(key, held);
//   if (const Status saved = state->Save(); !saved.ok()) Say(saved);
//
// The file is JSON, mode 0600. The process that has it open holds a lock of it (flock). Saving
// replaces the file in one step, so that a kill leaves the old file or the new one. One thread.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/descriptor.h"
#include "sightline/base/status.h"

namespace sightline::watch {

class WatchState {
 public:
  // A cause that holds: of a rule, as it was given, in a run, by its directory.
  struct Key {
    std::string directory;
    std::string rule;
    std::string cause;                             // Cause::id
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): LLVM 46235.
  };

  struct Held {
    std::string text;
    double since = 0;  // When the watch saw that it holds: seconds since the Unix epoch.
  };

  // A state that is kept in no file.
  WatchState() = default;
  // Reads the file, or begins with nothing if there is none. kFailedPrecondition if another process
  // holds it; the message names that process. Other errors if it cannot be read, made or locked. A
  // file that is not a state is replaced; `is_new` is true then.
  static Result<std::unique_ptr<WatchState>> Open(const std::string& path);

  // Writes the file if anything differs from what it holds.
  Status Save();

  // Whether the file was there before, and was a state.
  bool is_new() const { return is_new_; }
  const std::string& path() const { return path_; }

  std::map<Key, Held> open;       // The causes that hold.
  std::set<std::string> growing;  // The directories of the runs that were still recorded.
  nlohmann::json outbox = nlohmann::json::array();  // Of notify/, which knows its form.

 private:
  std::string Text() const;
  bool Read(const std::string& text);

  std::string path_;                        // Empty: no file.
  std::unique_ptr<const Descriptor> file_;  // Locked.
  std::string saved_;
  bool is_new_ = true;
};

// The file of a watch of these roots, in the user's state folder ($XDG_STATE_HOME or
// ~/.local/state): sightline/watch/<digest of the roots>.json. kNotFound if there is no such
// folder.
Result<std::string> DefaultStatePath(const std::vector<std::string>& roots);

}  // namespace sightline::watch
