// FollowedRun: reads a run again and again while it is recorded, each time only the part that was
// appended to its files. RunFollower and RunGroup use it. Private to this folder.
//
// Points are in memory once, shared by the Runs and the contents of the files. The contents are in
// memory only while the run grows: while a living recorder holds its journal or, for runs of other
// programs, once the run was seen to change.
//
// One thread at a time; any thread may read the runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/runs/index/run_index.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/run_stamp.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {

class FollowedRun {
 public:
  FollowedRun(std::string directory, const RunOptions& options);
  // Continues with a run that is already open.
  FollowedRun(std::shared_ptr<const Run> run, const RunOptions& options);

  // Takes the run from `index`, which knows it as `key`, instead of reading it, and stores it there
  // after the first reading and when it stops growing. Call this before the first Refresh.
  void UseIndex(std::shared_ptr<RunIndex> index, std::string key);

  // The run that the last Refresh returned; null before the first.
  const std::shared_ptr<const Run>& run() const { return run_; }

  // Returns the run as it is now; the same object as before if nothing changed. kNotFound without
  // event files.
  Result<std::shared_ptr<const Run>> Refresh();
  // The same for `listed`, the run's directory, which was just listed and has event files. Reads
  // its files in `threads` threads.
  std::shared_ptr<const Run> Refresh(const RunDirectory& listed, unsigned threads);

  // Lets the next Refresh, and all later ones, read large records whole as well. False if they do
  // already.
  bool CheckLargeRecords();

  // Whether the contents of the files are in memory, since the run grows.
  bool grows() const { return !files_.empty(); }
  // Call this when the run has ended: stores it in the index, and frees the contents of the files.
  void EndGrowth();
  // Replaces the run by one that loads its points from the index when they are asked for. Changes
  // nothing, and returns false, if the index lacks them or the run grows.
  bool ReleasePoints();

 private:
  std::shared_ptr<const Run> Read(const std::vector<StampedSource>& sources, RunStamp stamp,
                                  unsigned threads);
  bool IsCurrent(const RunStamp& stamp) const;
  static ReadFile NewFile(const EventSource& source, std::size_t number);
  void TakeFromIndex(const RunStamp& stamp);
  // Continues to read file number `number` where reading ended, or reads it from its beginning.
  void ReadOn(const EventSource& source, const RunStamp& stamp, std::size_t number);
  // Reads those files again whose values take their metadata from files before.
  void InheritMetadata(const std::vector<StampedSource>& sources, const RunStamp& stamp);
  void NoteLastBytes();

  std::string directory_;
  RunOptions options_;
  std::shared_ptr<const Run> run_;
  std::vector<ReadFile> files_;  // By number in the run.
  bool grew_ = false;
  std::shared_ptr<RunIndex> index_;  // May be null.
  std::string key_;
  std::shared_ptr<StoredPoints> stored_;  // The points of run_; null if the index lacks them.
};

}  // namespace sightline
