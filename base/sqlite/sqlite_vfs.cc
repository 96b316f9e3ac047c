#include "sightline/base/sqlite/sqlite_vfs.h"

#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

namespace sightline {
namespace {

constexpr int kMaxPath = 64;
// Every table is read once, and the schema. The rest is room for pages that several tables share.
constexpr std::uint64_t kTimesItsSize = 8;
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 20U;

struct OpenedFile {
  sqlite3_file base;  // Must be first.
  SqliteVfs* owner;
};

int Close(sqlite3_file* /*file*/) { return SQLITE_OK; }
int RefuseWrite(sqlite3_file* /*file*/, const void* /*bytes*/, int /*count*/,
                sqlite3_int64 /*offset*/) {
  return SQLITE_READONLY;
}
int RefuseTruncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) { return SQLITE_READONLY; }
int Sync(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }
int Lock(sqlite3_file* /*file*/, int /*kind*/) { return SQLITE_OK; }
int IsReserved(sqlite3_file* /*file*/, int* is_reserved) {
  *is_reserved = 0;
  return SQLITE_OK;
}
int Control(sqlite3_file* /*file*/, int /*code*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
int SectorSize(sqlite3_file* /*file*/) { return 4096; }
int Characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_IMMUTABLE; }

int RefuseDelete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
  return SQLITE_IOERR_DELETE;
}
// There is no other file: no journal, no write-ahead log.
int Access(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* exists) {
  *exists = 0;
  return SQLITE_OK;
}
int FullPath(sqlite3_vfs* /*vfs*/, const char* name, int size, char* path) {
  return std::snprintf(path, static_cast<std::size_t>(size), "%s", name) < size ? SQLITE_OK
                                                                                : SQLITE_CANTOPEN;
}
// Nothing here depends on chance or on the time.
int Randomness(sqlite3_vfs* /*vfs*/, int count, char* bytes) {
  std::memset(bytes, 0, static_cast<std::size_t>(count));
  return count;
}
int Sleep(sqlite3_vfs* /*vfs*/, int /*microseconds*/) { return 0; }
int CurrentTime(sqlite3_vfs* /*vfs*/, double* days) {
  *days = 0;
  return SQLITE_OK;
}
int LastError(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*text*/) { return 0; }

}  // namespace

Result<std::unique_ptr<SqliteVfs>> SqliteVfs::Open(FileSystem& file_system,
                                                   const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  return std::unique_ptr<SqliteVfs>(new SqliteVfs(std::move(file), size));
}

SqliteVfs::SqliteVfs(std::unique_ptr<ReadableFile> file, std::uint64_t size)
    : file_(std::move(file)), size_(size), left_(kTimesItsSize * size + kFreeBytes) {
  // Unique among the objects that exist.
  name_ = "sightline " + std::to_string(reinterpret_cast<std::uintptr_t>(this));
  vfs_.iVersion = 1;
  vfs_.szOsFile = sizeof(OpenedFile);
  vfs_.mxPathname = kMaxPath;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = OpenFile;
  vfs_.xDelete = RefuseDelete;
  vfs_.xAccess = Access;
  vfs_.xFullPathname = FullPath;
  vfs_.xRandomness = Randomness;
  vfs_.xSleep = Sleep;
  vfs_.xCurrentTime = CurrentTime;
  vfs_.xGetLastError = LastError;
  sqlite3_vfs_register(&vfs_, 0);
}

SqliteVfs::~SqliteVfs() { sqlite3_vfs_unregister(&vfs_); }

int SqliteVfs::Connect(sqlite3** connection) {
  return sqlite3_open_v2("database", connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                         name_.c_str());
}

int SqliteVfs::OpenFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                        int* out_flags) {
  static constexpr sqlite3_io_methods kMethods = {.iVersion = 1,
                                                  .xClose = Close,
                                                  .xRead = Read,
                                                  .xWrite = RefuseWrite,
                                                  .xTruncate = RefuseTruncate,
                                                  .xSync = Sync,
                                                  .xFileSize = Size,
                                                  .xLock = Lock,
                                                  .xUnlock = Lock,
                                                  .xCheckReservedLock = IsReserved,
                                                  .xFileControl = Control,
                                                  .xSectorSize = SectorSize,
                                                  .xDeviceCharacteristics = Characteristics,
                                                  .xShmMap = nullptr,
                                                  .xShmLock = nullptr,
                                                  .xShmBarrier = nullptr,
                                                  .xShmUnmap = nullptr,
                                                  .xFetch = nullptr,
                                                  .xUnfetch = nullptr};
  file->pMethods = nullptr;
  if (name == nullptr || (flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  file->pMethods = &kMethods;
  reinterpret_cast<OpenedFile*>(file)->owner = static_cast<SqliteVfs*>(vfs->pAppData);
  if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  return SQLITE_OK;
}

int SqliteVfs::Read(sqlite3_file* file, void* buffer, int count, sqlite3_int64 offset) {
  SqliteVfs& self = *reinterpret_cast<OpenedFile*>(file)->owner;
  const std::span<char> bytes(static_cast<char*>(buffer), static_cast<std::size_t>(count));
  if (bytes.size() > self.left_) return SQLITE_IOERR_READ;
  self.left_ -= bytes.size();
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto read =
        self.file_->ReadAt(static_cast<std::uint64_t>(offset) + done, bytes.subspan(done));
    if (!read) return SQLITE_IOERR_READ;
    if (*read == 0) break;
    done += *read;
  }
  if (done == bytes.size()) return SQLITE_OK;
  std::memset(bytes.data() + done, 0, bytes.size() - done);
  // SQLite would take the zeros for the rest of a page that was cut off.
  return offset > 0 ? SQLITE_IOERR_READ : SQLITE_IOERR_SHORT_READ;
}

int SqliteVfs::Size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(reinterpret_cast<OpenedFile*>(file)->owner->size_);
  return SQLITE_OK;
}

}  // namespace sightline
