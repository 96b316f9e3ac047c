// RunFinder: finds the runs in and below some directories, again and again. A directory that holds
// event files is a run.
//
// Each call of Find looks at all directories, unless the finder backs off or watches. It searches a
// directory for new ones only if the directory's stamp changed. Private to this folder. One thread.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_stamp.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/runs/source/directory_watch.h"
#include "sightline/runs/source/run_directories.h"

namespace sightline {

class RunFinder {
 public:
  // `back_off`: looks less often where nothing changes. A directory that changed t seconds ago is
  // due again after t / 10 seconds, at least 1 s and at most 5 s; with more than 500 directories,
  // at most as many seconds as there are hundreds of them.
  RunFinder(FileSystem& file_system, std::vector<std::string> roots, bool back_off = false,
            const Clock& clock = Clock::System());

  // From now on, looks only at directories that inotify reports as changed. Directories that cannot
  // be watched are looked at as if the finder backed off.
  void Watch();
  // See DirectoryWatch; -1 if nothing is watched.
  int descriptor() const { return watch_ == nullptr ? -1 : watch_->descriptor(); }

  // A run's root, by number, and its name below the root, in natural order. If roots overlap, a run
  // belongs to the first one.
  struct Key {
    std::size_t root = 0;
    std::string name;
    bool operator==(const Key&) const = default;
    std::strong_ordering operator<=>(const Key& other) const {
      return root != other.root ? root <=> other.root : CompareNaturally(name, other.name);
    }
  };
  struct Found {
    Key key;
    RunDirectory directory;
  };
  struct News {
    std::vector<Found> listed;  // The runs that were due, by key.
    std::vector<Key> gone;      // Those that were returned before and no longer exist.
    // Why a directory could not be listed; OK if all could. A directory below a root may disappear
    // or be unreadable. kResourceExhausted for more than 1,000,000 directories.
    Status status;
  };
  News Find();

  // Says what reading a listed run showed; until then the run stays due. `recording`: the run grows
  // in a journal, which leaves no trace in its directory, so it is always due.
  void Reschedule(const std::string& path, bool changed, bool recording);
  // Makes a run due.
  void LookAt(const std::string& path);
  // Whether Watch was called, and this directory cannot be watched.
  bool MissesChanges(const std::string& path) const;

  // The names of all runs of a root.
  std::set<std::string, std::less<>> Names(std::size_t root) const;

 private:
  struct Directory {
    Key key;
    int depth = 0;
    FileStamp stamp;  // Before it was last searched for new directories.
    bool is_run = false;
    bool watched = false;
    double changed_at = 0;  // When it was last seen to change.
    double due = 0;         // When Find looks at it again; changed by SetDue.
  };

  void TakeEvents();
  std::vector<std::string> TakeDue();
  void SetDue(Directory& directory, double due);
  void Walk(std::vector<std::string> paths, News& news);
  // Adds the directories that it finds to `paths`.
  void Look(const std::string& path, std::vector<std::string>& paths, News& news);
  Status List(const std::string& path, Directory& directory, std::vector<std::string>& paths,
              News& news);
  bool IsOwnAncestor(const std::string& path, const FileStamp& stamp) const;
  Status AddChildren(const std::string& path, const std::vector<std::string>& entries,
                     const RunDirectory& listed, std::vector<std::string>& paths);
  // Forgets a directory and all below it.
  void Forget(const std::string& path, News& news);
  bool WatchDirectory(const std::string& path);
  void Schedule(Directory& directory);

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  const bool back_off_;
  const Clock& clock_;
  double now_ = 0;
  double next_due_ = 0;                                        // No directory is due before.
  std::map<std::string, Directory, std::less<>> directories_;  // By path.
  std::unique_ptr<DirectoryWatch> watch_;
  std::map<std::string, std::string, std::less<>> watched_paths_;  // Paths by those of inotify.
};

}  // namespace sightline
