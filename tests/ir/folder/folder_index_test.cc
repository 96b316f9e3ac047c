#include "sightline/ir/folder/folder_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::IsEmpty;
using testing::IsOk;
using testing::SmallDump;

constexpr char kIndex[] = "cache/graphs.irindex";

class FolderIndexTest : public ::testing::Test {
 protected:
  FolderIndexTest() {
    files_.Put("graphs/00_a_0000.ir", SmallDump("Add"));
    files_.Put("graphs/01_b_0001.ir", SmallDump("Add ReLU"));
    files_.Put("graphs/02_c_0002.ir", SmallDump("Add ReLU"));
  }

  static Folder Read(FileSystem& files, const std::string& folder = "graphs") {
    auto read = ReadFolder(files, folder, {.index_file = kIndex});
    EXPECT_THAT(read, IsOk());
    return *std::move(read);
  }

  testing::MemoryFileSystem files_;
};

TEST_F(FolderIndexTest, DumpsAreReadOnce) {
  EXPECT_EQ(Read(files_).dumps_read, 3);
  EXPECT_EQ(Read(files_).dumps_read, 0);
}

TEST_F(FolderIndexTest, WithItEverythingIsAsWithout) {
  const std::string path = testing::CorpusPath("ir/mlp_level1");
  const testing::TempDir dir;
  const FolderOptions options{.index_file = dir.File("index")};
  for (const char* name :
       {"mlp_level1", "jit", "cast", "compile_error", "control_flow_grad_format0"}) {
    const std::string folder = testing::CorpusPath("ir/" + std::string(name));
    ASSERT_THAT(ReadFolder(FileSystem::Local(), folder, options), IsOk());
    const auto with = ReadFolder(FileSystem::Local(), folder, options);
    const auto without = ReadFolder(FileSystem::Local(), folder, {});
    ASSERT_THAT(with, IsOk());
    ASSERT_THAT(without, IsOk());
    EXPECT_EQ(with->dumps_read, 0) << name;
    ASSERT_EQ(with->dumps.size(), without->dumps.size());
    for (std::size_t i = 0; i < with->dumps.size(); ++i) {
      EXPECT_EQ(with->dumps[i].figures, without->dumps[i].figures) << with->dumps[i].path;
      EXPECT_EQ(with->dumps[i].changed, without->dumps[i].changed) << with->dumps[i].path;
    }
  }
}

TEST_F(FolderIndexTest, WhatChangedOrIsNewIsReadAgain) {
  Read(files_);
  files_.Put("graphs/01_b_0001.ir", SmallDump("Add Tanh"));
  files_.Put("graphs/03_d_0003.ir", SmallDump("Add"));
  const Folder folder = Read(files_);
  EXPECT_EQ(folder.dumps_read, 2);
  EXPECT_TRUE(folder.dumps[1].figures.summary.callees.contains("Tanh"));
}

TEST_F(FolderIndexTest, WhatIsGoneIsForgotten) {
  Read(files_);
  ASSERT_THAT(files_.Remove("graphs/02_c_0002.ir"), IsOk());
  EXPECT_EQ(Read(files_).dumps.size(), 2);
  EXPECT_EQ(FolderIndex::Load(files_, kIndex, "graphs").size(), 2);
}

TEST_F(FolderIndexTest, AnotherFoldersIndexIsNotUsed) {
  Read(files_);
  for (const char* name : {"00_a_0000.ir", "01_b_0001.ir"})
    files_.Put("others/" + std::string(name), SmallDump("Mul"));
  const Folder folder = Read(files_, "others");
  EXPECT_EQ(folder.dumps_read, 2);
}

TEST_F(FolderIndexTest, ADamagedIndexIsRebuilt) {
  Read(files_);
  const std::string sound = files_.Get(kIndex);
  for (std::size_t i = 0; i < sound.size(); i += 7) {
    std::string damaged = sound;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    files_.Put(kIndex, damaged);
    EXPECT_EQ(Read(files_).dumps_read, 3) << i;
    EXPECT_EQ(files_.Get(kIndex), sound) << i;
    files_.Put(kIndex, sound.substr(0, i));
    EXPECT_EQ(Read(files_).dumps_read, 3) << i;
  }
}

