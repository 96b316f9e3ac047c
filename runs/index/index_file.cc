#include "sightline/runs/index/index_file.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/runs/index/index_place.h"

namespace sightline {
namespace {

// Raise this with every change of the rows.
constexpr int kVersion = 13;
// In the file's header. A file without it is another program's.
constexpr int kApplicationId = 0x53674C69;  // "SgLi"
// The tables, in the order of their names, with the SQL that SQLite stores. Nothing else may be in
// the file: a view in place of a table may run for ever.
constexpr std::array kTables = {
    std::string_view("CREATE TABLE about(root BLOB)"),
    std::string_view(
        "CREATE TABLE contents(run BLOB, file INTEGER, bytes BLOB, PRIMARY KEY(run, file))"),
    std::string_view("CREATE TABLE parts(run BLOB, file INTEGER, name INTEGER, bytes BLOB, "
                     "PRIMARY KEY(run, file, name))"),
    std::string_view("CREATE TABLE runs(run BLOB PRIMARY KEY, summary BLOB)"),
};
// A statement that needs more steps of SQLite's machine is ended. Listing a million runs takes five
// million.
constexpr int kStepsBetweenLooks = 100'000;
constexpr int kMostLooks = 200;
constexpr int kWaitMillis = 1000;                 // For other processes.
constexpr std::size_t kLargestRow = 900'000'000;  // SQLite's limit is 10^9.

std::string Sealed(std::string_view run, std::string_view bytes) {
  std::string sealed;
  sealed.reserve(bytes.size() + sizeof(std::uint32_t));
  wire::AppendFixed(sealed, crc32c::Extend(crc32c::Value(run), bytes));
  sealed.append(bytes);
  return sealed;
}

std::optional<std::string> Opened(std::string_view run, std::string_view sealed) {
  std::uint32_t checksum = 0;
  if (sealed.size() < sizeof(checksum)) return std::nullopt;
  std::memcpy(&checksum, sealed.data(), sizeof(checksum));
  sealed.remove_prefix(sizeof(checksum));
  if (crc32c::Extend(crc32c::Value(run), sealed) != checksum) return std::nullopt;
  return std::string(sealed);
}

std::size_t LargestOf(const IndexFile::Row& row) {
  std::size_t largest = row.summary.size();
  for (const IndexFile::File& file : row.files) {
    largest = std::max(largest, file.contents.size());
    for (const PackedPart& part : file.parts) largest = std::max(largest, part.bytes.size());
  }
  return largest;
}

}  // namespace

// One use of a statement. The statement stays prepared for the next use.
class IndexFile::Statement {
 public:
  // `sql` must be a literal.
  Statement(IndexFile& file, std::string_view sql) : file_(file) {
    file.looks_ = 0;
    const auto known = file.statements_.find(sql);
    if (known != file.statements_.end()) {
      statement_ = known->second;
    } else if (file.database_ != nullptr) {
      const int size = static_cast<int>(sql.size());
      failure_ = sqlite3_prepare_v2(file.database_, sql.data(), size, &statement_, nullptr);
      if (failure_ == SQLITE_OK) file.statements_.emplace(sql, statement_);
    }
  }
  ~Statement() { Reset(); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void BindBlob(int at, std::string_view bytes) {
    if (statement_ != nullptr)
      sqlite3_bind_blob64(statement_, at, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  void Bind(int at, std::int64_t number) {
    if (statement_ != nullptr) sqlite3_bind_int64(statement_, at, number);
  }
  // Moves to the next row; false if there is none.
  bool Next() {
    if (statement_ == nullptr) return false;
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    failure_ = result;
    return false;
  }
  // Ends the use. True if the statement ran to its end without a failure.
  bool Finish() {
    Reset();
    return file_.database_ != nullptr && file_.Check(failure_);
  }
  std::string_view Bytes(int column) {
    const void* bytes = sqlite3_column_blob(statement_, column);
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  std::int64_t Number(int column) { return sqlite3_column_int64(statement_, column); }

 private:
  void Reset() {
    if (statement_ == nullptr) return;
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(std::exchange(statement_, nullptr));
  }

  IndexFile& file_;
  sqlite3_stmt* statement_ = nullptr;
  int failure_ = SQLITE_DONE;
};

IndexFile::IndexFile(std::string path, std::string root)
    : path_(std::move(path)), root_(std::move(root)), process_(getpid()) {
  static std::mutex opening;  // MakeIndexFile needs it.
  const std::lock_guard lock(opening);
  const auto place = MakeIndexFile(path_);
  if (!place) {
    note_ = place.error().message();
    return;
  }
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX;
  if (!Check(sqlite3_open_v2(place->c_str(), &database_, flags, nullptr))) return;
  sqlite3_busy_timeout(database_, kWaitMillis);
  sqlite3_progress_handler(
      database_, kStepsBetweenLooks,
      [](void* looks) { return ++*static_cast<int*>(looks) > kMostLooks ? 1 : 0; }, &looks_);
  for (const int feature : {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                            SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(database_, feature, 0, nullptr);
  // Without syncs a kill loses nothing; the checksums find what a power cut damages.
  if (!Recognize() || !Execute("PRAGMA synchronous=OFF; PRAGMA cell_size_check=ON")) return;
  if (!IsCurrent() && !MakeTables()) Close();
}

IndexFile::~IndexFile() {
  if (Usable()) Close();
}

void IndexFile::Close() {
  ForgetStatements();
  sqlite3_close(std::exchange(database_, nullptr));
}

void IndexFile::ForgetStatements() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  statements_.clear();
}

bool IndexFile::Usable() const { return database_ != nullptr && getpid() == process_; }

std::string IndexFile::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

bool IndexFile::Check(int result) {
  const int reason = result & 0xff;
  if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return true;
  if (reason == SQLITE_BUSY || reason == SQLITE_LOCKED) {
    sqlite3_busy_timeout(database_, 0);  // Do not wait for each run again.
    return false;
  }
  const bool helps =
      ours_ && (reason == SQLITE_CORRUPT || reason == SQLITE_NOTADB || reason == SQLITE_ERROR ||
                reason == SQLITE_MISMATCH || reason == SQLITE_INTERRUPT);
  if (note_.empty()) note_ = path_ + ": " + sqlite3_errstr(result) + "; it is not used";
  if (helps && database_ != nullptr) {
    const std::string note = std::exchange(note_, path_ + ": damaged; it was rebuilt");
    if (!Rebuild()) note_ = note;
  } else {
    Close();
  }
  return false;
}

bool IndexFile::Execute(const char* sql) {
  looks_ = 0;
  return database_ != nullptr && Check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr));
}

// This is the only way to empty a database that others may have open, damaged or not.
bool IndexFile::Rebuild() {
  ForgetStatements();
  looks_ = 0;
  sqlite3* const database = std::exchange(database_, nullptr);  // No second attempt.
  reading_ = false;
  sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
  const int result = sqlite3_exec(database, "VACUUM", nullptr, nullptr, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
  if (result != SQLITE_OK) {
    sqlite3_close(database);
    return false;
  }
  database_ = database;
  return MakeTables();
}

std::optional<std::int64_t> IndexFile::Number(std::string_view sql) {
  Statement statement(*this, sql);
  if (statement.Next()) return statement.Number(0);
  (void)statement.Finish();
  return std::nullopt;
}

bool IndexFile::Recognize() {
  const auto id = Number("PRAGMA application_id");
  // If it is empty, nobody loses anything.
  const auto parts =
      id == 0 ? Number("SELECT count(*) FROM sqlite_schema") : std::optional<std::int64_t>();
  ours_ = id == kApplicationId || parts == 0;
  if (ours_) return true;
  if (id && database_ != nullptr && note_.empty())
    note_ = path_ + " is not an index of Sightline; it is not used (delete it to have one)";
  Close();
  return false;
}

bool IndexFile::IsCurrent() {
  if (Number("PRAGMA application_id") != kApplicationId ||
      Number("PRAGMA user_version") != kVersion)
    return false;
  {
    Statement schema(*this, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name");
    for (const std::string_view table : kTables) {
      if (!schema.Next() || schema.Bytes(0) != table) return false;
    }
    if (schema.Next()) return false;
  }
  Statement root(*this, "SELECT root FROM about");
  return root.Next() && root.Bytes(0) == root_;
}

bool IndexFile::MakeTables() {
  if (!Execute("BEGIN IMMEDIATE")) return false;
  if (IsCurrent()) return End(true);  // Another process was quicker.
  if (Number("SELECT count(*) FROM sqlite_schema") != 0) {
    End(false);
    return database_ != nullptr && Rebuild();
  }
  for (const std::string_view table : kTables) {
    if (!Execute(std::string(table).c_str())) return End(false);
  }
  Statement about(*this, "INSERT INTO about VALUES(?)");
  about.BindBlob(1, root_);
  about.Next();
  if (!about.Finish()) return End(false);
  const std::string header = "PRAGMA user_version=" + std::to_string(kVersion) +
                             "; PRAGMA application_id=" + std::to_string(kApplicationId);
  return End(Execute(header.c_str()));
}

bool IndexFile::End(bool well) {
  if (well && Execute("COMMIT")) {
    // Rows are read and written once, so the 2 MB of pages that SQLite caches are of no use.
    sqlite3_db_release_memory(database_);
    return true;
  }
  if (database_ != nullptr) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  return false;
}

bool IndexFile::BeginReading() {
  if (!Usable()) return false;
  if (!reading_) reading_ = Execute("BEGIN");
  return reading_;
}

void IndexFile::EndReading() {
  const std::lock_guard lock(mutex_);
  EndReadingLocked();
}

void IndexFile::EndReadingLocked() {
  if (Usable() && std::exchange(reading_, false)) End(true);
}

std::optional<std::string> IndexFile::Summary(std::string_view run) {
  const std::lock_guard lock(mutex_);
  if (!BeginReading()) return std::nullopt;
  Statement statement(*this, "SELECT summary FROM runs WHERE run=?");
  statement.BindBlob(1, run);
  if (statement.Next()) return Opened(run, statement.Bytes(0));
  statement.Finish();
  return std::nullopt;
}

std::vector<std::string> IndexFile::Contents(std::string_view run) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> contents;
  if (!BeginReading()) return contents;
  Statement statement(*this, "SELECT file, bytes FROM contents WHERE run=? ORDER BY file");
  statement.BindBlob(1, run);
  while (statement.Next()) {
    auto bytes = Opened(run, statement.Bytes(1));
    if (!bytes || statement.Number(0) != static_cast<std::int64_t>(contents.size())) return {};
    contents.push_back(*std::move(bytes));
  }
  if (!statement.Finish()) contents.clear();
  return contents;
}

std::vector<std::string> IndexFile::Parts(std::string_view run, std::size_t file) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> parts;
  if (!BeginReading()) return parts;
  Statement statement(*this, "SELECT bytes FROM parts WHERE run=? AND file=? ORDER BY name");
  statement.BindBlob(1, run);
  statement.Bind(2, static_cast<std::int64_t>(file));
  while (statement.Next()) {
    auto bytes = Opened(run, statement.Bytes(0));
    if (!bytes) return {};
    parts.push_back(*std::move(bytes));
  }
  if (!statement.Finish()) parts.clear();
  return parts;
}

std::optional<std::string> IndexFile::Part(std::string_view run, std::size_t file,
                                           std::uint32_t name) {
  const std::lock_guard lock(mutex_);
  if (!BeginReading()) return std::nullopt;
  Statement statement(*this,
                      "SELECT bytes FROM parts WHERE run=? AND file=? AND name<=? "
                      "ORDER BY name DESC LIMIT 1");
  statement.BindBlob(1, run);
  statement.Bind(2, static_cast<std::int64_t>(file));
  statement.Bind(3, name);
  if (statement.Next()) return Opened(run, statement.Bytes(0));
  statement.Finish();
  return std::nullopt;
}

bool IndexFile::Forget(std::string_view run) {
  for (const char* sql : {"DELETE FROM parts WHERE run=?", "DELETE FROM contents WHERE run=?",
                          "DELETE FROM runs WHERE run=?"}) {
    Statement forget(*this, sql);
    forget.BindBlob(1, run);
    forget.Next();
    if (!forget.Finish()) return false;
  }
  return true;
}

bool IndexFile::WriteFile(std::string_view run, std::size_t number, const File& file) {
  const auto put = [&](std::string_view sql, const std::string& bytes,
                       std::optional<std::uint32_t> name) {
    const std::string sealed = Sealed(run, bytes);
    Statement statement(*this, sql);
    statement.BindBlob(1, run);
    statement.Bind(2, static_cast<std::int64_t>(number));
    statement.BindBlob(3, sealed);
    if (name) statement.Bind(4, *name);
    statement.Next();
    return statement.Finish();
  };
  if (!put("INSERT INTO contents VALUES(?1,?2,?3)", file.contents, std::nullopt)) return false;
  return std::all_of(file.parts.begin(), file.parts.end(), [&](const PackedPart& part) {
    return put("INSERT INTO parts VALUES(?1,?2,?4,?3)", part.bytes, part.first_name);
  });
}

bool IndexFile::WriteRow(const Row& row) {
  if (!Forget(row.run)) return false;
  for (std::size_t i = 0; i < row.files.size(); ++i) {
    if (!WriteFile(row.run, i, row.files[i])) return false;
  }
  const std::string sealed = Sealed(row.run, row.summary);
  Statement put(*this, "INSERT INTO runs VALUES(?,?)");
  put.BindBlob(1, row.run);
  put.BindBlob(2, sealed);
  put.Next();
  return put.Finish();
}

bool IndexFile::Write(std::size_t count, const std::function<Row(std::size_t)>& row) {
  const std::lock_guard lock(mutex_);
  EndReadingLocked();
  if (!Usable() || !Execute("BEGIN IMMEDIATE")) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Row next = row(i);
    if (LargestOf(next) > kLargestRow) continue;
    if (!WriteRow(next)) return End(false);
  }
  return End(true);
}

void IndexFile::KeepOnly(const std::set<std::string, std::less<>>& runs) {
  const std::lock_guard lock(mutex_);
  EndReadingLocked();
  if (!Usable()) return;
  std::set<std::string> gone;
  {
    Statement all(*this, "SELECT run FROM runs");
    while (all.Next()) {
      if (!runs.contains(all.Bytes(0))) gone.emplace(all.Bytes(0));
    }
    if (!all.Finish()) return;
  }
  if (gone.empty() || !Execute("BEGIN IMMEDIATE")) return;
  for (const std::string& run : gone) {
    if (!Forget(run)) {
      End(false);
      return;
    }
  }
  End(true);
}

}  // namespace sightline
