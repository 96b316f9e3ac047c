// SqliteVfs: lets SQLite read one file of a FileSystem, and nothing else.
//
// SQLite sees a file that cannot change. It takes no lock, looks for no journal and creates nothing
// beside the file. It may read a few times the file's size; a damaged or forged file that sends it
// through the same pages again and again ends with an error.
//
// One thread at a time. The connection must be closed before the object is destroyed.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

class SqliteVfs {
 public:
  static Result<std::unique_ptr<SqliteVfs>> Open(FileSystem& file_system, const std::string& path);
  ~SqliteVfs();
  SqliteVfs(const SqliteVfs&) = delete;
  SqliteVfs& operator=(const SqliteVfs&) = delete;

  // Opens a connection to the file. The caller closes it, also after an error.
  int Connect(sqlite3** connection);
  std::uint64_t size() const { return size_; }

 private:
  SqliteVfs(std::unique_ptr<ReadableFile> file, std::uint64_t size);

  static int OpenFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                      int* out_flags);
  static int Read(sqlite3_file* file, void* buffer, int count, sqlite3_int64 offset);
  static int Size(sqlite3_file* file, sqlite3_int64* size);

  std::unique_ptr<ReadableFile> file_;
  std::uint64_t size_;
  std::uint64_t left_;  // Bytes that may still be read.
  std::string name_;
  sqlite3_vfs vfs_{};
};

}  // namespace sightline
