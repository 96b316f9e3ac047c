// The texts of a database: its tables have the numbers of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sightline/base/sqlite/sqlite_file.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

class DatabaseNames {
 public:
  // STRING_IDS.
  Status Read(SqliteFile& file, ModelBuilder& builder);
  // kNoName if there is no such number.
  NameId Find(std::optional<std::int64_t> number) const {
    const auto found = number ? names_.find(*number) : names_.end();
    return found != names_.end() ? found->second : kNoName;
  }

 private:
  std::unordered_map<std::int64_t, NameId> names_;
};

// A table like ENUM_MODULE (id, name).
class EnumNames {
 public:
  Status Read(SqliteFile& file, std::string_view table);
  // The number itself if it has no name.
  std::string Find(std::optional<std::int64_t> number) const;

 private:
  std::map<std::int64_t, std::string> names_;
};

// `first` stays the first error; the other tables are read all the same.
inline void KeepFirst(Status& first, Status status) {
  if (first.ok()) first = std::move(status);
}

}  // namespace sightline::profiler
