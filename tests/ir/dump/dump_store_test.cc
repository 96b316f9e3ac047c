#include "sightline/ir/dump/dump_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using testing::FaultyFileSystem;
using testing::FileOperation;
using testing::IsOk;
using testing::IsStatus;
using testing::MemoryFileSystem;
using testing::TempDir;

class DumpStoreTest : public ::testing::Test {
 protected:
  Status Put(const std::string& name, const std::string& text) {
    return store_.Put(name, text, false);
  }

  MemoryFileSystem memory_;
  FaultyFileSystem files_{memory_};
  DumpStore store_{files_, "graphs"};
};

TEST_F(DumpStoreTest, MakesTheFolders) {
  EXPECT_THAT(Put("verbose_ir_files/a_0000.ir", "text"), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/verbose_ir_files/a_0000.ir"));
  EXPECT_EQ(memory_.Get("graphs/verbose_ir_files/a_0000.ir"), "text");
}

TEST_F(DumpStoreTest, MakesTheFolderAgainWhereItWasRemoved) {
  const TempDir dir;
  DumpStore store(FileSystem::Local(), dir.File("graphs"));
  EXPECT_THAT(store.Put("a_0000.ir", "text", false), IsOk());
  std::filesystem::remove_all(dir.File("graphs"));
  EXPECT_THAT(store.Put("b_0001.ir", "text", false), IsOk());
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("graphs/b_0001.ir")), "text");
}

// The inode is the file.
TEST_F(DumpStoreTest, EqualTextsAreOneFile) {
  const TempDir dir;
  DumpStore store(FileSystem::Local(), dir.path());
  for (const char* name : {"a_0000.ir", "b_0001.ir", "verbose_ir_files/c_0002.ir"})
    EXPECT_THAT(store.Put(name, "text", false), IsOk());
  EXPECT_THAT(store.Put("d_0003.ir", "other", false), IsOk());
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("a_0000.ir")), 3);
  EXPECT_TRUE(std::filesystem::equivalent(dir.File("a_0000.ir"), dir.File("b_0001.ir")));
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("d_0003.ir")), 1);
  EXPECT_EQ(store.counters().files, 2);
  EXPECT_EQ(store.counters().links, 2);
  EXPECT_EQ(store.counters().bytes, 9);
}

TEST_F(DumpStoreTest, ANameOfAnEarlierRunBecomesALinkToo) {
  const TempDir dir;
  testing::WriteFileOrDie(dir.File("b_0001.ir"), "old");
  DumpStore store(FileSystem::Local(), dir.path());
  for (const char* name : {"a_0000.ir", "b_0001.ir"})
    EXPECT_THAT(store.Put(name, "text", false), IsOk());
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("b_0001.ir")), 2);
  EXPECT_EQ(testing::ReadFileOrDie(dir.File("b_0001.ir")), "text");
}

TEST_F(DumpStoreTest, AddressesDoNotTellTextsApart) {
  EXPECT_THAT(Put("a_0000.ir", "g : 0x55d0\nid 1\n"), IsOk());
  EXPECT_THAT(Put("b_0001.ir", "g : 0x7ffc12\nid 1\n"), IsOk());
  EXPECT_THAT(Put("c_0002.ir", "g : 0x7ffc12\nid 2\n"), IsOk());
  EXPECT_EQ(memory_.Get("graphs/b_0001.ir"), "g : 0x55d0\nid 1\n");
  EXPECT_EQ(memory_.Get("graphs/c_0002.ir"), "g : 0x7ffc12\nid 2\n");
}

TEST_F(DumpStoreTest, WithoutLinksEachNameIsAFile) {
  files_.FailEvery(FileOperation::kLink, "", StatusCode::kUnimplemented);
  EXPECT_THAT(Put("a_0000.ir", "text"), IsOk());
  EXPECT_THAT(Put("b_0001.ir", "text"), IsOk());
  EXPECT_EQ(memory_.Get("graphs/b_0001.ir"), "text");
  EXPECT_EQ(store_.counters().files, 2);
}

TEST_F(DumpStoreTest, AFileThatIsGoneIsNotLinked) {
  EXPECT_THAT(Put("a_0000.ir", "text"), IsOk());
  EXPECT_THAT(memory_.Remove("graphs/a_0000.ir"), IsOk());
  EXPECT_THAT(Put("b_0001.ir", "text"), IsOk());
  EXPECT_EQ(memory_.Get("graphs/b_0001.ir"), "text");
}

// A second process that dumps into the folder takes the names, not the files behind other names.
TEST_F(DumpStoreTest, ReplacesANameAndNotWhatItWasLinkedTo) {
  EXPECT_THAT(Put("a_0000.ir", "old"), IsOk());
  EXPECT_THAT(Put("b_0001.ir", "old"), IsOk());
  DumpStore second(files_, "graphs");
  EXPECT_THAT(second.Put("a_0000.ir", "new", false), IsOk());
  EXPECT_EQ(memory_.Get("graphs/a_0000.ir"), "new");
  EXPECT_EQ(memory_.Get("graphs/b_0001.ir"), "old");
  EXPECT_THAT(second.Put("b_0001.ir", "new", false), IsOk());
  EXPECT_EQ(memory_.Get("graphs/b_0001.ir"), "new");
}

TEST_F(DumpStoreTest, WhatFailsLeavesNoHalfAFile) {
  for (const FileOperation operation : {FileOperation::kOpenForWrite, FileOperation::kWriteAt,
                                        FileOperation::kClose, FileOperation::kRename}) {
    files_.KeepOfFailedWrites(2);
    files_.FailEvery(operation, "", StatusCode::kIoError);
    EXPECT_THAT(Put("a_0000.ir", "text"), IsStatus(StatusCode::kIoError, "a_0000.ir"));
    EXPECT_THAT(memory_.Files(), ElementsAre()) << testing::FileOperationName(operation);
    files_.Heal();
  }
  EXPECT_THAT(Put("a_0000.ir", "text"), IsOk());
  EXPECT_EQ(memory_.Get("graphs/a_0000.ir"), "text");
}

TEST_F(DumpStoreTest, CompressedTextsAreGzipFiles) {
  EXPECT_THAT(store_.Put("a_0000.ir", "text", true), IsOk());
  EXPECT_THAT(store_.Put("b_0001.ir", "text", true), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/a_0000.ir.gz", "graphs/b_0001.ir.gz"));
  EXPECT_EQ(*Gunzip(memory_.Get("graphs/b_0001.ir.gz"), 100), "text");
  EXPECT_EQ(store_.counters().files, 1);
}

TEST_F(DumpStoreTest, FilesAreForEverybodyToReadUnderTheUmask) {
  const TempDir dir;
  DumpStore store(FileSystem::Local(), dir.path());
  const mode_t before = umask(0022);
  EXPECT_THAT(store.Put("a_0000.ir", "text", false), IsOk());
  umask(0027);
  EXPECT_THAT(store.Put("b_0001.ir", "other", false), IsOk());
  umask(before);
  struct stat info {};
  ASSERT_EQ(stat(dir.File("a_0000.ir").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644);
  ASSERT_EQ(stat(dir.File("b_0001.ir").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640);
}

}  // namespace
}  // namespace sightline::ir
