#include "sightline/runs/model/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;
using testing::MindSporeScalar;
using testing::SessionRecord;
using testing::TensorBoardScalar;
using testing::TensorBoardStart;

constexpr char kMindSpore1[] = "run/events.out.events.summary.1.0.vm_MS";
constexpr char kMindSpore2[] = "run/events.out.events.summary.2.0.vm_MS";
constexpr char kTensorBoard1[] = "run/events.out.tfevents.1.vm";
constexpr char kTensorBoard3[] = "run/events.out.tfevents.3.vm";

class RunTest : public ::testing::Test {
 protected:
  std::shared_ptr<const sightline::Run> Open() {
    auto run = sightline::Run::Open("run", {.file_system = &fs_});
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  // "step=value" of a tag's points.
  static std::vector<std::string> Points(std::span<const std::shared_ptr<const Series>> all,
                                         const std::string& tag) {
    std::vector<std::string> points;
    for (const auto& series : all) {
      if (series->key().tag != tag) continue;
      for (std::size_t i = 0; i < series->size(); ++i) {
        points.push_back(std::to_string(series->steps()[i]) + "=" +
                         std::to_string(static_cast<int>(series->values()[i])));
      }
    }
    return points;
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(RunTest, ADirectoryWithoutEventFilesIsNotFound) {
  fs_.Put("run/notes.txt", "");
  EXPECT_THAT(sightline::Run::Open("run", {.file_system = &fs_}).error(),
              IsStatus(StatusCode::kNotFound, "run"));
  EXPECT_THAT(sightline::Run::Open("nowhere", {.file_system = &fs_}).error(),
              IsStatus(StatusCode::kNotFound, "nowhere"));
}

TEST_F(RunTest, FilesOfADirectoryAreOneSeriesATag) {
  fs_.Put(kMindSpore1, MindSporeScalar("loss", 1, 10) + MindSporeScalar("acc", 1, 5) +
                           MindSporeScalar("loss", 2, 20));
  fs_.Put(kMindSpore2, MindSporeScalar("loss", 3, 30));
  const auto run = Open();
  EXPECT_THAT(Points(run->series(), "loss"), ElementsAre("1=10", "2=20", "3=30"));
  EXPECT_THAT(Points(run->series(), "acc"), ElementsAre("1=5"));
  EXPECT_EQ(run->files().size(), 2U);
  EXPECT_EQ(run->files()[0].records, 3U);
  EXPECT_EQ(run->event_counts().at(EventKind::kSummary), 4U);
  EXPECT_EQ(run->first_wall_time(), 1001);
  EXPECT_EQ(run->last_wall_time(), 1003);
  EXPECT_FALSE(run->damaged());
  EXPECT_EQ(run->Find(ContentKind::kScalar, "none"), nullptr);
}

TEST_F(RunTest, HasAllPointsOfEqualAndUnorderedSteps) {
  fs_.Put(kMindSpore1, MindSporeScalar("loss", 5, 1) + MindSporeScalar("loss", 5, 2) +
                           MindSporeScalar("loss", 0, 3) + MindSporeScalar("loss", -7, 4));
  EXPECT_THAT(Points(Open()->series(), "loss"), ElementsAre("-7=4", "0=3", "5=1", "5=2"));
}

TEST_F(RunTest, AResumedSessionSupersedesItsRankOnly) {
  using mindspore::Event;
  fs_.Put(kMindSpore1, SessionRecord<Event>("a", 0) + MindSporeScalar("loss", 1, 1) +
                           MindSporeScalar("loss", 2, 2) + MindSporeScalar("loss", 3, 3));
  fs_.Put("run/events.out.events.summary.1.1.vm_MS",
          SessionRecord<Event>("b", 1) + MindSporeScalar("loss", 3, 100));
  fs_.Put(kMindSpore2, SessionRecord<Event>("c", 0, 2, "a") + MindSporeScalar("loss", 2, 20));
  const auto run = Open();
  EXPECT_THAT(Points(run->series(), "loss"), ElementsAre("1=1", "2=20", "3=100"));
  EXPECT_THAT(Points(run->superseded(), "loss"), ElementsAre("2=2", "3=3"));
  EXPECT_EQ(run->Find(ContentKind::kScalar, "loss", 1)->size(), 1U);
  EXPECT_EQ(run->Find(ContentKind::kScalar, "loss", 2), nullptr);
  EXPECT_EQ(run->sessions().size(), 3U);
}

TEST_F(RunTest, AStartSupersedesEarlierValues) {
  fs_.Put(kTensorBoard1, TensorBoardStart(0) + TensorBoardScalar("loss", 1, 1) +
                             TensorBoardScalar("loss", 2, 2) + TensorBoardStart(2) +
                             TensorBoardScalar("loss", 2, 20) + TensorBoardScalar("loss", 3, 30));
  fs_.Put(kTensorBoard3, TensorBoardStart(3) + TensorBoardScalar("loss", 4, 40));
  const auto run = Open();
  EXPECT_THAT(Points(run->series(), "loss"), ElementsAre("1=1", "2=20", "4=40"));
  EXPECT_THAT(Points(run->superseded(), "loss"), ElementsAre("2=2", "3=30"));
}

TEST_F(RunTest, TheFirstStartOfAFileDoesNotSupersedeTheValuesBeforeIt) {
  const auto steps = [](const char* folder) {
    const auto run = sightline::Run::Open(testing::CorpusPath(folder));
    EXPECT_THAT(run, IsOk());
    return Points((*run)->series(), "loss");
  };
  EXPECT_THAT(steps("wild/first_start"), ElementsAre("0=3", "1=2", "2=2"));
  EXPECT_THAT(steps("wild/second_start"), ElementsAre("0=10", "1=9", "2=8", "3=4", "4=4", "5=4"));
  EXPECT_THAT(steps("wild/tbx_purge"),
              ElementsAre("0=10", "1=9", "2=8", "3=7", "4=6", "5=105", "6=106", "7=107"));
}

TEST_F(RunTest, ATwinServesOnlyTheDamagedPointsOfTheOther) {
  std::string second = MindSporeScalar("loss", 2, 2);
  second[second.size() - 6] ^= 1;
  fs_.Put(kMindSpore1, SessionRecord<mindspore::Event>("a", 0) + MindSporeScalar("loss", 1, 1) +
                           second + MindSporeScalar("loss", 3, 3));
  fs_.Put(kTensorBoard1, SessionRecord<tensorboard::Event>("a", 0) +
                             TensorBoardScalar("loss", 1, 101) + TensorBoardScalar("loss", 2, 102) +
                             TensorBoardScalar("loss", 3, 103) + TensorBoardScalar("only", 3, 7));
  const auto run = Open();
  EXPECT_THAT(Points(run->series(), "loss"), ElementsAre("1=1", "2=102", "3=3"));
  EXPECT_THAT(Points(run->series(), "only"), ElementsAre("3=7"));
  EXPECT_TRUE(run->damaged());
}

TEST_F(RunTest, FilesOfOtherProgramsAreNotTwins) {
  fs_.Put(kMindSpore1, MindSporeScalar("loss", 1, 1));
  fs_.Put(kTensorBoard1, TensorBoardScalar("loss", 1, 101));
  EXPECT_THAT(Points(Open()->series(), "loss"), ElementsAre("1=1", "1=101"));
}

TEST_F(RunTest, HowOftenEachDialectHasAPointIsCounted) {
  fs_.Put(kMindSpore1, SessionRecord<mindspore::Event>("a", 0) + MindSporeScalar("loss", 1, 1) +
                           MindSporeScalar("loss", 2, 2) + MindSporeScalar("loss", 3, 3));
  fs_.Put(kTensorBoard1, SessionRecord<tensorboard::Event>("a", 0) +
                             TensorBoardScalar("loss", 1, 1) + TensorBoardScalar("loss", 2, 2) +
                             TensorBoardScalar("loss", 3, 3));
  fs_.Put(kMindSpore2,
          SessionRecord<mindspore::Event>("b", 0, 2, "a") + MindSporeScalar("loss", 2, 20));
  const auto run = Open();
  ASSERT_EQ(run->series().size(), 1U);
  EXPECT_EQ(run->series()[0]->size(), 2U);
  EXPECT_EQ(run->series()[0]->recorded().in_mindspore, 2U);
  EXPECT_EQ(run->series()[0]->recorded().in_tensorboard, 1U);
  ASSERT_EQ(run->superseded().size(), 1U);
  EXPECT_EQ(run->superseded()[0]->size(), 2U);
  EXPECT_EQ(run->superseded()[0]->recorded().in_mindspore, 2U);
  EXPECT_EQ(run->superseded()[0]->recorded().in_tensorboard, 2U);
}

TEST_F(RunTest, NeitherAStopNorACheckpointSupersedesAnything) {
  for (const auto status : {tensorboard::SessionLog::STOP, tensorboard::SessionLog::CHECKPOINT}) {
    tensorboard::Event log;
    log.set_wall_time(1);
    log.set_step(2);
    log.mutable_session_log()->set_status(status);
    fs_.Put(kTensorBoard1, TensorBoardScalar("loss", 2, 1) + TensorBoardScalar("loss", 3, 1) +
                               testing::FrameRecord(log.SerializeAsString()));
    EXPECT_TRUE(Open()->superseded().empty());
  }
}

TEST_F(RunTest, AStartDoesNotSupersedeMindSporesDialect) {
  fs_.Put(kMindSpore1, MindSporeScalar("loss", 9, 1));
  fs_.Put(kTensorBoard1, TensorBoardScalar("loss", 8, 2) + TensorBoardScalar("loss", 9, 3));
  fs_.Put(kTensorBoard3, TensorBoardStart(5));
  EXPECT_THAT(Points(Open()->series(), "loss"), ElementsAre("9=1"));
}

TEST_F(RunTest, AnUnreadableFileHasAStatusAndTheRestIsRead) {
  testing::FaultyFileSystem faulty(fs_);
  fs_.Put(kMindSpore1, MindSporeScalar("loss", 1, 1));
  fs_.Put(kMindSpore2, MindSporeScalar("loss", 2, 2));
  fs_.Put("run/events.out.events.summary.3.0.vm_MS", MindSporeScalar("loss", 3, 3));
  faulty.FailEvery(testing::FileOperation::kOpenForRead, ".1.0", StatusCode::kPermissionDenied);
  faulty.FailEvery(testing::FileOperation::kReadAt, ".2.0", StatusCode::kIoError);
  const auto run = sightline::Run::Open("run", {.file_system = &faulty});
  ASSERT_THAT(run, IsOk());
  EXPECT_THAT((*run)->files()[0].status, IsStatus(StatusCode::kPermissionDenied, ".1.0"));
  EXPECT_THAT((*run)->files()[1].status, IsStatus(StatusCode::kIoError, ".2.0"));
  EXPECT_THAT((*run)->files()[2].status, IsOk());
  EXPECT_THAT(Points((*run)->series(), "loss"), ElementsAre("3=3"));
  EXPECT_TRUE((*run)->damaged());
}

TEST_F(RunTest, HeavyValuesAreReadWhenAskedFor) {
  mindspore::Event event;
  event.set_wall_time(2);
  event.set_step(4);
  auto* scalar = event.mutable_summary()->add_value();
  scalar->set_tag("loss");
  scalar->set_scalar_value(1);
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("weights");
  value->mutable_tensor()->add_dims(2);
  value->mutable_tensor()->set_data_type(mindspore::DT_FLOAT32);
  value->mutable_tensor()->add_float_data(1.5F);
  value->mutable_tensor()->add_float_data(2.5F);
  const std::string record = testing::FrameRecord(event.SerializeAsString());
  const std::string before = MindSporeScalar("loss", 3, 1);
  fs_.Put(kMindSpore1, before + record);
  const auto run = Open();
  const Series* weights = run->Find(ContentKind::kTensor, "weights");
  ASSERT_NE(weights, nullptr);
  EXPECT_TRUE(weights->values().empty());
  const HeavyPoint point = weights->point(0);
  EXPECT_EQ(point.offset, before.size());
  const auto stored = run->Read(point);
  ASSERT_THAT(stored, IsOk());
  const auto tensor = stored->Tensor();
  ASSERT_THAT(tensor, IsOk());
  EXPECT_THAT(tensor->shape, ElementsAre(2));
  EXPECT_EQ(stored->Image().error().code(), StatusCode::kInvalidArgument);
  // A record that changed after the opening is an error.
  std::string damaged = before + record;
  damaged[before.size() + 20] ^= 1;
  fs_.Put(kMindSpore1, damaged);
  EXPECT_EQ(run->Read(point).error().code(), StatusCode::kDataLoss);
}

TEST_F(RunTest, LineageIsNamesAndValues) {
  mindspore::LineageEvent event;
  event.set_wall_time(1);
  auto* train = event.mutable_train_lineage();
  train->mutable_algorithm()->set_network("LeNet5");
  train->mutable_hyper_parameters()->set_learning_rate(0.01F);
  train->mutable_hyper_parameters()->set_epoch(3);
  fs_.Put("run/events.out.events.summary.1.0.vm_lineage",
          testing::FrameRecord(event.SerializeAsString()));
  const auto run = Open();
  EXPECT_EQ(std::get<std::string>(run->lineage().find("network")->second), "LeNet5");
  EXPECT_EQ(std::get<double>(run->lineage().find("learning_rate")->second), 0.01);
  EXPECT_EQ(std::get<std::int64_t>(run->lineage().find("epoch")->second), 3);
  EXPECT_EQ(run->events().at(EventKind::kTrainLineage).size(), 1U);
  EXPECT_THAT(run->Read(run->events().at(EventKind::kTrainLineage)[0]), IsOk());
}

TEST_F(RunTest, AnyDamageCostsOnlyTheRecordsItTouches) {
  std::string bytes;
  std::vector<std::size_t> ends;
  for (int i = 0; i < 30; ++i) {
    bytes += MindSporeScalar("loss", i, static_cast<float>(i));
    ends.push_back(bytes.size());
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] ^= 0x10;
    fs_.Put(kMindSpore1, flipped);
    const auto run = Open();
    const auto hit =
        static_cast<std::int64_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
    const Series* loss = run->Find(ContentKind::kScalar, "loss");
    ASSERT_NE(loss, nullptr);
    ASSERT_EQ(loss->size(), 29U) << at;
    EXPECT_FALSE(std::binary_search(loss->steps().begin(), loss->steps().end(), hit));
    ASSERT_EQ(run->files()[0].damage.size(), 1U);
  }
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    fs_.Put(kMindSpore1, bytes.substr(0, cut));
    const auto whole =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin());
    const auto run = Open();
    const Series* loss = run->Find(ContentKind::kScalar, "loss");
    ASSERT_EQ(loss == nullptr ? 0 : loss->size(), whole) << cut;
  }
}

