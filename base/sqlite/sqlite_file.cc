#include "sightline/base/sqlite/sqlite_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sightline/base/parse_number.h"
#include "sightline/base/sqlite/sqlite_vfs.h"

namespace sightline {
namespace {

constexpr int kMaxValue = 16 << 20;
constexpr int kMaxStatement = 1 << 20;
constexpr int kMaxColumns = 500;
constexpr std::size_t kMaxTables = 1000;
// A row of a table takes at least its place in the page (2 bytes) and a header.
constexpr std::uint64_t kLeastRow = 4;
constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 10U;

// "TASK" -> "\"TASK\"", so that a name of the file cannot be anything else in a statement.
std::string Quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

// Statements of our own read tables and ask for their columns; nothing else is allowed.
int Authorize(void* /*context*/, int action, const char* first, const char* /*second*/,
              const char* /*database*/, const char* /*trigger*/) {
  if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
  constexpr std::array<std::string_view, 3> kPragmas = {"table_info", "cell_size_check",
                                                        "cache_size"};
  const bool is_known = action == SQLITE_PRAGMA && first != nullptr &&
                        std::find(kPragmas.begin(), kPragmas.end(), first) != kPragmas.end();
  return is_known ? SQLITE_OK : SQLITE_DENY;
}

void Restrict(sqlite3* connection) {
  for (const int option :
       {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        SQLITE_DBCONFIG_WRITABLE_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
    sqlite3_db_config(connection, option, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxValue);
  sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, kMaxStatement);
  sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, kMaxColumns);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_set_authorizer(connection, Authorize, nullptr);
}

struct Statement {
  Statement() = default;
  ~Statement() { sqlite3_finalize(handle); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  sqlite3_stmt* handle = nullptr;
};

std::string_view TextOf(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

std::optional<std::int64_t> WholeNumber(double number) {
  constexpr double kLimit = 9.2e18;
  if (!(number > -kLimit && number < kLimit) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

std::optional<std::int64_t> SqliteRow::Integer(std::size_t column) const {
  const int place = places_[column];
  if (place < 0) return std::nullopt;
  switch (sqlite3_column_type(statement_, place)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement_, place);
    case SQLITE_FLOAT:
      return WholeNumber(sqlite3_column_double(statement_, place));
    case SQLITE_TEXT:
      return ParseNumber<std::int64_t>(TextOf(statement_, place));
    default:
      return std::nullopt;
  }
}

std::optional<double> SqliteRow::Number(std::size_t column) const {
  const int place = places_[column];
  if (place < 0) return std::nullopt;
  const int type = sqlite3_column_type(statement_, place);
  std::optional<double> number;
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
    number = sqlite3_column_double(statement_, place);
  if (type == SQLITE_TEXT) number = ParseNumber<double>(TextOf(statement_, place));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string_view SqliteRow::Text(std::size_t column) const {
  const int place = places_[column];
  if (place < 0 || sqlite3_column_type(statement_, place) == SQLITE_BLOB) return {};
  return TextOf(statement_, place);
}

Result<std::unique_ptr<SqliteFile>> SqliteFile::Open(FileSystem& file_system,
                                                     const std::string& path) {
  std::unique_ptr<SqliteFile> file(new SqliteFile);
  SIGHTLINE_ASSIGN_OR_RETURN(file->vfs_, SqliteVfs::Open(file_system, path));
  if (file->vfs_->size() == 0) return Error(StatusCode::kInvalidArgument, "the file is empty");
  if (file->vfs_->Connect(&file->connection_) != SQLITE_OK)
    return Error(file->Damage("it cannot be opened"));
  Restrict(file->connection_);
  // A forged chain of pages leaves such a small cache, so that its length is counted by what is
  // read.
  for (const char* pragma : {"PRAGMA cell_size_check=1", "PRAGMA cache_size=64"})
    sqlite3_exec(file->connection_, pragma, nullptr, nullptr, nullptr);
  SIGHTLINE_RETURN_IF_ERROR(file->ReadSchema());
  return file;
}

SqliteFile::~SqliteFile() { sqlite3_close(connection_); }

Status SqliteFile::Damage(std::string_view what) const {
  if (sqlite3_errcode(connection_) == SQLITE_NOTADB)
    return {StatusCode::kInvalidArgument, "not an SQLite database, or an encrypted one"};
  return {StatusCode::kDataLoss,
          std::string(what) + ": SQLite says \"" + sqlite3_errmsg(connection_) + '"'};
}

Status SqliteFile::Prepare(const std::string& sql, sqlite3_stmt** statement) {
  if (sqlite3_prepare_v2(connection_, sql.c_str(), static_cast<int>(sql.size()), statement,
                         nullptr) == SQLITE_OK)
    return {};
  return Damage("the schema cannot be read");
}

Status SqliteFile::ReadSchema() {
  Statement schema;
  // Virtual tables have no pages of their own.
  SIGHTLINE_RETURN_IF_ERROR(Prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", &schema.handle));
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(schema.handle)) == SQLITE_ROW && tables_.size() < kMaxTables) {
    const std::string_view name = TextOf(schema.handle, 0);
    if (!name.starts_with("sqlite_")) tables_.emplace(name, Table());
  }
  if (result != SQLITE_DONE && result != SQLITE_ROW) return Damage("the schema cannot be read");
  for (auto& [name, columns] : tables_) {
    Statement info;
    SIGHTLINE_RETURN_IF_ERROR(Prepare("PRAGMA table_info(" + Quoted(name) + ")", &info.handle));
    while (sqlite3_step(info.handle) == SQLITE_ROW) columns.emplace_back(TextOf(info.handle, 1));
  }
  return {};
}

Status SqliteFile::Scan(std::string_view table, const std::vector<std::string_view>& columns,
                        const Use& use) {
  const auto found = tables_.find(table);
  if (found == tables_.end()) return {};
  auto& asked = asked_[found->first];
  std::string sql = "SELECT ";
  std::vector<int> places;
  int next = 0;
  for (const std::string_view column : columns) {
    asked.emplace(column);
    const Table& own = found->second;
    const bool has = std::find(own.begin(), own.end(), column) != own.end();
    places.push_back(has ? next++ : -1);
    if (has) sql += (next > 1 ? "," : "") + Quoted(column);
  }
  if (next == 0) sql += "1";
  Statement statement;
  SIGHTLINE_RETURN_IF_ERROR(Prepare(sql + " FROM " + Quoted(table), &statement.handle));
  const SqliteRow row(statement.handle, places);
  const std::uint64_t most = 2 * vfs_->size() + kFreeBytes;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  int result = SQLITE_ROW;
  for (; bytes <= most && (result = sqlite3_step(statement.handle)) == SQLITE_ROW; ++rows) {
    bytes += kLeastRow;
    for (int i = 0; i < next; ++i) {
      const int type = sqlite3_column_type(statement.handle, i);
      if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        bytes += static_cast<std::uint64_t>(sqlite3_column_bytes(statement.handle, i));
    }
    use(row);
  }
  if (result == SQLITE_DONE) return {};
  const std::string place =
      "table " + std::string(table) + ", after " + std::to_string(rows) + " rows";
  if (result != SQLITE_ROW) return Damage(place);
  return {StatusCode::kDataLoss, place + ": it has more rows than the file can hold"};
}

Result<std::uint64_t> SqliteFile::Count(std::string_view table) {
  std::uint64_t rows = 0;
  SIGHTLINE_RETURN_IF_ERROR(Scan(table, {}, [&](const SqliteRow& /*row*/) { ++rows; }));
  return rows;
}

std::vector<SqliteFile::Unread> SqliteFile::Unasked() const {
  std::vector<Unread> names;
  for (const auto& [table, columns] : tables_) {
    const auto asked = asked_.find(table);
    if (asked == asked_.end()) {
      names.push_back({table, ""});
      continue;
    }
    for (const std::string& column : columns) {
      if (!asked->second.contains(column)) names.push_back({table, column});
    }
  }
  return names;
}

}  // namespace sightline
