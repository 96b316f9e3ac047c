// A run of SummaryMonitor as a whole: graph, lineage, files, what it says, how it ends.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/collectors/config/recorder_config.h"
#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/collectors/summary_monitor_fixture.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline {
namespace {

class SummaryMonitorRunTest : public testing::SummaryMonitorTest {
 protected:
  static void SetHyperConfig(const std::string& pairs) {
    setenv("MINDINSIGHT_HYPER_CONFIG", ("{\"custom_lineage_data\": " + pairs + "}").c_str(), 1);
  }
  // What trainings one after the other record, each of which is given such pairs.
  std::vector<std::string> CustomLineages(const std::vector<CustomLineage>& trainings) {
    CollectOnly(Nothing());
    for (const CustomLineage& pairs : trainings) {
      options.custom_lineage_data = pairs;
      auto created = SummaryMonitor::Create(dir.path(), options, monitor.get());
      EXPECT_THAT(created, testing::IsOk());
      monitor = *std::move(created);
      EXPECT_THAT(monitor->End(), testing::IsOk());
    }
    return Lineage();
  }
};

using ::sightline::testing::InForkedChild;
using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::ReadFileOrDie;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::sightline::testing::WriteFileOrDie;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNan;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST_F(SummaryMonitorRunTest, RecordsTheGraphOnce) {
  const Graph graph{.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU"}}};
  Monitor().RecordGraph(graph);
  Monitor().RecordGraph(graph);
  EXPECT_THAT(Recorded(), ElementsAre("0 :graph=net"));
}

TEST_F(SummaryMonitorRunTest, RecordsSerializedGraphsAsTheyAre) {
  const Result<std::string> graph =
      SerializeGraph({.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU"}}});
  const Result<std::string> pipeline = SerializeDatasetGraph({});
  CollectOnly({.collect_train_lineage = false});
  Monitor().RecordSerializedGraph(*graph);
  Monitor().RecordSerializedGraph("nothing after the first");
  Monitor().RecordSerializedDatasetGraph(*pipeline);
  EXPECT_THAT(Recorded(), ElementsAre("0 :graph=net"));
  EXPECT_THAT(Lineage(), SizeIs(1));
}

TEST_F(SummaryMonitorRunTest, ReportsAGraphThatIsNone) {
  Monitor().RecordGraph(
      {.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU", .inputs = {"nowhere"}}}});
  EXPECT_THAT(Monitor().End(), IsStatus(StatusCode::kInvalidArgument, "graph: "));
  EXPECT_THAT(said.back(), HasSubstr("nowhere"));
}

TEST_F(SummaryMonitorRunTest, RecordsTheTrainingsLineageAtTheEnd) {
  Monitor().Begin({.epochs = 1, .steps_per_epoch = 4, .network = "LeNet5"});
  Train(4);
  EXPECT_THAT(Lineage(), ElementsAre("0 train:lineage=LeNet5", "0 train:lineage=LeNet5 loss=0.25"));
}

TEST_F(SummaryMonitorRunTest, TheLineagesLossIsTheLastOneRecordedOrWhatTheTrainerSays) {
  options.collect_freq = 2;
  Train(5);
  EXPECT_THAT(Lineage(), ElementsAre("0 train:lineage= loss=0.25"));
  monitor.reset();
  Train(1);
  Monitor().SetLastLoss(0.125);
  EXPECT_THAT(Lineage(), Contains("0 train:lineage= loss=0.125"));
}

TEST_F(SummaryMonitorRunTest, TellsNothingOfATrainingThatWasNone) {
  Monitor().EndEvaluation(0, {{"accuracy", 0.75}});
  EXPECT_THAT(Lineage(), ElementsAre("0 eval:lineage={\"accuracy\": 0.75}"));
}

TEST_F(SummaryMonitorRunTest, RecordsCustomLineage) {
  options.custom_lineage_data = {{"version", "r1"}, {"batch", std::int64_t{32}}};
  CollectOnly(Nothing());
  EXPECT_THAT(Lineage(), ElementsAre("0 custom:lineage=batch=32 version=r1"));
}

TEST_F(SummaryMonitorRunTest, RecordsTheDatasetGraphOnce) {
  CollectOnly({});
  options.collect_specified_data.collect_train_lineage = false;
  DatasetGraph graph;
  graph.parameters["op_type"] = std::string("Batch");
  Monitor().RecordDatasetGraph(graph);
  Monitor().RecordDatasetGraph(graph);
  EXPECT_THAT(Lineage(), SizeIs(1));
}

TEST_F(SummaryMonitorRunTest,
       RecordsCustomLineageOfTheOptionsAndTheEnvironmentOfWhichTheOptionsWin) {
  SetHyperConfig(R"({"lr": 0.1, "seed": 2})");
  EXPECT_THAT(CustomLineages({{{"lr", 0.5}, {"note", "x"}}}),
              ElementsAre("0 custom:lineage=lr=0.5 note=x seed=2"));
}

TEST_F(SummaryMonitorRunTest, ALaterMonitorOfTheDirectoryRecordsCustomLineageWhereItHasChanged) {
  SetHyperConfig(R"({"lr": 0.1})");
  const CustomLineage one = {{"seed", 1}};
  const CustomLineage two = {{"seed", 2}};
  EXPECT_THAT(CustomLineages({one, one, two, two, {}}),
              ElementsAre("0 custom:lineage=lr=0.1 seed=1", "0 custom:lineage=lr=0.1 seed=2",
                          "0 custom:lineage=lr=0.1"));
}

TEST_F(SummaryMonitorRunTest, ABadEnvironmentIsSaidAndReportedAndRecordingGoesOn) {
  setenv("MINDINSIGHT_HYPER_CONFIG", "[1]", 1);
  CollectOnly(OnlyMetrics());
  Train(1);
  EXPECT_THAT(said, Contains(HasSubstr("MINDINSIGHT_HYPER_CONFIG is no JSON object")));
  EXPECT_THAT(Monitor().End(), IsStatus(StatusCode::kInvalidArgument, "MINDINSIGHT_HYPER_CONFIG"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), ElementsAre("1 loss/auto=1"));
}

TEST_F(SummaryMonitorRunTest, CollectsNothingThatIsSwitchedOff) {
  CollectOnly(Nothing());
  Monitor().Begin({.network = "LeNet5"});
  Monitor().RecordGraph({.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU"}}});
  Train(2, [&](StepInfo& info) {
    info.learning_rate = 0.1;
    info.input.Set(images.data(), {2, 3, 8, 8});
    info.parameters = network;
  });
  Monitor().EndEvaluation(2, {{"accuracy", 0.75}});
  EXPECT_THAT(Recorded(), IsEmpty());
  EXPECT_THAT(Lineage(), IsEmpty());
}

TEST_F(SummaryMonitorRunTest, WritesBothDialects) {
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  CollectOnly(OnlyMetrics());
  Train(2);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).tensorboard),
              ElementsAre("1 loss/auto=1", "2 loss/auto=0.5"));
}

TEST_F(SummaryMonitorRunTest, KeepsFilesBelowTheirLimit) {
  options.max_file_size = 2000;
  Train(200);
  EXPECT_THAT(Monitor().End(), IsOk());
  const RecordedRun run = ReadRun(dir.path());
  EXPECT_GT(run.mindspore.size(), 3U);
  for (const auto& file : run.mindspore) EXPECT_LE(file.bytes, 2000U) << file.name;
}

TEST_F(SummaryMonitorRunTest, WarnsOfFilesThatHoldAFewEventsOnly) {
  options.max_file_size = 100;
  Train(1);
  EXPECT_THAT(said, Contains(HasSubstr("max_file_size is 100 bytes: a file is full after a few")));
  EXPECT_EQ(WarningOfSmallFiles(64 << 10), "");
  EXPECT_EQ(WarningOfSmallFiles(std::nullopt), "");
}

TEST_F(SummaryMonitorRunTest, SaysWhereTheRunIsRecordedAndHowToLookAtIt) {
  options.collect_freq = 10;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  Monitor();
  EXPECT_THAT(said, ElementsAre("recording step 1 and every 10th to " + dir.path() +
                                "; look with: sightline serve " + dir.path() +
                                " or tensorboard --logdir " + dir.path()));
}

TEST_F(SummaryMonitorRunTest, SaysWhatWasRecorded) {
  CollectOnly(OnlyMetrics());
  Train(3);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(said, SizeIs(2));
  EXPECT_THAT(said.back(), AllOf(StartsWith("recorded 3 values in 3 events ("),
                                 HasSubstr(") in " + dir.path())));
}

TEST_F(SummaryMonitorRunTest, DoesNothingWhenSwitchedOff) {
  setenv("SIGHTLINE_DISABLE", "1", 1);
  std::filesystem::remove(dir.path());
  options.custom_lineage_data = {{"version", "r1"}};
  Monitor().Begin({.network = "LeNet5"});
  Monitor().RecordGraph({.name = "net"});
  bool asked = false;
  Train(20, [&](StepInfo&) { asked = true; });
  StepInfo info{.step = 1, .loss = kNan};
  Monitor().EndStep(info);
  Monitor().Log(1, {{"x", 1}});
  Monitor().BeginEvaluation();
  Monitor().EndEvaluation(1, {{"accuracy", 1}});
  Monitor().SetModel("model.ckpt", 1);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_FALSE(asked);
  EXPECT_FALSE(Monitor().enabled());
  EXPECT_EQ(Monitor().Stats().accepted_values, 0U);
  EXPECT_FALSE(std::filesystem::exists(dir.path()));
  EXPECT_THAT(said, ElementsAre("recording is switched off by SIGHTLINE_DISABLE"));
}

TEST_F(SummaryMonitorRunTest, IsNotSwitchedOffByZero) {
  setenv("SIGHTLINE_DISABLE", "0", 1);
  EXPECT_TRUE(Monitor().enabled());
}

TEST_F(SummaryMonitorRunTest, RefusesBadOptionsEvenWhenSwitchedOff) {
  options.collect_freq = 0;
  for (const char* disable : {"0", "1"}) {
    setenv("SIGHTLINE_DISABLE", disable, 1);
    const auto created = SummaryMonitor::Create(dir.path(), options);
    ASSERT_FALSE(created);
    EXPECT_THAT(created.error(), IsStatus(StatusCode::kInvalidArgument, "collect_freq is 0"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST_F(SummaryMonitorRunTest, NamesAUrlBesideTheOptionsFaults) {
  options.collect_freq = 0;
  const auto created = SummaryMonitor::Create("s3://bucket/run", options);
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error(), IsStatus(StatusCode::kInvalidArgument,
                                        "summary_dir is s3://bucket/run, but must be"));
  EXPECT_THAT(created.error().message(), HasSubstr("; collect_freq is 0"));
}

TEST_F(SummaryMonitorRunTest, NamesADirectoryThatIsNone) {
  const std::string path = dir.File("file");
  WriteFileOrDie(path, "");
  const auto created = SummaryMonitor::Create(path, options);
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().message(), HasSubstr(path));
}

TEST_F(SummaryMonitorRunTest, EndsOnce) {
  CollectOnly(OnlyMetrics());
  Train(1);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(Monitor().End(), IsOk());
  Train(3);
  Monitor().Log(9, {{"x", 1}});
  Monitor().RecordGraph({.name = "net"});
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
  EXPECT_THAT(said, SizeIs(2));
}

TEST_F(SummaryMonitorRunTest, EndsWhenItIsDestroyed) {
  CollectOnly(OnlyMetrics());
  Train(1);
  monitor.reset();
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), ElementsAre("1 loss/auto=1"));
  EXPECT_THAT(said.back(), StartsWith("recorded 1 value in 1 event"));
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(SummaryMonitorRunTest, SaysNothingInAForkedChild) {
  CollectOnly(OnlyMetrics());
  Train(1);
  const int status = InForkedChild([&] {
    Train(3);
    const bool quiet = monitor->End().ok() && said.size() == 1;
    _exit(quiet ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}
#endif

TEST_F(SummaryMonitorRunTest, KeepsWhatTheProgramRunsOn) {
  setenv("RANK", "3", 1);
  options.collect_specified_data.collect_run_facts = true;
  const std::string path =
      dir.File(".sightline-run-" + Monitor().recorder()->session_id() + ".json");
  EXPECT_THAT(Monitor().End(), IsOk());
  unsetenv("RANK");
  const auto facts = nlohmann::json::parse(ReadFileOrDie(path));
  EXPECT_THAT(facts["command"].get<std::string>(), HasSubstr("collectors_tests"));
  EXPECT_EQ(facts["directory"], std::filesystem::current_path().string());
  EXPECT_NE(facts["host"], "");
  EXPECT_EQ(facts["env"]["RANK"], "3");
}

TEST_F(SummaryMonitorRunTest, KeepsNoFactsUnlessTheyAreCollected) {
  Train(1);
  EXPECT_THAT(Monitor().End(), IsOk());
  for (const auto& file : std::filesystem::directory_iterator(dir.path()))
    EXPECT_THAT(file.path().filename().string(), Not(HasSubstr("run-")));
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(SummaryMonitorRunTest, AForkedChildDoesNotWaitForFacts) {
  options.collect_specified_data.collect_run_facts = true;
  Train(1);
  EXPECT_EQ(InForkedChild([&] { monitor.reset(); }), 0);
  EXPECT_THAT(Monitor().End(), IsOk());
}
#endif

TEST_F(SummaryMonitorRunTest, OnlyTheRanksThatAreNamedRecord) {
  options.writing.world_size = 4;
  options.ranks = {{0, 2}};
  for (int rank = 0; rank < 4; ++rank) {
    SCOPED_TRACE(rank);
    const TempDir parent;
    const std::string run = parent.path() + "/run";
    options.writing.rank = rank;
    auto created = SummaryMonitor::Create(run, options);
    ASSERT_THAT(created, IsOk());
    EXPECT_EQ((*created)->enabled(), rank % 2 == 0);
    EXPECT_EQ(std::filesystem::exists(run), rank % 2 == 0);
    EXPECT_EQ((*created)->IsDue(1), rank % 2 == 0);
    (*created)->EndStep(1, [&](StepInfo& info) { info.loss = 1; });
    EXPECT_THAT((*created)->End(), IsOk());
    if (rank % 2 != 0) {
      EXPECT_EQ(said.back(), fmt::format("rank {} does not record: ranks = [0, 2]", rank));
    }
  }
}

TEST_F(SummaryMonitorRunTest, WithoutAWorldSizeTheRankIsTheEnvironments) {
  options.ranks = {{3}};
  setenv("RANK_ID", "3", 1);
  EXPECT_TRUE(Monitor().enabled());
  setenv("RANK_ID", "2", 1);
  monitor.reset();
  EXPECT_FALSE(Monitor().enabled());
  unsetenv("RANK_ID");
}

// A training of 6 steps, 3 an epoch, whose landscape needs its epochs.
class LandscapeRunTest : public SummaryMonitorRunTest {
 protected:
  LandscapeRunTest() {
    options.collect_freq = 100;
    options.collect_specified_data.collect_landscape = {.unit = LandscapeUnit::kEpoch,
                                                        .intervals = {{1, 2, 3}}};
    options.save_checkpoint = [this](const std::string& path) {
      saved.push_back(std::filesystem::path(path).filename().string());
      WriteFileOrDie(path, "weights");
      return Status();
    };
  }
  void TrainTwoEpochs() {
    Monitor().Begin({.epochs = 2, .steps_per_epoch = 3, .network = "LeNet5"});
    Train(6);
  }

  std::vector<std::string> saved;
};

TEST_F(LandscapeRunTest, SavesTheCheckpointsOfItsIntervals) {
  TrainTwoEpochs();
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(saved, ElementsAre("LeNet5_1_epoch.ckpt", "LeNet5_2_epoch.ckpt"));
  EXPECT_THAT(testing::ReadFileOrDie(dir.path() + "/ckpt_dir/train_metadata.json"),
              HasSubstr(R"("epoch_group":{"0":[1,2]})"));
}

TEST_F(LandscapeRunTest, SavesThemAtStepsThatAreToldAtOnceToo) {
  Monitor().Begin({.epochs = 2, .steps_per_epoch = 3, .network = "LeNet5"});
  StepInfo info;
  for (info.step = 1; info.step <= 6; ++info.step) Monitor().EndStep(info);
  EXPECT_THAT(saved, ElementsAre("LeNet5_1_epoch.ckpt", "LeNet5_2_epoch.ckpt"));
}

TEST_F(LandscapeRunTest, ACheckpointMakesAStepDueButRecordsNothingOfIt) {
  Monitor().Begin({.epochs = 2, .steps_per_epoch = 3});
  std::vector<std::int64_t> due;
  int filled = 0;
  for (std::int64_t step = 1; step <= 6; ++step) {
    EXPECT_EQ(Monitor().IsCheckpointDue(step), step % 3 == 0);
    if (Monitor().IsDue(step)) due.push_back(step);
    Monitor().EndStep(step, [&](StepInfo&) { ++filled; });
  }
  EXPECT_THAT(due, ElementsAre(1, 3, 6));
  EXPECT_EQ(filled, 1);
}

TEST_F(LandscapeRunTest, AFailureToSaveDisturbsNothingAndIsReported) {
  options.save_checkpoint = [](const std::string&) -> Status { throw std::bad_alloc(); };
  TrainTwoEpochs();
  EXPECT_THAT(Monitor().End(), IsStatus(StatusCode::kFailedPrecondition, "not recorded"));
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(LandscapeRunTest, AForkedChildSavesNothing) {
  Monitor().Begin({.epochs = 2, .steps_per_epoch = 3});
  const int status = InForkedChild([&] {
    Monitor().EndStep(3, [](StepInfo&) {});
    _exit(saved.empty() ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
}
#endif

TEST_F(LandscapeRunTest, SaysWhenNothingCanBeSaved) {
  TrainTwoEpochs();
  Monitor().Begin({.epochs = 2});
  EXPECT_THAT(said.back(), HasSubstr("none of collect_landscape's intervals is reached"));
  options.save_checkpoint = nullptr;
  monitor.reset();
  Monitor();
  EXPECT_THAT(said, Contains(HasSubstr("collect_landscape needs the function save_checkpoint")));
}

TEST_F(SummaryMonitorRunTest, SaysWhenTheDiskIsFullAndWhenThereIsSpaceAgain) {
  testing::MemoryFileSystem memory;
  options.writing.file_system = &memory;
  options.writing.min_free_disk_bytes = 1000;
  const auto continues = Contains(HasSubstr(" continues"));
  CollectOnly(OnlyMetrics());
  Train(1);
  EXPECT_THAT(said, SizeIs(1));
  memory.SetFreeBytes(999);
  Train(1);
  EXPECT_FALSE(Monitor().recorder()->Flush().ok());
  Train(3);
  EXPECT_THAT(said, SizeIs(2));
  EXPECT_THAT(said.back(), HasSubstr("has paused, because the disk is full"));
  memory.SetFreeBytes(1'000'000);
  EXPECT_THAT(Monitor().recorder()->Flush(), IsOk());
  EXPECT_THAT(said, Not(continues));
  Train(1);
  EXPECT_THAT(said, continues);
  monitor.reset();  // Before its file system.
}

TEST_F(SummaryMonitorRunTest, SaysThatAnEarlierRunIsThere) {
  const auto earlier = Contains(HasSubstr(dir.path() + " holds an earlier run already"));
  Train(1);
  EXPECT_THAT(said, Not(earlier));
  monitor.reset();
  Train(1);
  EXPECT_THAT(said, earlier);
}

TEST_F(SummaryMonitorRunTest, ARunThatGoesOnOrHasSeveralProcessesIsThereWithReason) {
  Train(1);
  monitor.reset();
  said.clear();
  options.resume_from_step = 2;
  Train(1);
  monitor.reset();
  options.resume_from_step.reset();
  options.writing.world_size = 2;
  Train(1);
  EXPECT_THAT(said, Not(Contains(HasSubstr("holds an earlier run already"))));
}

TEST_F(SummaryMonitorRunTest, LivesBesideAnother) {
  TempDir other_dir;
  CollectOnly(OnlyMetrics());
  auto other = SummaryMonitor::Create(other_dir.path(), options);
  ASSERT_THAT(other, IsOk());
  Train(1);
  (*other)->EndStep(1, [](StepInfo& info) { info.loss = 8; });
  EXPECT_THAT((*other)->End(), IsOk());
  EXPECT_THAT(RecordedRun::Values(ReadRun(other_dir.path()).mindspore),
              ElementsAre("1 loss/auto=8"));
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}

}  // namespace
}  // namespace sightline
