#include "sightline/runs/run_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Optional;

constexpr char kMindSporeName[] = "events.out.events.summary.1.0.vm_MS";
constexpr char kTensorBoardName[] = "events.out.tfevents.1.vm";

class RunScanTest : public ::testing::Test {
 protected:
  static std::string MindSporeScalar(const std::string& tag, std::int64_t step) {
    mindspore::Event event;
    event.set_wall_time(1000.0 + static_cast<double>(step));
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag(tag);
    value->set_scalar_value(1);
    return testing::FrameRecord(event.SerializeAsString());
  }
  static std::string TensorBoardScalar(const std::string& tag, std::int64_t step) {
    tensorboard::Event event;
    event.set_wall_time(1000.0 + static_cast<double>(step));
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag(tag);
    value->set_simple_value(1);
    return testing::FrameRecord(event.SerializeAsString());
  }
  std::vector<RunSummary> Scan(const std::string& directory) {
    auto runs = ScanRuns(fs_, directory);
    EXPECT_THAT(runs, IsOk());
    return *std::move(runs);
  }
  static std::vector<std::string> Names(const std::vector<RunSummary>& runs) {
    std::vector<std::string> names;
    for (const RunSummary& run : runs) names.push_back(run.name);
    return names;
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(RunScanTest, ADirectoryThatHoldsEventFilesIsARun) {
  fs_.Put(std::string("out/") + kMindSporeName, "");
  fs_.Put(std::string("out/b/") + kTensorBoardName, "");
  fs_.Put(std::string("out/a/deep/") + kMindSporeName, "");
  fs_.Put("out/empty/notes.txt", "");
  EXPECT_THAT(Names(Scan("out")), ElementsAre(".", "a/deep", "b"));
  EXPECT_THAT(Names(Scan("out/a")), ElementsAre("deep"));
  EXPECT_THAT(Names(Scan("out/empty")), IsEmpty());
  EXPECT_THAT(ScanRuns(fs_, "nowhere").error(), IsStatus(StatusCode::kNotFound, "nowhere"));
}

TEST_F(RunScanTest, SumsUpTagsOverAllFilesOfARun) {
  fs_.Put("run/events.out.events.summary.1.0.vm_MS",
          MindSporeScalar("loss", 1) + MindSporeScalar("lr", 1));
  fs_.Put("run/events.out.events.summary.2.0.vm_MS",
          MindSporeScalar("loss", 7) + MindSporeScalar("loss", 5));
  const auto runs = Scan("run");
  ASSERT_EQ(runs.size(), 1u);
  ASSERT_EQ(runs[0].tags.size(), 2u);
  const TagSummary& loss = runs[0].tags[0];
  EXPECT_EQ(loss.tag, "loss");
  EXPECT_EQ(loss.kind, ContentKind::kScalar);
  EXPECT_EQ(loss.count(), 3u);
  EXPECT_EQ(loss.first_step, 1);
  EXPECT_EQ(loss.last_step, 7);
  EXPECT_EQ(runs[0].tags[1].tag, "lr");
  EXPECT_THAT(runs[0].first_wall_time, Optional(1001.0));
  EXPECT_THAT(runs[0].last_wall_time, Optional(1007.0));
  EXPECT_EQ(runs[0].events.at(EventKind::kSummary), 4u);
  EXPECT_EQ(runs[0].files[0].records, 2u);
  EXPECT_EQ(runs[0].files[1].bytes, MindSporeScalar("loss", 7).size() * 2);
}

TEST_F(RunScanTest, AValueInBothDialectsCountsOnce) {
  fs_.Put(std::string("run/") + kMindSporeName,
          MindSporeScalar("loss", 1) + MindSporeScalar("loss", 2));
  fs_.Put(std::string("run/") + kTensorBoardName,
          TensorBoardScalar("loss", 1) + TensorBoardScalar("loss", 2));
  const auto runs = Scan("run");
  ASSERT_EQ(runs[0].tags.size(), 1u);
  EXPECT_EQ(runs[0].tags[0].count(), 2u);
  EXPECT_EQ(runs[0].tags[0].in_mindspore, 2u);
  EXPECT_EQ(runs[0].tags[0].in_tensorboard, 2u);
}

TEST_F(RunScanTest, DamageIsReportedWithItsFile) {
  const std::string first = MindSporeScalar("loss", 1);
  fs_.Put(std::string("run/") + kMindSporeName, first + "garbage" + first);
  const auto runs = Scan("run");
  EXPECT_THAT(runs[0].files[0].damage,
              ElementsAre(SkippedRegion{first.size(), 7, SkipReason::kLengthChecksum}));
  EXPECT_EQ(runs[0].files[0].records, 2u);
}

TEST_F(RunScanTest, ASessionIsShownWithTheFirstFileThatHasIt) {
  mindspore::Event event;
  event.set_wall_time(1);
  event.set_version("MindSpore.Event:1");
  event.mutable_session()->set_session_id("0123");
  fs_.Put(std::string("run/") + kMindSporeName, testing::FrameRecord(event.SerializeAsString()));
  const auto runs = Scan("run");
  ASSERT_TRUE(runs[0].files[0].session);
  EXPECT_EQ(runs[0].files[0].session->session_id, "0123");
}

TEST_F(RunScanTest, AFileThatCannotBeReadSaysWhyAndTheRestIsRead) {
  testing::FaultyFileSystem faulty(fs_);
  fs_.Put("run/events.out.events.summary.1.0.vm_MS", MindSporeScalar("loss", 1));
  fs_.Put("run/events.out.events.summary.2.0.vm_MS", MindSporeScalar("loss", 2));
  fs_.Put("run/events.out.events.summary.3.0.vm_MS", MindSporeScalar("loss", 3));
  faulty.FailEvery(testing::FileOperation::kOpenForRead, ".1.0", StatusCode::kPermissionDenied);
  faulty.FailEvery(testing::FileOperation::kReadAt, ".2.0", StatusCode::kIoError);
  const auto runs = ScanRuns(faulty, "run");
  ASSERT_THAT(runs, IsOk());
  EXPECT_THAT(runs->at(0).files[0].status, IsStatus(StatusCode::kPermissionDenied, ".1.0"));
  EXPECT_THAT(runs->at(0).files[1].status, IsStatus(StatusCode::kIoError, ".2.0"));
  EXPECT_THAT(runs->at(0).files[2].status, IsOk());
  EXPECT_EQ(runs->at(0).tags.at(0).count(), 1u);
}

TEST_F(RunScanTest, FoldersThatCannotBeListedAreLeftOut) {
  testing::FaultyFileSystem faulty(fs_);
  fs_.Put(std::string("out/mine/") + kMindSporeName, "");
  fs_.Put(std::string("out/private/") + kMindSporeName, "");
  faulty.FailEvery(testing::FileOperation::kList, "private", StatusCode::kPermissionDenied);
  EXPECT_THAT(Names(*ScanRuns(faulty, "out")), ElementsAre("mine"));
}

TEST_F(RunScanTest, FoldersAreFollowedToABound) {
  std::string path = "out";
  for (int depth = 0; depth < 20; ++depth) {
    path += "/d";
    fs_.Put(path + "/" + kMindSporeName, "");
  }
  EXPECT_EQ(Scan("out").size(), static_cast<std::size_t>(kMaxScanDepth));
}

// The counts are those of the twins.
TEST(RunScanCorpusTest, SumsUpARealMindSporeRun) {
  const auto runs = ScanRuns(FileSystem::Local(), testing::CorpusPath("mindspore/lenet"));
  ASSERT_THAT(runs, IsOk());
  ASSERT_EQ(runs->size(), 1u);
  const RunSummary& run = runs->at(0);
  ASSERT_EQ(run.files.size(), 3u);
  EXPECT_EQ(run.events.at(EventKind::kGraph), 1u);
  EXPECT_EQ(run.events.at(EventKind::kTrainLineage), 1u);
  EXPECT_EQ(run.events.at(EventKind::kEvaluationLineage), 1u);
  EXPECT_EQ(run.events.at(EventKind::kCustomLineage), 1u);
  for (const FileSummary& file : run.files) EXPECT_THAT(file.damage, IsEmpty()) << file.path;
}

class ResumedRunTest : public RunScanTest {
 protected:
  // The first record of a session's file.
  static std::string Begin(const std::string& id) { return Begin(id, -1, ""); }
  static std::string Begin(const std::string& id, std::int64_t resume_from_step,
                           const std::string& continued) {
    mindspore::Event event;
    event.set_wall_time(1);
    event.set_version("MindSpore.Event:1");
    event.mutable_session()->set_session_id(id);
    if (resume_from_step >= 0) event.mutable_session()->set_resume_from_step(resume_from_step);
    if (!continued.empty()) event.mutable_session()->set_continues_session(continued);
    return testing::FrameRecord(event.SerializeAsString());
  }
};

TEST_F(ResumedRunTest, StepsThatWereRecordedAnewCountOnce) {
  fs_.Put("run/events.out.events.summary.1.0.vm_MS",
          Begin("a") + MindSporeScalar("loss", 1) + MindSporeScalar("loss", 2) +
              MindSporeScalar("loss", 3) + MindSporeScalar("given up", 3));
  fs_.Put("run/events.out.events.summary.2.0.vm_MS",
          Begin("b", 2, "a") + MindSporeScalar("loss", 2) + MindSporeScalar("loss", 4));
  const RunSummary run = Scan("run").at(0);
  ASSERT_EQ(run.tags.size(), 1U);  // "given up" has no value that counts.
  EXPECT_EQ(run.tags[0].count(), 3U);
  EXPECT_EQ(run.tags[0].superseded(), 2U);
  EXPECT_EQ(run.tags[0].first_step, 1);
  EXPECT_EQ(run.tags[0].last_step, 4);
  EXPECT_EQ(run.superseded_values, 3U);
  ASSERT_EQ(run.sessions.size(), 2U);
  EXPECT_THAT(run.sessions[0].superseded_from, Optional(2));
  EXPECT_THAT(run.sessions[1].session.resume_from_step, Optional(2));
  EXPECT_THAT(run.files[0].superseded_from, Optional(2));
}

TEST_F(ResumedRunTest, WhatOnlyTheTailHadDoesNotWidenTheStepsOfATag) {
  fs_.Put("run/events.out.events.summary.1.0.vm_MS", Begin("a") + MindSporeScalar("loss", 9));
  fs_.Put("run/events.out.events.summary.2.0.vm_MS",
          Begin("b", 5, "a") + MindSporeScalar("loss", 5) + MindSporeScalar("loss", 6));
  const RunSummary run = Scan("run").at(0);
  ASSERT_EQ(run.tags.size(), 1U);
  EXPECT_EQ(run.tags[0].first_step, 5);
  EXPECT_EQ(run.tags[0].last_step, 6);
}

// A log of TensorFlow's or PyTorch's: no session of ours, TensorBoard's START for a resumed run.
class ForeignResumeTest : public RunScanTest {
 protected:
  static std::string Log(tensorboard::SessionLog::SessionStatus status, std::int64_t step) {
    tensorboard::Event event;
    event.set_wall_time(1);
    event.set_step(step);
    event.mutable_session_log()->set_status(status);
    return testing::FrameRecord(event.SerializeAsString());
  }
  static std::string Start(std::int64_t step) { return Log(tensorboard::SessionLog::START, step); }
  static std::string Losses(std::int64_t first, std::int64_t last) {
    std::string records;
    for (std::int64_t step = first; step <= last; ++step)
      records += TensorBoardScalar("loss", step);
    return records;
  }
};

TEST_F(ForeignResumeTest, WhatTensorBoardDropsAtAStartIsSuperseded) {
  fs_.Put("run/events.out.tfevents.1.vm", Start(0) + Losses(1, 10));
  fs_.Put("run/events.out.tfevents.2.vm", Start(6) + Losses(6, 12));
  const RunSummary run = Scan("run").at(0);
  ASSERT_EQ(run.tags.size(), 1U);
  EXPECT_EQ(run.tags[0].count(), 12U);
  EXPECT_EQ(run.tags[0].superseded(), 5U);
  EXPECT_EQ(run.tags[0].first_step, 1);
  EXPECT_EQ(run.tags[0].last_step, 12);
  EXPECT_EQ(run.superseded_values, 5U);
  EXPECT_EQ(run.files.size(), 2U);
  EXPECT_EQ(run.events.at(EventKind::kSummary), 17U);  // Each event once, though read twice.
}

TEST_F(ForeignResumeTest, AStartWithinAFileDropsWhatStandsBeforeIt) {
  fs_.Put("run/events.out.tfevents.1.vm", Losses(1, 5) + Start(3) + Losses(3, 4));
  const RunSummary run = Scan("run").at(0);
  EXPECT_EQ(run.tags.at(0).count(), 4U);
  EXPECT_EQ(run.tags.at(0).superseded(), 3U);
}

TEST_F(ForeignResumeTest, NeitherAStopNorACheckpointDropsAnything) {
  fs_.Put("run/events.out.tfevents.1.vm", Losses(1, 5) + Log(tensorboard::SessionLog::STOP, 2) +
                                              Log(tensorboard::SessionLog::CHECKPOINT, 2));
  EXPECT_EQ(Scan("run").at(0).superseded_values, 0U);
}

TEST_F(ForeignResumeTest, ValuesOfMindSporesDialectStay) {
  fs_.Put(std::string("run/") + kMindSporeName, MindSporeScalar("loss", 9));
  fs_.Put("run/events.out.tfevents.1.vm", Losses(8, 9));
  fs_.Put("run/events.out.tfevents.2.vm", Start(5));
  const RunSummary run = Scan("run").at(0);
  EXPECT_EQ(run.tags.at(0).in_mindspore, 1U);
  EXPECT_EQ(run.tags.at(0).in_tensorboard, 0U);
  EXPECT_EQ(run.tags.at(0).superseded(), 2U);
}

}  // namespace
}  // namespace sightline
