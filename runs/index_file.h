// IndexFile: what was read of runs, on disk: bytes by the name of a run, in an SQLite database.
// Private to this folder.
//
// It is a cache: whatever is wrong with it - damaged, of another version, of another root, held
// by somebody for long, on a disk that is full - it then knows nothing, and is emptied where that
// helps. Every row has a checksum over its name and bytes, so that what it gives is what was
// written. Any number of processes may use one file, and be killed at any moment.
//
// Callable from any thread; threads take turns. A child that a process forks finds nothing in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace sightline {

class IndexFile {
 public:
  // The file `path` of the runs below `root`; made where there is none.
  IndexFile(std::string path, std::string root);
  ~IndexFile();
  IndexFile(const IndexFile&) = delete;
  IndexFile& operator=(const IndexFile&) = delete;

  // Nothing where there is no sound row. Others wait for a moment to write until EndReading.
  std::optional<std::string> Summary(std::string_view run);
  std::vector<std::string> Contents(std::string_view run);  // By the number of the file.
  void EndReading();

  struct Row {
    std::string run;
    std::string summary;
    std::vector<std::string> contents;
  };
  // Puts row(0) .. row(count - 1) in place of what there was, all or none of them.
  void Write(std::size_t count, const std::function<Row(std::size_t)>& row);
  // Forgets all runs that are not among these.
  void KeepOnly(const std::set<std::string, std::less<>>& runs);

  // That it was found unusable, and why; empty where nothing is to be said.
  std::string note() const;

 private:
  class Statement;

  bool Usable() const;
  bool BeginReading();
  void EndReadingLocked();
  bool Execute(const char* sql);
  // Ends a writing transaction: takes it back where `well` is false, or it cannot be ended.
  bool End(bool well);
  // `result`: of SQLite. False, and what helps was done, where it is a failure.
  bool Check(int result);
  bool IsOurs();
  bool MakeTables();
  void Empty();
  void Close();
  void ForgetStatements();
  bool WriteRow(const Row& row);
  bool Forget(std::string_view run);

  const std::string path_;
  const std::string root_;
  const pid_t process_;
  mutable std::mutex mutex_;
  sqlite3* database_ = nullptr;
  std::map<std::string_view, sqlite3_stmt*> statements_;  // By their text.
  bool reading_ = false;
  std::string note_;
};

}  // namespace sightline
