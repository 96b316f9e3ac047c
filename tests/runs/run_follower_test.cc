#include "sightline/runs/run_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/runs/counting_file_system.h"
#include "sightline/tests/runs/mischief.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::All;
using testing::CountingFileSystem;
using testing::IsOk;
using testing::MindSporeScalar;
using testing::Mischief;
using testing::Text;

class RunFollowerTest : public ::testing::Test {
 protected:
  std::shared_ptr<const sightline::Run> Refresh() {
    auto run = follower_.Refresh();
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  void Append(const std::string& bytes) { fs_.Put(path_, fs_.Get(path_) + bytes); }

  const std::string path_ = std::string("run/") + testing::kMindSporeName;
  CountingFileSystem fs_;
  RunFollower follower_ = RunFollower("run", {.file_system = &fs_});
};

TEST_F(RunFollowerTest, ADirectoryIsARunOnceItHasAnEventFile) {
  EXPECT_FALSE(follower_.Refresh());
  fs_.Put("run/notes.txt", "");
  EXPECT_EQ(follower_.Refresh().error().code(), StatusCode::kNotFound);
  Append(MindSporeScalar("loss", 1, 1));
  EXPECT_EQ(Refresh()->series().size(), 1U);
}

TEST_F(RunFollowerTest, ARunThatDidNotChangeStaysTheSameObjectAndIsNotRead) {
  Append(MindSporeScalar("loss", 1, 1));
  const auto run = Refresh();
  fs_.TakeBytesRead();
  EXPECT_EQ(Refresh(), run);
  EXPECT_EQ(fs_.TakeBytesRead(), 0U);
}

TEST_F(RunFollowerTest, ReadsOnlyWhatWasAppended) {
  std::string bytes;
  for (int step = 0; step < 10'000; ++step) bytes += MindSporeScalar("loss", step, 1);
  Append(bytes);
  Refresh();
  Append(MindSporeScalar("loss", 10'000, 1));
  const auto first = Refresh();  // That it grows is known from here on.
  fs_.TakeBytesRead();
  const std::string more = MindSporeScalar("loss", 10'001, 1) + MindSporeScalar("loss", 10'002, 1);
  Append(more);
  const auto second = Refresh();
  EXPECT_LE(fs_.TakeBytesRead(), more.size() + 256);
  const auto steps = [](const auto& run) {
    return run->Find(ContentKind::kScalar, "loss")->steps();
  };
  EXPECT_EQ(steps(second).size(), 10'003U);
  EXPECT_EQ(steps(first).size(), 10'001U);
  EXPECT_EQ(steps(first).data(), steps(second).data());  // In memory once.
}

TEST_F(RunFollowerTest, OnlyTheFileThatGrewIsRead) {
  std::string bytes;
  for (int step = 0; step < 1000; ++step) bytes += MindSporeScalar("loss", step, 1);
  Append(bytes);
  const std::string rotated = "run/events.out.events.summary.2.0.vm_MS";
  fs_.Put(rotated, MindSporeScalar("loss", 1000, 1));
  Refresh();
  for (int step = 1001; step < 1004; ++step) {
    fs_.Put(rotated, fs_.Get(rotated) + MindSporeScalar("loss", step, 1));
    fs_.TakeBytesRead();
    EXPECT_EQ(Text(*Refresh()), Text(**sightline::Run::Open("run", {.file_system = &fs_})));
    fs_.TakeBytesRead();
  }
  fs_.Put(rotated, fs_.Get(rotated) + MindSporeScalar("loss", 1004, 1));
  Refresh();
  EXPECT_LE(fs_.TakeBytesRead(), 1024U);
}

TEST_F(RunFollowerTest, AnotherFileOfTheSameNameIsReadFromItsBeginning) {
  const std::string first = MindSporeScalar("loss", 1, 1);
  Append(first);
  Refresh();
  Append(MindSporeScalar("loss", 2, 2));
  Refresh();
  // Written over, longer than before.
  fs_.Put(path_, MindSporeScalar("loss", 5, 5) + MindSporeScalar("loss", 6, 6) +
                     MindSporeScalar("loss", 7, 7));
  EXPECT_EQ(Refresh()->Find(ContentKind::kScalar, "loss")->steps().front(), 5);
  // Put in its place.
  fs_.Put("run/new", MindSporeScalar("acc", 5, 5) + MindSporeScalar("loss", 6, 6) +
                         MindSporeScalar("loss", 8, 7));
  ASSERT_THAT(fs_.Rename("run/new", path_), IsOk());
  EXPECT_NE(Refresh()->Find(ContentKind::kScalar, "acc"), nullptr);
}

TEST(RunFollowerPropertyTest, GivesWhatOpeningAgainGives) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    testing::MemoryFileSystem fs;
    ASSERT_THAT(fs.CreateDirectories("run"), IsOk());
    Mischief mischief(fs, seed);
    RunFollower follower("run", {.file_system = &fs});
    std::vector<std::pair<std::shared_ptr<const sightline::Run>, std::string>> earlier;
    for (int i = 0; i < 80; ++i) {
      mischief.Act();
      const auto run = follower.Refresh();
      const auto anew = sightline::Run::Open("run", {.file_system = &fs});
      ASSERT_EQ(run.has_value(), anew.has_value());
      if (!run) continue;
      ASSERT_EQ(Text(**run), Text(**anew)) << "seed " << seed << ", act " << i;
      earlier.emplace_back(*run, Text(**run));
    }
    // Runs that were returned before have not changed.
    for (const auto& [run, text] : earlier) ASSERT_EQ(Text(*run), text);
  }
}

// A recorder at work: values come from its journal first, and from its files later.
TEST(RunFollowerRecordedTest, FollowsALivingRecorderInBothDialects) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    const testing::TempDir dir;
    RecorderOptions options;
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    options.writing.flush_interval = std::chrono::hours(1);
    options.max_file_size = 4096;
    auto recorder = Recorder::Open(dir.path(), options);
    ASSERT_THAT(recorder, IsOk());
    RunFollower follower(dir.path());
    const std::vector<std::int64_t> shape = {2};
    const std::vector<float> data = {1.5F, 2.5F};
    std::int64_t step = 0;
    for (int i = 0; i < 40; ++i) {
      for (std::uint64_t count = random() % 20; count > 0; --count) {
        (*recorder)->AddScalar(random() % 2 == 0 ? "loss" : "acc", ++step, 0.5);
        if (random() % 8 == 0) (*recorder)->AddTensor("weights", step, View(data.data(), shape));
      }
      if (random() % 3 == 0) {
        ASSERT_THAT((*recorder)->Flush(), IsOk());
      }
      if (i == 39) {
        ASSERT_THAT((*recorder)->Close(), IsOk());
      }
      const auto run = follower.Refresh();
      const auto anew = sightline::Run::Open(dir.path());
      ASSERT_EQ(run.has_value(), anew.has_value());
      if (!run) continue;
      ASSERT_EQ(Text(All((*run)->series())), Text(All((*anew)->series()))) << "seed " << seed;
      ASSERT_TRUE((*run)->superseded().empty());
      ASSERT_FALSE((*run)->damaged());
    }
  }
}

}  // namespace
}  // namespace sightline
