// RunFollower: opens a run again and again while it is recorded. It returns what Run::Open would
// return, but reads only what was appended to the files since the last time.
//
//   RunFollower follower(FileSystem::Local(), "runs/lenet");
//   while (Shown()) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto run, follower.Refresh());
//     if (run != shown) Show(run);
//   }
//
// The contents of the files are kept in memory only while the run grows: while a living recorder
// holds its journal or, for runs of other programs, once they were seen to change. Points are kept
// once, shared with the Run. A file is read again from its beginning if it is shorter than the part
// that was read, if it changed without growing, or if the last bytes of that part, with the
// checksum of the last record, are different. If a file grew, a change further in front is not
// noticed; `sightline verify` checks the whole file.
//
// One thread at a time; any thread may read the runs. The FileSystem must outlive the follower.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {

class RunIndex;

class RunFollower {  // NOLINT(cppcoreguidelines-special-member-functions): it is moved only.
 public:
  // See Run::Open.
  RunFollower(FileSystem& file_system, std::string directory, std::string name = ".");
  // Continues with a run that is already open.
  RunFollower(FileSystem& file_system, std::shared_ptr<const Run> run);
  ~RunFollower();
  RunFollower(RunFollower&& other) noexcept;
  RunFollower& operator=(RunFollower&& other) noexcept;

  // Takes what `index` knows of the run, under the name `key`, instead of reading it, and stores
  // there what is read. Call this before the first Refresh.
  void UseIndex(std::shared_ptr<RunIndex> index, std::string key);

  // From now on, does not read records of 64 KiB and more whole, so that a list is there at once.
  // Their checksums are verified when Run::Read reads them. Call this before the first Refresh.
  void LeaveLargeUnchecked() { skim_ = true; }

  // The run that the last Refresh returned; null before the first.
  const std::shared_ptr<const Run>& run() const { return run_; }

  // Returns the run as it is now; the same object as before if nothing changed. kNotFound if there
  // are no event files. `threads` threads read its files; 0: one for each core.
  Result<std::shared_ptr<const Run>> Refresh(unsigned threads = 1);
  // The same for `listed`, the run's directory, which was just listed and has event files.
  std::shared_ptr<const Run> Refresh(const RunDirectory& listed, unsigned threads = 1);

 private:
  struct File;
  std::shared_ptr<const Run> Read(const std::vector<EventSource>& sources, RunStamp stamp,
                                  unsigned threads);
  static File Anew(const EventSource& source, std::size_t number);
  void TakeFromIndex(const RunStamp& stamp);
  // Continues to read file number `number` where reading ended, or reads it from its beginning.
  void ReadOn(const EventSource& source, const RunStamp& stamp, std::size_t number);
  void PutIntoIndex();
  void ForgetUnlessGrowing();

  FileSystem* file_system_;
  std::string directory_;
  std::string name_;
  std::shared_ptr<const Run> run_;
  std::vector<File> files_;  // By number in the run.
  bool grew_ = false;
  bool skim_ = false;
  std::shared_ptr<RunIndex> index_;  // May be null.
  std::string key_;
};

}  // namespace sightline
