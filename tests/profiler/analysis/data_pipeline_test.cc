#include "sightline/profiler/analysis/data_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profile {
namespace {

using ::testing::ElementsAre;
using testing::ImportCorpus;
using ::testing::IsEmpty;

std::vector<std::string> RulesOf(const DataReport& report) {
  std::vector<std::string> rules;
  for (const Advice& advice : report.advice)
    rules.push_back(advice.rule + (advice.subject.empty() ? "" : " " + advice.subject));
  return rules;
}

// mindinsight_answers.txt: 150 batches, 0 empty, 45 full, 0.66 ms; MapOp_3 is picked.
TEST(DataPipelineReport, OfAFastLoaderIsMindInsights) {
  const Profile profile = ImportCorpus("mindspore_2_0/minddata");
  const DataReport report = DataPipelineOf(profile);
  EXPECT_EQ(report.batches, 150);
  EXPECT_EQ(report.empty_batches, 0);
  EXPECT_EQ(report.full_batches, 45);
  EXPECT_NEAR(report.get_mean, 0.66e6, 1);
  ASSERT_EQ(report.queues.size(), 7);
  EXPECT_FALSE(report.queues[0].usage.has_value());
  EXPECT_EQ(report.queues[1].usage, 0.5);
  EXPECT_EQ(report.queues[6].usage, 1.0);
  EXPECT_THAT(RulesOf(report),
              ElementsAre("slow-operator MapOp_3", "idle-workers BatchOp_1", "idle-workers MapOp_3",
                          "idle-workers MapOp_4", "idle-workers MapOp_5"));
  EXPECT_FALSE(report.machine_busy.has_value())
      << "samples of nothing but zeros, MindInsight's 100 %";
}

// 144 of 150 batches were empty, 61 ms each; GeneratorOp_6 is the cause. MindInsight says that the
// processor is 84 % busy, since half of its samples are no samples.
TEST(DataPipelineReport, OfASlowGeneratorNamesIt) {
  const Profile profile = ImportCorpus("mindspore_2_0/minddata_slowgen");
  const DataReport report = DataPipelineOf(profile);
  EXPECT_EQ(report.empty_batches, 144);
  EXPECT_NEAR(report.get_mean, 61.026667e6, 1);
  EXPECT_EQ(report.queues[6].usage, 0.00625);
  EXPECT_EQ(report.queues[6].of->cpu_percent, 1.1);
  EXPECT_NEAR(report.machine_busy.value_or(0), 65, 0.5);
  EXPECT_THAT(RulesOf(report),
              ElementsAre("data-process", "slow-operator GeneratorOp_6", "idle-workers BatchOp_1",
                          "prefetch BatchOp_1", "idle-workers MapOp_3", "idle-workers MapOp_4",
                          "idle-workers MapOp_5", "leaf-queue GeneratorOp_6"));
  EXPECT_THAT(report.advice[0].evidence, ::testing::HasSubstr("144 of 150"));
  EXPECT_THAT(report.advice[1].change, ::testing::HasSubstr("MindRecordDataset"));
}

PipelineOperator Operator(std::int64_t id, std::string type, std::vector<std::int64_t> children,
                          std::vector<std::int64_t> sizes) {
  PipelineOperator one;
  one.id = id;
  one.type = std::move(type);
  one.workers = 2;
  one.children = std::move(children);
  one.queue_capacity = sizes.empty() ? 0 : 10;
  one.queue_sizes = std::move(sizes);
  return one;
}

TEST(DataPipelineReport, OfFullQueuesAdvisesNothing) {
  Profile profile;
  profile.data.operators = {Operator(0, "BatchOp", {1}, {9, 9}),
                            Operator(1, "MapOp", {}, {10, 10})};
  EXPECT_THAT(DataPipelineOf(profile).advice, IsEmpty());
}

TEST(DataPipelineReport, LooksThroughOperatorsWithoutAQueue) {
  Profile profile;
  profile.data.operators = {Operator(0, "BatchOp", {1}, {5}), Operator(1, "TakeOp", {2}, {}),
                            Operator(2, "TFReaderOp", {}, {9})};
  EXPECT_THAT(RulesOf(DataPipelineOf(profile)), ElementsAre("slow-operator BatchOp_0"));
}

TEST(DataPipelineReport, SurvivesARingOfOperators) {
  Profile profile;
  profile.data.operators = {Operator(0, "BatchOp", {1}, {5}), Operator(1, "A", {2}, {}),
                            Operator(2, "B", {1}, {})};
  EXPECT_THAT(DataPipelineOf(profile).advice, IsEmpty());
}

TEST(DataPipelineReport, NamesTheWayToTheDeviceAndBusyWorkers) {
  Profile profile;
  BatchRecord batch;
  batch.queue_size = 3;
  batch.queue_capacity = 4;
  profile.data.batches = {batch};
  profile.data.get_next_sizes = {1, 0};
  profile.data.operators = {Operator(0, "MapOp", {}, {9})};
  profile.data.operators[0].cpu_percent = 160;
  profile.data.machine_idle = {10, 10};
  EXPECT_THAT(RulesOf(DataPipelineOf(profile)),
              ElementsAre("data-transfer", "busy-operator MapOp_0", "busy-processor"));
}

TEST(DataPipelineReport, NamesTheLastOperatorWhereAllQueuesAreFullAndTheTrainingWaits) {
  Profile profile;
  BatchRecord batch;
  batch.queue_capacity = 4;
  profile.data.batches = {batch};
  profile.data.operators = {Operator(0, "BatchOp", {1}, {9}), Operator(1, "TFReaderOp", {}, {10})};
  EXPECT_THAT(RulesOf(DataPipelineOf(profile)),
              ElementsAre("data-process", "slow-operator BatchOp_0"));
}

TEST(DataPipelineReport, LooksAtTheQueuesAroundTheDevice) {
  Profile profile;
  profile.data.operators = {Operator(0, "DeviceQueueOp", {1}, {9, 9}),
                            Operator(1, "TFReaderOp", {}, {0, 0, 0, 9})};
  EXPECT_THAT(RulesOf(DataPipelineOf(profile)),
              ElementsAre("slow-operator TFReaderOp_1", "device-queue DeviceQueueOp_0",
                          "leaf-queue TFReaderOp_1"));
  profile.data.operators = {Operator(0, "DeviceQueueOp", {1}, {2, 2}),
                            Operator(1, "TFReaderOp", {}, {9})};
  EXPECT_THAT(RulesOf(DataPipelineOf(profile)),
              ElementsAre("slow-operator DeviceQueueOp_0", "device-queue DeviceQueueOp_0"));
}

}  // namespace
}  // namespace sightline::profile
