// What somebody may put in the place of an index (index_place.h, index_file.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::ReadFileOrDie;
using testing::TempDir;
using testing::TensorBoardScalar;
using testing::WriteFileOrDie;

void Execute(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  sqlite3_close(database);
}

std::int64_t NumberFrom(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  const std::int64_t number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return number;
}

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & ALLPERMS;
}

class HostileIndexTest : public ::testing::Test {
 protected:
  HostileIndexTest() {
    files_.Put(std::string("root/a/") + testing::kTensorBoardName, TensorBoardScalar("loss", 1, 1));
    Use();
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) file_ = entry.path();
  }

  // Opens the runs with the index, shows them, and writes the index. Returns the notes.
  std::vector<std::string> Use() {
    auto group = RunGroup::Open({"root"}, {.file_system = &files_, .index_folder = folder_});
    EXPECT_THAT(group, IsOk());
    EXPECT_FALSE(group->runs().empty());
    for (const auto& run : group->runs()) EXPECT_THAT(testing::Text(*run), HasSubstr("loss"));
    return group->WriteIndex();
  }
  void ExpectUnused(const std::string& why) {
    const auto notes = Use();
    ASSERT_EQ(notes.size(), 1U) << why;
    EXPECT_THAT(notes[0], HasSubstr(why));
    EXPECT_THAT(notes[0], HasSubstr("not used"));
  }

  testing::MemoryFileSystem files_;
  TempDir dir_;
  const std::string folder_ = dir_.File("index");
  std::string file_;
};

TEST_F(HostileIndexTest, TheFolderAndTheFileArePrivate) {
  EXPECT_EQ(ModeOf(folder_), 0700U);
  EXPECT_EQ(ModeOf(file_), 0600U);
  ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  EXPECT_THAT(Use(), ::testing::IsEmpty());
  EXPECT_EQ(ModeOf(file_), 0600U) << "a file of an earlier version";
}

TEST_F(HostileIndexTest, ALinkDoesNotLeadToAnotherFile) {
  const std::string empty = dir_.File("empty");
  const std::string text = dir_.File("text");
  const std::string database = dir_.File("database");
  const auto make = [&] {
    WriteFileOrDie(empty, "");
    WriteFileOrDie(text, "my only copy");
    std::filesystem::remove(database);
    Execute(database, "CREATE TABLE runs(mine); INSERT INTO runs VALUES(1)");
  };
  make();
  for (const std::string& victim : {empty, text, database}) {
    const std::string before = ReadFileOrDie(victim);
    std::filesystem::remove(file_);
    std::filesystem::create_symlink(victim, file_);
    ExpectUnused("is not a regular file");
    std::filesystem::remove(file_);
    std::filesystem::create_hard_link(victim, file_);
    ExpectUnused("hard link");
    EXPECT_EQ(ReadFileOrDie(victim), before);
  }
  std::filesystem::remove(file_);
  std::filesystem::create_symlink(dir_.File("none"), file_);
  ExpectUnused("is not a regular file");
  EXPECT_FALSE(std::filesystem::exists(dir_.File("none")));
}

TEST_F(HostileIndexTest, APipeDoesNotHang) {
  std::filesystem::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  ExpectUnused("is not a regular file");
}

TEST_F(HostileIndexTest, AFileOfAnotherProgramStaysAsItIs) {
  WriteFileOrDie(file_, "my only copy");
  ExpectUnused(file_);
  EXPECT_EQ(ReadFileOrDie(file_), "my only copy");
  std::filesystem::remove(file_);
  Execute(file_, "CREATE TABLE runs(mine); INSERT INTO runs VALUES(1); PRAGMA user_version=5");
  const std::string database = ReadFileOrDie(file_);
  ExpectUnused("is not an index");
  EXPECT_EQ(ReadFileOrDie(file_), database);
  std::filesystem::remove(file_);
  Execute(file_, "PRAGMA application_id=7; PRAGMA user_version=5");
  ExpectUnused("is not an index");
}

