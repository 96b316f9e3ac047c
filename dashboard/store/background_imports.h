// BackgroundImports: reads large files for requests that must not wait for it, on threads of its
// own at a low priority. A request starts an import, or finds the one that runs, and gets its
// progress at once; a later request gets the result.
//
//   constexpr ImportKind<Trace> kTraces{"trace", 2};
//   if (auto known = imports.Find(kTraces, id)) return *known;  // A trace, an error, or progress.
//   return imports.Start(kTraces, id, [path](ImportFiles& files) { return ReadTrace(files, path);
//   });
//
// - There is one import for each kind and id, no matter how many requests ask for it.
// - Each request for an import that runs keeps it alive. If nobody asks for `patience`, its next
//   read fails and its result is dropped. Stop() does the same to all imports.
// - The results that were asked for last stay in memory: `held` of each kind, where imports that
//   run count as well. Nothing is dropped before somebody got it, except after `patience`.
// - A result is dropped when a file that was read for it has changed. An error is given to
//   everybody who asks until a file changes, but for `failure_time` at most: it may come from the
//   machine and not from the file.
//
// May be called from any thread. No call waits for a read, except Stop(); Find() compares the sizes
// and times of the files.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/importing/import_files.h"
#include "sightline/base/status.h"

namespace sightline::dashboard {

// What a request gets: a value, or the progress of its import.
template <typename T>
struct Opened {
  std::shared_ptr<const T> value;  // Null while the import runs.
  ImportProgress progress;
};

// Imports with results of type T. `name` distinguishes the kind from others; it must be a literal.
template <typename T>
struct ImportKind {
  std::string_view name;
  std::size_t held = 1;  // How many results stay in memory.
};

// One processor less than there are, so that one is left for requests; 1 to 4.
std::size_t DefaultImportsAtOnce();

struct ImportOptions {
  std::size_t at_once = DefaultImportsAtOnce();  // Further imports wait for their turn.
  std::chrono::seconds patience{10};
  std::chrono::seconds failure_time{60};
  const Clock* clock = &Clock::System();
};

class BackgroundImports {
 public:
  // `files` and the options' clock must outlive this object.
  explicit BackgroundImports(FileSystem& files, ImportOptions options = {});
  ~BackgroundImports();  // Stops.
  BackgroundImports(const BackgroundImports&) = delete;
  BackgroundImports& operator=(const BackgroundImports&) = delete;

  // The result, the error or the progress of an import that was started; no value if there is none.
  template <typename T>
  std::optional<Result<Opened<T>>> Find(const ImportKind<T>& kind, const std::string& id) {
    auto found = FindAny({kind.name, id});
    if (!found) return std::nullopt;
    return Typed<T>(*std::move(found));
  }

  // Starts an import, unless Find() would find one; then it returns the same as Find(). `read` is
  // called as `Result<std::shared_ptr<const T>> read(ImportFiles&)` on another thread. kUnavailable
  // after Stop().
  template <typename T, typename Read>
  Result<Opened<T>> Start(const ImportKind<T>& kind, const std::string& id, Read read) {
    return Typed<T>(StartAny({kind.name, id}, kind.held,
                             [read = std::move(read)](ImportFiles& files) -> Result<AnyValue> {
                               SIGHTLINE_ASSIGN_OR_RETURN(std::shared_ptr<const T> value,
                                                          read(files));
                               return AnyValue(std::move(value));
                             }));
  }

  // Cancels all imports, and returns after the last one has ended.
  void Stop();

 private:
  using AnyValue = std::shared_ptr<const void>;
  using AnyRead = std::function<Result<AnyValue>(ImportFiles&)>;
  using Key = std::pair<std::string_view, std::string>;  // Name of the kind, id.
  struct Import;
  using ImportPtr = std::shared_ptr<Import>;

  template <typename T>
  static Result<Opened<T>> Typed(Result<Opened<void>> any) {
    if (!any) return Error(std::move(any).error());
    return Opened<T>{std::static_pointer_cast<const T>(std::move(any->value)), any->progress};
  }

  std::optional<Result<Opened<void>>> FindAny(const Key& key);
  Result<Opened<void>> StartAny(const Key& key, std::size_t held, AnyRead read);

  // These require the mutex.
  ImportPtr Lookup(const Key& key);
  bool IsExpired(const Import& import) const;
  // Cancels the import if nobody asks for it or after Stop(). Returns whether it is cancelled.
  bool CancelIfDue(Import& import);
  ImportPtr NextWaiting();
  std::vector<ImportPtr> TakeDropped();
  static Result<Opened<void>> ResultOf(Import& import);

  void ThreadMain();
  static Result<AnyValue> Run(Import& import);

  FileSystem& files_;
  const ImportOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::list<ImportPtr> imports_;     // The one that was asked for last comes first.
  std::deque<ImportPtr> waiting_;    // Those of imports_ that have not started, in order.
  std::vector<ImportPtr> outdated_;  // To be destroyed on an import thread: it may take long.
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;  // How many of threads_ wait for an import.
};

}  // namespace sightline::dashboard