// The index with this message in place of its own, its checksum put right.
std::string WithMessage(const std::string& index, const std::string& message) {
  constexpr std::size_t kMagicBytes = 8;
  std::string forged = index.substr(0, kMagicBytes);
  wire::AppendFixed(forged, crc32c::Value(message));
  return forged + message;
}

TEST_F(FolderIndexTest, AForgedIndexTakesNoMoreMemoryThanItsBytesJustify) {
  Read(files_);
  const std::string sound = files_.Get(kIndex);
  std::string message;
  wire::AppendBytes(message, 1, "graphs");
  files_.Put(kIndex, WithMessage(sound, message));
  EXPECT_EQ(Read(files_).dumps_read, 3) << "of no dumps";
  for (char name = 'a'; name <= 'z'; ++name) {
    std::string dump;
    wire::AppendBytes(dump, 1, std::string(1, name));
    wire::AppendBytes(message, 3, dump);
  }
  files_.Put(kIndex, WithMessage(sound, message));
  EXPECT_EQ(FolderIndex::Load(files_, kIndex, "graphs").size(), 0) << "of dumps of 3 bytes";
}

TEST_F(FolderIndexTest, CountsOfOperatorsThatHaveNoNameAreDamage) {
  Read(files_);
  std::string message;
  wire::AppendBytes(message, 1, "graphs");
  wire::AppendBytes(message, 2, "Add");
  std::string dump;
  wire::AppendBytes(dump, 1, std::string(40, 'p'));
  for (const bool known : {true, false}) {
    std::string with_counts = dump;
    wire::AppendBytes(with_counts, 16, known ? std::string("\0\5", 2) : std::string("\1\5", 2));
    std::string whole = message;
    wire::AppendBytes(whole, 3, with_counts);
    const std::string sound = files_.Get(kIndex);
    files_.Put("forged", WithMessage(sound, whole));
    EXPECT_EQ(FolderIndex::Load(files_, "forged", "graphs").size(), known ? 1 : 0);
  }
}

// 65 MiB that hold nothing: the file is refused by its size.
TEST_F(FolderIndexTest, AnIndexThatIsTooLargeIsNotRead) {
  Read(files_);
  files_.Put(kIndex, files_.Get(kIndex) + std::string(std::size_t{65} << 20, '\0'));
  testing::FaultyFileSystem counting(files_);
  EXPECT_EQ(FolderIndex::Load(counting, kIndex, "graphs").size(), 0);
  EXPECT_EQ(counting.calls(testing::FileOperation::kReadAt), 0);
}

TEST_F(FolderIndexTest, WhereItCannotBeWrittenTheFolderIsRead) {
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kOpenForWrite, "", StatusCode::kPermissionDenied);
  EXPECT_EQ(Read(faulty).dumps_read, 3);
  EXPECT_EQ(Read(faulty).dumps_read, 3);
  EXPECT_FALSE(files_.Exists(kIndex));
}

TEST_F(FolderIndexTest, WhatIsHalfWrittenIsRemoved) {
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kWriteAt, "", StatusCode::kResourceExhausted);
  Read(faulty);
  EXPECT_GT(faulty.fired(), 0);
  EXPECT_THAT(*files_.List("cache"), IsEmpty());
}

TEST_F(FolderIndexTest, WhatCannotBeReadIsTriedAgain) {
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kOpenForRead, "01_b", StatusCode::kIoError);
  EXPECT_FALSE(Read(faulty).dumps[1].error.ok());
  faulty.Heal();
  const Folder folder = Read(faulty);
  EXPECT_EQ(folder.dumps_read, 1);
  EXPECT_THAT(folder.dumps[1].error, IsOk());
}

}  // namespace
}  // namespace sightline::ir
