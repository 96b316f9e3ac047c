#include "sightline/profiler/query/profile_sql.h"

#include <sqlite3.h>

#include <new>
#include <string>

#include "sightline/profiler/query/profile_tables.h"

namespace sightline::profiler {
namespace {

// What SQLite's module for virtual tables needs of one table.
struct Source {
  ProfileRows* rows = nullptr;
  const TableRows* table = nullptr;
};

struct VirtualTable {
  sqlite3_vtab base{};  // SQLite's part; must be the first.
  Source source;
};

// In which order a cursor walks (sqlite3_index_info::idxNum).
enum Order : int { kAsStored = 0, kByName = 1, kByNameDescending = 2 };

struct Cursor {
  sqlite3_vtab_cursor base{};  // SQLite's part; must be the first.
  Source source;
  std::size_t at = 0;
  std::size_t count = 0;
  const std::uint32_t* order = nullptr;  // Of kByName.
  bool descending = false;

  std::size_t row() const {
    if (order == nullptr) return at;
    return order[descending ? count - 1 - at : at];
  }
};

Cursor& CursorOf(sqlite3_vtab_cursor* cursor) { return *reinterpret_cast<Cursor*>(cursor); }

int Connect(sqlite3* database, void* source, int /*argc*/, const char* const* /*argv*/,
            sqlite3_vtab** table, char** /*error*/) {
  const Source& from = *static_cast<const Source*>(source);
  try {
    const std::string schema = "CREATE TABLE x(" + std::string(from.table->table.columns) + ")";
    const int code = sqlite3_declare_vtab(database, schema.c_str());
    if (code != SQLITE_OK) return code;
    auto* const made = new VirtualTable;
    made->source = from;
    *table = &made->base;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

int Disconnect(sqlite3_vtab* table) {
  delete reinterpret_cast<VirtualTable*>(table);
  return SQLITE_OK;
}

// Rows that come in the order of their names need not be sorted for GROUP BY and ORDER BY.
int BestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
  constexpr double kRows = 1e6;
  const TableRows& rows = *reinterpret_cast<VirtualTable*>(table)->source.table;
  info->estimatedCost = kRows;
  info->idxNum = kAsStored;
  if (rows.name_column >= 0 && info->nOrderBy == 1 &&
      info->aOrderBy[0].iColumn == rows.name_column) {
    info->idxNum = info->aOrderBy[0].desc != 0 ? kByNameDescending : kByName;
    info->orderByConsumed = 1;
  }
  return SQLITE_OK;
}

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  auto* const made = new (std::nothrow) Cursor;
  if (made == nullptr) return SQLITE_NOMEM;
  made->source = reinterpret_cast<VirtualTable*>(table)->source;
  *cursor = &made->base;
  return SQLITE_OK;
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete &CursorOf(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* cursor, int order, const char* /*text*/, int /*argc*/,
           sqlite3_value** /*argv*/) {
  Cursor& walk = CursorOf(cursor);
  try {
    walk.at = 0;
    walk.count = walk.source.table->count(*walk.source.rows);
    walk.order = order == kAsStored ? nullptr : walk.source.rows->ByName().data();
    walk.descending = order == kByNameDescending;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

int Next(sqlite3_vtab_cursor* cursor) {
  ++CursorOf(cursor).at;
  return SQLITE_OK;
}

int Eof(sqlite3_vtab_cursor* cursor) {
  const Cursor& walk = CursorOf(cursor);
  return walk.at >= walk.count ? 1 : 0;
}

int Column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
  const Cursor& walk = CursorOf(cursor);
  walk.source.table->value(*walk.source.rows, walk.row(), column, context);
  return SQLITE_OK;
}

int RowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(CursorOf(cursor).row());
  return SQLITE_OK;
}

// A module without xCreate: its table is there without CREATE, and has the module's name.
sqlite3_module MakeModule() {
  sqlite3_module module{};
  module.xConnect = Connect;
  module.xBestIndex = BestIndex;
  module.xDisconnect = Disconnect;
  module.xOpen = Open;
  module.xClose = Close;
  module.xFilter = Filter;
  module.xNext = Next;
  module.xEof = Eof;
  module.xColumn = Column;
  module.xRowid = RowId;
  return module;
}

const sqlite3_module kModule = MakeModule();

int Authorize(void* /*data*/, int action, const char* /*a*/, const char* /*b*/, const char* /*c*/,
              const char* /*d*/) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ ||
                     action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

SqlValue ValueOf(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_NULL:
      return std::monostate();
    default: {  // A blob is given as its bytes.
      const auto* const text = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return text == nullptr ? std::string_view() : std::string_view(text, size);
    }
  }
}

class Statement {
 public:
  Statement() = default;
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  sqlite3_stmt** out() { return &statement_; }
  sqlite3_stmt* get() const { return statement_; }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

struct ProfileSql::Database {
  explicit Database(const Model& model) : rows(model) {}
  ~Database() { sqlite3_close(sqlite); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Status Refuse(int code) const {
    if (code == SQLITE_NOMEM)
      return {StatusCode::kResourceExhausted, "there is not enough memory for the query"};
    if (code == SQLITE_AUTH)
      return {StatusCode::kInvalidArgument, "a profile can only be read: use select"};
    return {StatusCode::kInvalidArgument, sqlite3_errmsg(sqlite)};
  }

  ProfileRows rows;
  std::vector<Source> sources;
  sqlite3* sqlite = nullptr;
};

ProfileSql::ProfileSql(const Model& model) : database_(std::make_unique<Database>(model)) {
  Database& database = *database_;
  if (sqlite3_open_v2(":memory:", &database.sqlite, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
    throw std::bad_alloc();
  const std::span<const TableRows> tables = AllTables();
  database.sources.reserve(tables.size());  // Modules point to the elements.
  for (const TableRows& table : tables) {
    database.sources.push_back({&database.rows, &table});
    const std::string name(table.table.name);
    if (sqlite3_create_module(database.sqlite, name.c_str(), &kModule, &database.sources.back()) !=
        SQLITE_OK)
      throw std::bad_alloc();
    // Connects the table now, which the authorizer would refuse as a CREATE TABLE.
    Statement statement;
    const std::string query = "select 1 from " + name;
    if (sqlite3_prepare_v2(database.sqlite, query.c_str(), -1, statement.out(), nullptr) !=
        SQLITE_OK)
      throw std::bad_alloc();
  }
  sqlite3_set_authorizer(database.sqlite, Authorize, nullptr);
}

ProfileSql::~ProfileSql() = default;

Status ProfileSql::Run(const std::string& query, const SqlResult& result) {
  const Database& database = *database_;
  Statement statement;
  const char* rest = nullptr;
  int code = sqlite3_prepare_v2(database.sqlite, query.c_str(), static_cast<int>(query.size() + 1),
                                statement.out(), &rest);
  if (code != SQLITE_OK) return database.Refuse(code);
  if (statement.get() == nullptr) return {StatusCode::kInvalidArgument, "the query is empty"};
  if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    return {StatusCode::kInvalidArgument, "the query is more than one statement"};

  const int columns = sqlite3_column_count(statement.get());
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) names.emplace_back(sqlite3_column_name(statement.get(), i));
  if (result.columns) result.columns(names);
  std::vector<SqlValue> values(names.size());
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    for (int i = 0; i < columns; ++i)
      values[static_cast<std::size_t>(i)] = ValueOf(statement.get(), i);
    if (result.row) result.row(values);
  }
  return code == SQLITE_DONE ? Status() : database.Refuse(code);
}

}  // namespace sightline::profiler
