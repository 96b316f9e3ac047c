// SqliteFile: reads the tables of an SQLite database that anybody may have written.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto file, SqliteFile::Open(file_system, path));
//   Status status = file->Scan("STEP_TIME", {"id", "startNs"}, [&](const SqliteRow& row) {
//     use(row.Integer(0), row.Integer(1));
//   });
//
// Tables are read whole, in the order of their rows. Views, virtual tables, triggers and computed
// columns are not looked at, so nothing in the file runs. A table may give no more rows, and no
// more bytes, than the file can hold. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sightline {

class SqliteVfs;

// One row: its values in the order in which the columns were asked for. A column that the table
// does not have is NULL. Types are those of the values, whatever the table declares.
class SqliteRow {
 public:
  SqliteRow(sqlite3_stmt* statement, const std::vector<int>& places)
      : statement_(statement), places_(places) {}

  // The number in an integer, in the text of one, or in a float without a fraction.
  std::optional<std::int64_t> Integer(std::size_t column) const;
  // A finite number.
  std::optional<double> Number(std::size_t column) const;
  // Numbers as their text; empty for NULL and blobs. Valid until the next row.
  std::string_view Text(std::size_t column) const;

 private:
  sqlite3_stmt* statement_;
  const std::vector<int>& places_;  // -1: no such column.
};

class SqliteFile {
 public:
  using Table = std::vector<std::string>;  // The names of its columns.
  using Use = std::function<void(const SqliteRow&)>;

  // kInvalidArgument if the file is empty or not an SQLite database; kDataLoss if its schema is
  // damaged.
  static Result<std::unique_ptr<SqliteFile>> Open(FileSystem& file_system, const std::string& path);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  const std::map<std::string, Table, std::less<>>& tables() const { return tables_; }
  bool Has(std::string_view table) const { return tables_.contains(table); }

  // Calls `use` for each row. A table that is missing has no rows. After damage, kDataLoss with the
  // table's name and the number of rows before it.
  Status Scan(std::string_view table, const std::vector<std::string_view>& columns, const Use& use);
  // The number of rows.
  Result<std::uint64_t> Count(std::string_view table);

  // Tables that were never asked for, without a column, and columns of the others.
  struct Unread {
    std::string table, column;
  };
  std::vector<Unread> Unasked() const;

 private:
  SqliteFile() = default;
  Status Prepare(const std::string& sql, sqlite3_stmt** statement);
  Status ReadSchema();
  Status Damage(std::string_view what) const;

  std::unique_ptr<SqliteVfs> vfs_;
  sqlite3* connection_ = nullptr;
  std::map<std::string, Table, std::less<>> tables_;
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> asked_;
};

}  // namespace sightline