// Any order of tags, steps, files and kinds of values: each tag has its values in the order of
// step, time, file and offset.
TEST_F(RunTest, AnyInterleavingGivesEveryPointInOrder) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::map<std::string, std::vector<std::pair<std::int64_t, float>>> expected;
    std::vector<std::string> files(3);
    float next = 0;
    for (std::string& file : files) {
      const auto count = random() % 60;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::string tag = "tag" + std::to_string(random() % 4);
        const auto step = static_cast<std::int64_t>(random() % 10) - 2;
        const bool tensorboard = &file == &files[2];
        file += tensorboard ? TensorBoardScalar(tag, step, next) : MindSporeScalar(tag, step, next);
        expected[tag].emplace_back(step, next++);
      }
    }
    fs_.Put(kMindSpore1, files[0]);
    fs_.Put(kMindSpore2, files[1]);
    fs_.Put(kTensorBoard3, files[2]);
    const auto run = Open();
    EXPECT_EQ(run->series().size(), expected.size());
    for (auto& [tag, points] : expected) {
      std::stable_sort(points.begin(), points.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      const Series* series = run->Find(ContentKind::kScalar, tag);
      ASSERT_NE(series, nullptr);
      ASSERT_EQ(series->size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(series->steps()[i], points[i].first);
        EXPECT_EQ(series->values()[i], static_cast<double>(points[i].second));
      }
    }
  }
}

