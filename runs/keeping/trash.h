// Trash: the runs that were moved out of a folder, and can be moved back. It is the folder
// `.sightline-trash` in it, so that moving a run is a rename, and readers do not look into it:
//
//   FOLDER/.sightline-trash/ID/move.json    what moved, and the notes about it (trash_record.h)
//   FOLDER/.sightline-trash/ID/run/...      what moved, under its path below FOLDER
//
// The record is written, and safe on the disk, before the first rename. If the process is killed,
// the next Open puts everything back that did not arrive. Nothing is ever overwritten, and no link
// is followed below FOLDER, so whatever somebody plants there, nothing outside of it moves.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto trash, Trash::Open("/home/u/output"));
//   SIGHTLINE_RETURN_IF_ERROR(trash->Put(record));
//   SIGHTLINE_RETURN_IF_ERROR(trash->Restore(record.id));
//
// One thread. Between processes, the one that has a trash open holds its lock.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/runs/keeping/trash_record.h"

namespace sightline {

struct TrashOptions {
  bool make = true;  // A folder that has no trash gets one. If not: kNotFound.
  // Called before each change of the disk; tests end the process there.
  std::function<void()> before_change = [] {};
};

class Trash {
 public:
  // `folder`: a real path. Completes what a killed process left. kUnavailable while another process
  // has this trash open; kFailedPrecondition if it is a link or no folder.
  static Result<std::unique_ptr<Trash>> Open(const std::string& folder,
                                             const TrashOptions& options = {});
  // Removes the trash itself if nothing is in it.
  ~Trash();
  Trash(const Trash&) = delete;
  Trash& operator=(const Trash&) = delete;

  // What is in the trash of a folder, by id; reads only. Nothing if there is no trash. An entry
  // whose record cannot be read is left out, and added to `notes`.
  static std::vector<TrashRecord> List(const std::string& folder,
                                       std::vector<std::string>* notes = nullptr);
  // The folders with a trash in and below `folder`, sorted. Links are not followed.
  static std::vector<std::string> Find(const std::string& folder);

  // Moves what `record` names, with the notes, into the trash. If it fails, everything is back, or
  // comes back at the next Open.
  Status Put(TrashRecord record);
  // Moves everything back. kAlreadyExists, with nothing moved, if something is at an old place.
  Status Restore(const std::string& id);
  // Moves the run of an entry to `to`, a real path that does not exist, on the same file system;
  // the entry is gone then. If it fails, the run is back at its old place.
  Status MoveOut(const std::string& id, const std::string& to);
  // Deletes an entry for good.
  Status Delete(const std::string& id);
  // Deletes what is left of entries whose deletion was interrupted.
  Status DeleteRest();

 private:
  Trash(std::string folder, int folder_fd, int trash_fd, TrashOptions options);
  Status Settle();
  Status WriteRecord(int entry, TrashRecord& record, TrashRecord::State state);
  Result<TrashRecord> ReadRecord(int entry, const std::string& id) const;
  Status MoveIn(int entry, const TrashRecord& record);
  // Moves back what is missing at its place. kAlreadyExists if something stays in the entry.
  Status PutBack(int entry, const TrashRecord& record);
  Status RemoveEntry(int entry, const std::string& id);
  std::string Where(const std::string& id) const;

  const std::string folder_;
  const int folder_fd_;
  const int trash_fd_;
  const TrashOptions options_;
};

// The trashes of several folders, each of which is opened once. One thread.
class OpenTrashes {
 public:
  explicit OpenTrashes(TrashOptions options = {}) : options_(std::move(options)) {}
  // As Trash::Open; it stays open while this object lives.
  const Result<std::unique_ptr<Trash>>& Of(const std::string& folder);

 private:
  const TrashOptions options_;
  std::map<std::string, Result<std::unique_ptr<Trash>>> opened_;  // By folder.
};

}  // namespace sightline
