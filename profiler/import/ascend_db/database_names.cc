#include "sightline/profiler/import/ascend_db/database_names.h"

namespace sightline::profiler {

Status DatabaseNames::Read(SqliteFile& file, ModelBuilder& builder) {
  return file.Scan("STRING_IDS", {"id", "value"}, [&](const SqliteRow& row) {
    if (const auto number = row.Integer(0))
      names_.insert_or_assign(*number, builder.Intern(row.Text(1)));
  });
}

Status EnumNames::Read(SqliteFile& file, std::string_view table) {
  return file.Scan(table, {"id", "name"}, [&](const SqliteRow& row) {
    if (const auto number = row.Integer(0)) names_.insert_or_assign(*number, row.Text(1));
  });
}

std::string EnumNames::Find(std::optional<std::int64_t> number) const {
  if (!number) return {};
  const auto found = names_.find(*number);
  return found != names_.end() ? found->second : std::to_string(*number);
}

}  // namespace sightline::profiler
