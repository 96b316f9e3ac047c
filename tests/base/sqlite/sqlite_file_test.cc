// Databases that are empty, foreign, damaged or forged.
#include "sightline/base/sqlite/sqlite_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "sightline/tests/support/made_database.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MadeDatabase;

Result<std::unique_ptr<SqliteFile>> OpenBytes(const std::string& bytes) {
  static testing::MemoryFileSystem files;
  files.Put("a.db", bytes);
  return SqliteFile::Open(files, "a.db");
}

std::string ManyRows() {
  return MadeDatabase(
      "CREATE TABLE T (n INTEGER, text TEXT);"
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)"
      "INSERT INTO T SELECT n, 'row ' || n FROM c;");
}

TEST(SqliteFile, GivesTheRowsOfATableWithTheColumnsThatItHas) {
  auto file = OpenBytes(MadeDatabase(
      "CREATE TABLE T (a, b); INSERT INTO T VALUES (1, 'x'), ('2', 3.5), (NULL, x'00');"));
  ASSERT_THAT(file, testing::IsOk());
  std::vector<std::string> rows;
  ASSERT_TRUE((*file)
                  ->Scan("T", {"b", "missing", "a"},
                         [&](const SqliteRow& row) {
                           EXPECT_FALSE(row.Integer(1));
                           rows.push_back(std::string(row.Text(0)) + "|" +
                                          std::to_string(row.Integer(2).value_or(-1)) + "|" +
                                          std::to_string(row.Number(0).value_or(-1)));
                         })
                  .ok());
  EXPECT_THAT(rows, ElementsAre("x|1|-1.000000", "3.5|2|3.500000", "|-1|-1.000000"));
}

TEST(SqliteFile, ATableThatIsMissingHasNoRows) {
  auto file = OpenBytes(MadeDatabase("CREATE TABLE T (a);"));
  ASSERT_THAT(file, testing::IsOk());
  EXPECT_EQ((*file)->Count("OTHER").value_or(1), 0);
}

TEST(SqliteFile, NamesWhatNobodyAskedFor) {
  auto file = OpenBytes(MadeDatabase("CREATE TABLE T (a, b); CREATE TABLE U (c);"));
  ASSERT_THAT(file, testing::IsOk());
  ASSERT_TRUE((*file)->Scan("T", {"a"}, [](const SqliteRow& /*row*/) {}).ok());
  std::vector<std::string> names;
  for (const SqliteFile::Unread& one : (*file)->Unasked())
    names.push_back(one.table + '.' + one.column);
  EXPECT_THAT(names, ElementsAre("T.b", "U."));
}

TEST(SqliteFile, AnEmptyFileIsRefused) {
  const auto file = OpenBytes("");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(file.error().message()), HasSubstr("empty"));
}

TEST(SqliteFile, WhatIsNoDatabaseIsRefused) {
  const auto file = OpenBytes(std::string(4096, 'x'));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(file.error().message()), HasSubstr("not an SQLite database"));
}

TEST(SqliteFile, ACutFileGivesTheRowsBeforeTheCut) {
  const std::string whole = ManyRows();
  for (std::size_t size = 100; size < whole.size(); size += 1000) {
    auto file = OpenBytes(whole.substr(0, size));
    if (!file) continue;
    std::uint64_t rows = 0;
    const Status status = (*file)->Scan("T", {"n"}, [&](const SqliteRow& /*row*/) { ++rows; });
    EXPECT_EQ(status.code(), StatusCode::kDataLoss) << size;
    EXPECT_LT(rows, 2000) << size;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::to_string(rows) + " rows"));
  }
}

TEST(SqliteFile, DamageOfAnyByteEndsSoon) {
  const std::string whole = ManyRows();
  for (std::size_t at = 0; at < whole.size(); at += 37) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    auto file = OpenBytes(damaged);
    if (!file) continue;
    std::uint64_t rows = 0;
    (void)(*file)->Scan("T", {"n", "text"}, [&](const SqliteRow& /*row*/) { ++rows; });
    EXPECT_LE(rows, whole.size());
  }
}