TEST_F(HostileIndexTest, AFolderThatOthersCanWriteIsNotUsed) {
  for (const mode_t mode : {0777U, 01777U, 0770U}) {
    ASSERT_EQ(chmod(folder_.c_str(), mode), 0);
    ExpectUnused("can be written by other users");
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  EXPECT_THAT(Use(), ::testing::IsEmpty());
}

TEST_F(HostileIndexTest, AFileOrFolderOfAnotherUserIsNotUsed) {
  // Only root can give a file away. Others try a folder of root's.
  if (geteuid() != 0) {
    auto group = RunGroup::Open({"root"}, {.file_system = &files_, .index_folder = "/usr"});
    ASSERT_THAT(group, IsOk());
    EXPECT_THAT(group->WriteIndex().at(0), HasSubstr("belongs to another user"));
    return;
  }
  constexpr uid_t kSomebody = 65534;
  ASSERT_EQ(lchown(file_.c_str(), kSomebody, kSomebody), 0);
  ExpectUnused("belongs to another user");
  ASSERT_EQ(lchown(file_.c_str(), 0, 0), 0);
  ASSERT_EQ(lchown(folder_.c_str(), kSomebody, kSomebody), 0);
  ExpectUnused("belongs to another user");
}

TEST_F(HostileIndexTest, TheFolderMayBeReachedByALink) {
  const std::string real = dir_.File("real");
  std::filesystem::rename(folder_, real);
  std::filesystem::create_symlink(real, folder_);
  EXPECT_THAT(Use(), ::testing::IsEmpty());
}

TEST_F(HostileIndexTest, WhatIsNotAPlainTableIsThrownAway) {
  // Each of these ran for ever, or would.
  const std::string forever =
      " AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT ";
  for (const std::string& sql : {
           "DROP TABLE about; CREATE VIEW about" + forever +
               "CAST(x AS BLOB) AS root FROM c "
               "WHERE x<0",
           "DROP TABLE runs; CREATE VIEW runs" + forever +
               "x AS run, x AS summary FROM c WHERE x<0",
           "CREATE VIEW more" + forever + "x FROM c",
           std::string("CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM contents; END"),
           std::string("CREATE TRIGGER more BEFORE DELETE ON runs BEGIN INSERT INTO runs SELECT "
                       "zeroblob(1000), 1; END"),
           std::string("CREATE TABLE more(x)"),
       }) {
    Use();
    Execute(file_, sql);
    Use();
    EXPECT_THAT(Use(), ::testing::IsEmpty()) << sql;
    Execute(file_, "DELETE FROM contents");
    EXPECT_EQ(NumberFrom(file_,
                         "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%more%' OR "
                         "type='view'"),
              0)
        << sql;
  }
}

// An interior page of an index with `cells` keys, in SQLite's file format. The page below each key
// is `child`, the last one is `last`.
std::string InteriorPage(std::size_t cells, std::size_t child, std::size_t last, std::size_t size) {
  constexpr std::size_t kCell = 8;
  const auto fixed = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
  };
  const std::size_t content = size - cells * kCell;
  std::string page = fixed(2, 1) + fixed(0, 2) + fixed(cells, 2) + fixed(content, 2) + fixed(0, 1) +
                     fixed(last, 4);
  for (std::size_t i = 0; i < cells; ++i) page += fixed(content + i * kCell, 2);
  page.resize(content);
  // A key of 3 bytes, of the types "blob of 0 bytes" and "0".
  for (std::size_t i = 0; i < cells; ++i) page += fixed(child, 4) + fixed(0x03'03'0c'08, 4);
  return page;
}

TEST_F(HostileIndexTest, AListThatNeverEndsIsEnded) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kCells = 408;
  std::string bytes = ReadFileOrDie(file_);
  const auto root = static_cast<std::size_t>(
      NumberFrom(file_, "SELECT rootpage FROM sqlite_schema WHERE name='sqlite_autoindex_runs_1'"));
  const std::size_t pages = bytes.size() / kPage;
  const std::string leaf = bytes.substr((root - 1) * kPage, kPage);
  // Beside the page of the index, now a leaf, five levels of 408 times the same page.
  bytes += leaf + leaf;
  for (std::size_t child = pages + 2; child < pages + 7; ++child)
    bytes += InteriorPage(kCells, child, child, kPage);
  bytes.replace((root - 1) * kPage, kPage, InteriorPage(1, pages + 7, pages + 1, kPage));
  bytes[31] = static_cast<char>(pages + 7);  // The number of pages, in the file's header.
  WriteFileOrDie(file_, bytes);
  // The list is read after something was written.
  files_.Put(std::string("root/b/") + testing::kTensorBoardName, TensorBoardScalar("loss", 2, 1));
  const auto notes = Use();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("rebuilt"));
}

}  // namespace
}  // namespace sightline
