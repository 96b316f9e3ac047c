// RunFollower: a run that is opened again and again while it is recorded. Each time it gives what
// Run::Open would, but reads only what was appended to the files since.
//
//   RunFollower follower(FileSystem::Local(), "runs/lenet");
//   while (Shown()) {
//     SIGHTLINE_ASSIGN_OR_RETURN(const auto run, follower.Refresh());
//     if (run != shown) Show(run);
//   }
//
// What a file holds is kept only while its run grows: while a living recorder holds its journal; of
// other programs' runs from the first growth that was seen on. Points are kept once, shared with
// the Run. A file is read anew where it is shorter than what was read of it, changed without
// growing, or has other bytes than before at the end of what was read, where the last record's time
// and checksum are; bytes that were changed further in front of a file that also grew are not
// looked at again - `sightline verify` does.
//
// One thread at a time; the runs any. The FileSystem must outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/event_source.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_directories.h"

namespace sightline {

class RunIndex;

class RunFollower {  // NOLINT(cppcoreguidelines-special-member-functions): it is moved only.
 public:
  // See Run::Open.
  RunFollower(FileSystem& file_system, std::string directory, std::string name = ".");
  // Goes on from a run that was opened.
  RunFollower(FileSystem& file_system, std::shared_ptr<const Run> run);
  ~RunFollower();
  RunFollower(RunFollower&& other) noexcept;
  RunFollower& operator=(RunFollower&& other) noexcept;

  // What is known of the run in `index`, as `key`, is not read; what is read is put there. Before
  // the first Refresh.
  void UseIndex(std::shared_ptr<RunIndex> index, std::string key);

  // From now on records of 64 KiB and more are not read whole: their checksums are verified when
  // Run::Read reads them. For whoever wants a list at once. Before the first Refresh.
  void LeaveLargeUnchecked() { skim_ = true; }

  // The run as the last Refresh gave it; null before the first.
  const std::shared_ptr<const Run>& run() const { return run_; }

  // The run as it is now: the same object as before where nothing changed. kNotFound where no event
  // files are there. `threads` read its files; 0: as many as the machine has cores.
  Result<std::shared_ptr<const Run>> Refresh(unsigned threads = 1);
  // The same of its directory, which was listed just now and has event files.
  std::shared_ptr<const Run> Refresh(const RunDirectory& listed, unsigned threads = 1);

 private:
  struct File;
  std::shared_ptr<const Run> Read(const std::vector<EventSource>& sources, RunLook look,
                                  unsigned threads);
  static File Anew(const EventSource& source, std::size_t number);
  void TakeFromIndex(const RunLook& look);
  // Reads on where file number `number` ended, or anew.
  void ReadOn(const EventSource& source, const RunLook& look, std::size_t number);
  void PutIntoIndex();
  void ForgetUnlessGrowing();

  FileSystem* file_system_;
  std::string directory_;
  std::string name_;
  std::shared_ptr<const Run> run_;
  std::vector<File> files_;  // By their number in the run.
  bool grew_ = false;
  bool skim_ = false;
  std::shared_ptr<RunIndex> index_;  // Or null.
  std::string key_;
};

}  // namespace sightline
