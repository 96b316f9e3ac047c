// RunFollower: opens a run again and again while it is recorded. It returns what Run::Open would
// return, but reads only what was appended to the files since the last time.
//
//   RunFollower follower("runs/lenet");
//   while (Shown()) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto run, follower.Refresh());
//     if (run != shown) Show(run);
//   }
//
// A file is read again from its beginning if it is shorter than the part that was read, if it
// changed without growing, or if the last bytes of that part, with the checksum of the last record,
// are different. If a file grew, an earlier change is not noticed; `sightline verify` checks the
// whole file.
//
// One thread at a time; any thread may read the runs.
#pragma once

#include <memory>
#include <string>

#include "sightline/base/status.h"
#include "sightline/runs/model/run.h"

namespace sightline {

class FollowedRun;

class RunFollower {  // NOLINT(cppcoreguidelines-special-member-functions): it is moved only.
 public:
  // See Run::Open.
  explicit RunFollower(const std::string& directory, const RunOptions& options = {});
  // Continues with a run that is already open; its name and directory count.
  explicit RunFollower(std::shared_ptr<const Run> run, const RunOptions& options = {});
  ~RunFollower();
  RunFollower(RunFollower&& other) noexcept;
  RunFollower& operator=(RunFollower&& other) noexcept;

  // Returns the run as it is now; the same object as before if nothing changed. kNotFound without
  // event files.
  Result<std::shared_ptr<const Run>> Refresh();

 private:
  std::unique_ptr<FollowedRun> followed_;
};

}  // namespace sightline
