// Databases made in memory by SQL.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <string_view>

namespace sightline::testing {

// The bytes of a database that these statements make.
inline std::string MadeDatabase(std::string_view sql) {
  sqlite3* connection = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &connection), SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(connection, std::string(sql).c_str(), nullptr, nullptr, &error);
  EXPECT_EQ(error, nullptr) << error;
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(connection, "main", &size, 0);
  std::string database(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_free(error);
  sqlite3_close(connection);
  return database;
}

}  // namespace sightline::testing
