// IndexFile: stores bytes by the name of a run, in an SQLite database. Private to this folder.
//
// It is a cache. If the file is damaged, of another version or of another root, if another process
// holds it for more than a second, or if the disk is full, it returns nothing; if that helps, it is
// emptied. Every row has a checksum over its name and bytes, so it returns only what was written.
// A file that is not an index, or that somebody else could have put there, is neither used nor
// changed.
// Any number of processes may use one file, and may be killed at any moment.
//
// Callable from any thread; threads take turns. In a forked child it is empty.
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

#include "sightline/runs/index/packed_series.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sightline {

class IndexFile {
 public:
  // Opens the index at `path` of the runs below `root`; makes it if it does not exist.
  IndexFile(std::string path, std::string root);
  ~IndexFile();
  IndexFile(const IndexFile&) = delete;
  IndexFile& operator=(const IndexFile&) = delete;

  // Return nothing if there is no sound row. Other processes cannot write until EndReading.
  std::optional<std::string> Summary(std::string_view run);
  std::vector<std::string> Contents(std::string_view run);  // In the order of the files' numbers.
  // All parts of a file, in their order; and the one that has the series of `name`, if there is
  // any.
  std::vector<std::string> Parts(std::string_view run, std::size_t file);
  std::optional<std::string> Part(std::string_view run, std::size_t file, std::uint32_t name);
  void EndReading();

  struct File {
    std::string contents;
    std::vector<PackedPart> parts;
  };
  struct Row {
    std::string run;
    std::string summary;
    std::vector<File> files;
  };
  // Replaces the rows of these runs by row(0) .. row(count - 1): all of them, or none (false).
  bool Write(std::size_t count, const std::function<Row(std::size_t)>& row);
  // Forgets all runs except these.
  void KeepOnly(const std::set<std::string, std::less<>>& runs);

  // Says that the file could not be used, and why; empty if all is well.
  std::string note() const;

 private:
  class Statement;

  bool Usable() const;
  bool BeginReading();
  void EndReadingLocked();
  bool Execute(const char* sql);
  // Ends a transaction. Rolls it back if `well` is false, or if it cannot be committed.
  bool End(bool well);
  // False if `result`, from SQLite, is a failure. Then it empties or closes the database,
  // whichever helps.
  bool Check(int result);
  // The first column of the first row; nothing if there is none.
  std::optional<std::int64_t> Number(std::string_view sql);
  // Closes the database unless it is an index, of whatever version, or empty.
  bool Recognize();
  // Whether it has this version, this root, and the tables of an index and nothing else.
  bool IsCurrent();
  bool MakeTables();
  // Empties the database and makes the tables again.
  bool Rebuild();
  void Close();
  void ForgetStatements();
  bool WriteRow(const Row& row);
  bool WriteFile(std::string_view run, std::size_t number, const File& file);
  bool Forget(std::string_view run);

  const std::string path_;
  const std::string root_;
  const pid_t process_;
  mutable std::mutex mutex_;
  sqlite3* database_ = nullptr;
  std::map<std::string_view, sqlite3_stmt*> statements_;  // By SQL text.
  bool ours_ = false;                                     // Only then it may be emptied.
  int looks_ = 0;  // Of SQLite's progress handler for this statement.
  bool reading_ = false;
  std::string note_;
};

}  // namespace sightline
