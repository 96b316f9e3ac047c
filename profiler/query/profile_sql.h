// SQL over the events of a profile, for the questions that no view answers.
//
//   ProfileSql sql(profile.model);
//   Status status = sql.Run("select name, sum(duration) from spans group by name", {
//       .row = [](std::span<const SqlValue> values) { ... }});
//
// The dialect is SQLite's. The tables are the model itself: nothing is copied, and nothing can be
// changed. A query may select, and call SQLite's functions; everything else is refused, such as
// ATTACH, PRAGMA and CREATE. Tables, columns and units: SqlTables. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

// What a query calls. Views are valid during the call.
struct SqlResult {
  std::function<void(const std::vector<std::string>&)> columns = {};  // Once, before the rows.
  std::function<void(std::span<const SqlValue>)> row = {};
};

struct SqlTable {
  std::string_view name;
  std::string_view columns;  // "time INTEGER, name TEXT"
  std::string_view what;
};

// The tables that a query may read.
std::span<const SqlTable> SqlTables();

class ProfileSql {
 public:
  // `model` must outlive it.
  explicit ProfileSql(const Model& model);
  ~ProfileSql();
  ProfileSql(const ProfileSql&) = delete;
  ProfileSql& operator=(const ProfileSql&) = delete;

  // Runs one statement. kInvalidArgument, with SQLite's words, if it cannot be run;
  // kResourceExhausted if memory runs out.
  Status Run(const std::string& query, const SqlResult& result);

 private:
  struct Database;
  std::unique_ptr<Database> database_;
};

}  // namespace sightline::profiler