// Both dialects of a recorder of ours: one series, also while the journal holds the values.
TEST(RecordedRunTest, BothDialectsOfASessionAreOneSeriesAlsoFromTheJournal) {
  const testing::TempDir dir;
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.writing.flush_interval = std::chrono::hours(1);
  auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  const std::vector<std::int64_t> shape = {2};
  const std::vector<float> data = {1.5F, 2.5F};
  for (std::int64_t step = 0; step < 10; ++step) {
    (*recorder)->AddScalar("loss", step, 0.5);
    (*recorder)->AddTensor("weights", step, View(data.data(), shape));
  }
  const auto check = [&](RunState state) {
    const auto run = sightline::Run::Open(dir.path());
    ASSERT_THAT(run, IsOk());
    const Series* loss = (*run)->Find(ContentKind::kScalar, "loss");
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->size(), 10U);
    const Series* weights = (*run)->Find(ContentKind::kTensor, "weights");
    ASSERT_NE(weights, nullptr);
    ASSERT_EQ(weights->size(), 10U);
    const auto stored = (*run)->Read(weights->point(7));
    ASSERT_THAT(stored, IsOk());
    EXPECT_THAT(stored->Tensor(), IsOk());
    EXPECT_EQ((*run)->State(testing::ManualClock((*run)->signs().last_change)), state);
  };
  check(RunState::kRunning);
  ASSERT_THAT((*recorder)->Close(), IsOk());
  check(RunState::kFinished);
}

TEST_F(RunTest, IsWithAMemoryLimitWhatItIsWithoutOne) {
  std::string bytes;
  for (int step = 0; step < 30'000; ++step)
    bytes += TensorBoardScalar("loss", 30'000 - step, static_cast<float>(step));
  fs_.Put(kTensorBoard1, bytes);
  const std::string without = testing::Text(*Open());
  const testing::TempDir folder;
  const auto limit = MemoryLimit::Set(MemoryLimit::kLeast, folder.path());
  const auto run = Open();
  EXPECT_GT((*limit)->spilled_bytes(), 0U);
  EXPECT_EQ(testing::Text(*run), without);
}

}  // namespace
}  // namespace sightline
