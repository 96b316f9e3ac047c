// Catalog: the runs beneath the served directories, and what became of them since. A poll looks at
// each directory's and file's time and size - often where something grows, seldom where nothing
// does - and reads what was appended when something changed (run_follower.h).
//
//   Catalog catalog(file_system, {"/home/u/output"});
//   catalog.Start([&](const CatalogChanges& changes) { Tell(changes); });
//   for (const CatalogRun& run : catalog.snapshot()->runs) Show(run.id, *run.run);
//
// snapshot() may be called from any thread; what it gives is immutable. Poll from one at a time,
// and not once Start was called.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/runs/run.h"
#include "sightline/runs/run_follower.h"

namespace sightline::dashboard {

struct CatalogRun {
  std::string id;  // Its path below the root; with several roots "<root's number>:<path>".
  std::shared_ptr<const Run> run;
  RunState state = RunState::kEnded;
  std::uint64_t points = 0;     // Of all series.
  std::uint64_t nonfinite = 0;  // NaN and infinities of all scalars.
  std::uint64_t damage = 0;     // Regions skipped, and files that could not be read to their end.
  std::string objective;        // The tag of its loss; empty where nothing is called so.
};

struct CatalogSnapshot {
  std::uint64_t generation = 0;
  bool loading = true;
  std::vector<CatalogRun> runs;  // By id.

  const CatalogRun* Find(std::string_view id) const;
};

struct CatalogChange {
  enum class What : std::uint8_t { kNew, kGrew, kChanged, kState, kGone };
  std::string id;
  What what = What::kNew;
};
struct CatalogChanges {
  std::uint64_t generation = 0;
  bool loading = false;
  std::vector<CatalogChange> runs;
};

class Catalog {
 public:
  using Listener = std::function<void(const CatalogChanges&)>;

  // `roots` as the file system spells them; it must outlive the catalog.
  Catalog(FileSystem& file_system, std::vector<std::string> roots);
  ~Catalog();  // Stops.
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  std::shared_ptr<const CatalogSnapshot> snapshot() const;

  // Looks at what is due at `now` (seconds since the Unix epoch). The listener hears of each
  // snapshot that differs from the one before; while much is opened for the first time there are
  // several.
  void Poll(double now, const Listener& listener);

  // Polls from a thread of its own, every second, until Stop. kResourceExhausted where the system
  // has no thread to give.
  Status Start(Listener listener);
  void Stop();

 private:
  struct Directory {
    std::string id;
    int depth = 0;
    double modified = -1;
    double next_look = 0;
    double changed_at = 0;  // When something was last seen to change.
    double next_open = 0;
    double open_seconds = 0;  // What opening its run took the last time.
    bool dirty = false;       // Changed, to be opened once `next_open` is there.
    std::string stamp;        // Names, sizes and times of the files that make up the run.
    std::vector<std::string> files;
    std::optional<RunFollower> follower;  // Of its run, once one was found.
  };

  void Look(const std::string& path, Directory& directory, double now);
  // `children`: also directories that are new.
  void ListDirectory(const std::string& path, Directory& directory, bool children, double now);
  std::string StampOf(const std::string& path, const Directory& directory, double& newest) const;
  void OpenDirty(double now, const Listener& listener);
  void NoteStates(double now, CatalogChanges& changes);
  void Publish(CatalogChanges& changes, bool loading, const Listener& listener);

  FileSystem& file_system_;
  const std::vector<std::string> roots_;
  std::map<std::string, Directory> directories_;  // By path.
  std::vector<std::string> removed_;
  std::map<std::string, CatalogRun> runs_;  // By id.
  std::uint64_t generation_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<const CatalogSnapshot> snapshot_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::dashboard
