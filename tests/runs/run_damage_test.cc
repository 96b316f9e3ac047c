// Damaged files: a run misses the records that are damaged, and no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;
using testing::TensorBoardScalar;

// A file of 20 KB, a record a step.
class RunDamageTest : public ::testing::Test {
 protected:
  RunDamageTest() {
    while (sound_.size() < 20'000) {
      begins_.push_back(sound_.size());
      sound_ += TensorBoardScalar("loss", static_cast<std::int64_t>(begins_.size()), 0.5F);
    }
    begins_.push_back(sound_.size());
  }

  std::shared_ptr<const sightline::Run> Open(const std::string& bytes) {
    fs_.Put(path_, bytes);
    auto run = sightline::Run::Open("run", {.file_system = &fs_});
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  // The steps of the points of `bytes`.
  std::vector<std::int64_t> StepsOf(const std::string& bytes) {
    const auto run = Open(bytes);
    const Series* series = run->Find(ContentKind::kScalar, "loss");
    if (series == nullptr) return {};
    return {series->steps().begin(), series->steps().end()};
  }
  // Those of the records that have no byte of [begin, end).
  std::vector<std::int64_t> StepsBeside(std::size_t begin, std::size_t end) const {
    std::vector<std::int64_t> steps;
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
      if (begins_[i + 1] <= begin || begins_[i] >= end)
        steps.push_back(static_cast<std::int64_t>(i) + 1);
    }
    return steps;
  }

  const std::string path_ = std::string("run/") + testing::kTensorBoardName;
  testing::MemoryFileSystem fs_;
  std::string sound_;
  std::vector<std::size_t> begins_;  // Of each record, and the end.
};

TEST_F(RunDamageTest, EachFlippedByteCostsItsRecordAlone) {
  for (std::size_t at = 0; at < sound_.size(); ++at) {
    std::string bytes = sound_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    ASSERT_EQ(StepsOf(bytes), StepsBeside(at, at + 1)) << at;
  }
}

TEST_F(RunDamageTest, EachTruncationCostsTheLastRecordAlone) {
  for (std::size_t size = 0; size < sound_.size(); ++size)
    ASSERT_EQ(StepsOf(sound_.substr(0, size)), StepsBeside(size, sound_.size())) << size;
}

TEST_F(RunDamageTest, ZeroedAndLostBlocksCostTheirRecordsAlone) {
  constexpr std::size_t kBlock = 4096;
  for (std::size_t at = 0; at + kBlock <= sound_.size(); at += 37) {
    std::string zeroed = sound_;
    std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(at), kBlock, '\0');
    ASSERT_EQ(StepsOf(zeroed), StepsBeside(at, at + kBlock)) << at;
    std::string lost = sound_;
    lost.erase(at, kBlock);
    // Two halves of different records never make a sound one.
    ASSERT_EQ(StepsOf(lost), StepsBeside(at, at + kBlock)) << at;
  }
}

TEST_F(RunDamageTest, ADoubledBlockGivesItsRecordsTwice) {
  constexpr std::size_t kBlock = 4096;
  for (std::size_t at = 0; at + kBlock <= sound_.size(); at += 37) {
    std::string doubled = sound_;
    doubled.insert(at + kBlock, sound_, at, kBlock);
    std::vector<std::int64_t> expected = StepsBeside(0, 0);
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
      if (begins_[i] >= at && begins_[i + 1] <= at + kBlock)
        expected.push_back(static_cast<std::int64_t>(i) + 1);
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(StepsOf(doubled), expected) << at;
  }
}

TEST_F(RunDamageTest, WholeRecordsOfTwoWritersInOneFileCount) {
  const std::string mine = TensorBoardScalar("loss", 1, 1);
  const std::string theirs = TensorBoardScalar("loss", 2, 2);
  EXPECT_THAT(StepsOf(mine + theirs + mine), ::testing::ElementsAre(1, 1, 2));
  const std::size_t half = mine.size() / 2;
  EXPECT_THAT(StepsOf(mine.substr(0, half) + theirs + mine.substr(half) + theirs),
              ::testing::ElementsAre(2, 2));
}

TEST_F(RunDamageTest, AFileWithoutPermissionLeavesTheOthersReadable) {
  fs_.Put("run/events.out.tfevents.2.vm", TensorBoardScalar("acc", 1, 1));
  fs_.Put(path_, sound_);
  testing::FaultyFileSystem faulty(fs_);
  faulty.FailEvery(testing::FileOperation::kOpenForRead, path_, StatusCode::kPermissionDenied);
  const auto run = sightline::Run::Open("run", {.file_system = &faulty});
  ASSERT_THAT(run, IsOk());
  EXPECT_TRUE((*run)->damaged());
  EXPECT_THAT((*run)->files()[0].status, IsStatus(StatusCode::kPermissionDenied, path_));
  EXPECT_NE((*run)->Find(ContentKind::kScalar, "acc"), nullptr);
}

TEST_F(RunDamageTest, TenThousandFilesInADirectoryAreOneRun) {
  for (int i = 0; i < 10'000; ++i) {
    fs_.Put("run/events.out.tfevents." + std::to_string(i + 2) + ".vm",
            TensorBoardScalar("loss", i, 1));
  }
  const auto run = sightline::Run::Open("run", {.file_system = &fs_});
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->files().size(), 10'000U);
  EXPECT_EQ((*run)->series()[0]->size(), 10'000U);
}

// Cuts a file to half when its first bytes are read.
class ShrinkingFileSystem : public testing::MemoryFileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, MemoryFileSystem::OpenForRead(path));
    return std::make_unique<File>(*this, path, std::move(file));
  }

 private:
  class File : public ReadableFile {
   public:
    File(ShrinkingFileSystem& fs, std::string path, std::unique_ptr<ReadableFile> file)
        : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      auto read = file_->ReadAt(offset, buffer.first(std::min<std::size_t>(buffer.size(), 4096)));
      if (offset == 0) {
        auto writing = fs_.OpenForWrite(path_, OpenMode::kOpenExisting);
        if (writing) (void)(*writing)->Truncate(*(*writing)->Size() / 2).ok();
      }
      return read;
    }
    Result<std::uint64_t> Size() const override { return file_->Size(); }

   private:
    ShrinkingFileSystem& fs_;
    std::string path_;
    std::unique_ptr<ReadableFile> file_;
  };
};

TEST_F(RunDamageTest, AFileThatIsCutWhileItIsReadGivesTheRecordsBeforeTheCut) {
  ShrinkingFileSystem fs;
  fs.Put(path_, sound_);
  const auto run = sightline::Run::Open("run", {.file_system = &fs});
  ASSERT_THAT(run, IsOk());
  const auto steps = (*run)->series()[0]->steps();
  EXPECT_GT(steps.size(), 10U);
  EXPECT_LT(steps.size(), begins_.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    ASSERT_EQ(steps[i], static_cast<std::int64_t>(i) + 1);
}

}  // namespace
}  // namespace sightline