// Every inner page names the next one again and again, and the last one a page of rows.
TEST(SqliteFile, ATableGivesNoMoreRowsThanItsFileCanHold) {
  std::string bytes = MadeDatabase(
      "PRAGMA page_size=512; CREATE TABLE T (n);"
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9000)"
      "INSERT INTO T SELECT NULL FROM c;");
  constexpr std::size_t kPage = 512;
  constexpr char kInner = 5;
  std::vector<std::size_t> inner;  // The root of T is first.
  for (std::size_t page = kPage; page < bytes.size(); page += kPage)
    if (bytes[page] == kInner) inner.push_back(page);
  ASSERT_GT(inner.size(), 2U);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const std::size_t page = inner[i];
    const auto number = [&](std::size_t at) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])) << 8U |
             static_cast<unsigned char>(bytes[at + 1]);
    };
    const std::size_t cells = number(page + 3);
    std::string child = bytes.substr(page + number(page + 12), 4);
    if (i + 1 < inner.size()) {
      const std::size_t next = inner[i + 1] / kPage + 1;
      child = {0, 0, static_cast<char>(next >> 8U), static_cast<char>(next & 0xffU)};
    }
    for (std::size_t cell = 0; cell < cells; ++cell)
      bytes.replace(page + number(page + 12 + 2 * cell), 4, child);
    bytes.replace(page + 8, 4, child);
  }
  auto file = OpenBytes(bytes);
  ASSERT_THAT(file, testing::IsOk());
  std::uint64_t rows = 0;
  const Status status = (*file)->Scan("T", {"n"}, [&](const SqliteRow& /*row*/) { ++rows; });
  EXPECT_THAT(std::string(status.message()), HasSubstr("more rows than the file can hold"));
  EXPECT_GT(rows, 9000U);
  EXPECT_LE(rows, bytes.size());
}

TEST(SqliteFile, ManyTablesOnTheSamePagesAreNotAllRead) {
  const std::string bytes = MadeDatabase(
      "CREATE TABLE T (text);"
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 4000)"
      "INSERT INTO T SELECT printf('%200d', n) FROM c;"
      "PRAGMA writable_schema=ON;"
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)"
      "INSERT INTO sqlite_schema SELECT 'table', 'T' || n, 'T' || n, rootpage,"
      "'CREATE TABLE T' || n || ' (text)' FROM sqlite_schema, c WHERE name = 'T';");
  auto file = OpenBytes(bytes);
  ASSERT_THAT(file, testing::IsOk());
  ASSERT_EQ((*file)->tables().size(), 201U);
  std::uint64_t rows = 0;
  for (const auto& [table, columns] : (*file)->tables()) rows += (*file)->Count(table).value_or(0);
  EXPECT_GE(rows, 4000U);
  EXPECT_LT(rows, 20U * 4000);
}

TEST(SqliteFile, ViewsVirtualTablesAndComputedColumnsAreNotLookedAt) {
  auto file = OpenBytes(MadeDatabase(
      "CREATE TABLE T (a, b AS (abs(a))); INSERT INTO T VALUES (1);"
      "CREATE VIEW V AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
      "SELECT n FROM c;"));
  ASSERT_THAT(file, testing::IsOk());
  EXPECT_EQ((*file)->tables().size(), 1);
  EXPECT_THAT((*file)->tables().at("T"), ElementsAre("a"));
  EXPECT_EQ((*file)->Count("V").value_or(1), 0);
}

TEST(SqliteFile, ANameCannotBeAnotherStatement) {
  auto file = OpenBytes(MadeDatabase(R"(CREATE TABLE "a"";DROP" ("x"" FROM y" INTEGER);
      INSERT INTO "a"";DROP" VALUES (5);)"));
  ASSERT_THAT(file, testing::IsOk());
  std::int64_t value = 0;
  ASSERT_TRUE((*file)
                  ->Scan("a\";DROP", {"x\" FROM y"},
                         [&](const SqliteRow& row) { value = row.Integer(0).value_or(0); })
                  .ok());
  EXPECT_EQ(value, 5);
}

TEST(SqliteFile, ADatabaseWithAWriteAheadLogIsReadWithoutIt) {
  std::string bytes = MadeDatabase("CREATE TABLE T (a); INSERT INTO T VALUES (1);");
  bytes[18] = bytes[19] = 2;  // The format of a database that has one.
  auto file = OpenBytes(bytes);
  ASSERT_THAT(file, testing::IsOk());
  EXPECT_EQ((*file)->Count("T").value_or(0), 1);
}

}  // namespace
}  // namespace sightline
