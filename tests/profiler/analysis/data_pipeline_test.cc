#include "sightline/profiler/analysis/data_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
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
  const DataReport report = AnalyzeDataPipeline(profile);
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
// processor is 84 % busy, since half of its samples are invalid.
TEST(DataPipelineReport, OfASlowGeneratorNamesIt) {
  const Profile profile = ImportCorpus("mindspore_2_0/minddata_slowgen");
  const DataReport report = AnalyzeDataPipeline(profile);
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
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
}

TEST(DataPipelineReport, LooksThroughOperatorsWithoutAQueue) {
  Profile profile;
  profile.data.operators = {Operator(0, "BatchOp", {1}, {5}), Operator(1, "TakeOp", {2}, {}),
                            Operator(2, "TFReaderOp", {}, {9})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("slow-operator BatchOp_0"));
}

TEST(DataPipelineReport, SurvivesARingOfOperators) {
  Profile profile;
  profile.data.operators = {Operator(0, "BatchOp", {1}, {5}), Operator(1, "A", {2}, {}),
                            Operator(2, "B", {1}, {})};
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
}

// A forged file may have any number of them, and the work would grow with its square.
TEST(DataPipelineReport, LooksAtTheFirst32OperatorsInFrontOfOne) {
  Profile profile;
  std::vector<std::int64_t> in_front(32, 1);
  in_front.push_back(2);
  profile.data.operators = {Operator(0, "BatchOp", in_front, {2}), Operator(1, "A", {1}, {}),
                            Operator(2, "B", {1}, {9})};
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
  std::swap(profile.data.operators[0].children.front(), profile.data.operators[0].children.back());
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("slow-operator BatchOp_0"));
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
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)),
              ElementsAre("data-transfer", "busy-operator MapOp_0", "busy-processor"));
}

// A map with a full queue, whose workers use so much of a core together.
std::vector<std::string> RulesOfWorkers(std::int64_t workers, double cpu_percent) {
  Profile profile;
  profile.data.operators = {Operator(0, "MapOp", {}, {9})};
  profile.data.operators[0].workers = workers;
  profile.data.operators[0].cpu_percent = cpu_percent;
  return RulesOf(AnalyzeDataPipeline(profile));
}

// Facts section 5 E: more than 75 % a worker; less than 20 % where there are several.
TEST(DataPipelineReport, CallsWorkersBusyAbove75AndIdleBelow20Percent) {
  EXPECT_THAT(RulesOfWorkers(4, 4 * 75.5), ElementsAre("busy-operator MapOp_0"));
  EXPECT_THAT(RulesOfWorkers(4, 4 * 75.0), IsEmpty());
  EXPECT_THAT(RulesOfWorkers(4, 4 * 20.0), IsEmpty());
  EXPECT_THAT(RulesOfWorkers(4, 4 * 19.5), ElementsAre("idle-workers MapOp_0"));
  EXPECT_THAT(RulesOfWorkers(1, 76), ElementsAre("busy-operator MapOp_0"));
  EXPECT_THAT(RulesOfWorkers(1, 1), IsEmpty()) << "one worker cannot be fewer";
}

// The advice if this operator's queue is emptier than the one before it.
std::string ChangeOf(const std::string& type) {
  Profile profile;
  profile.data.operators = {Operator(0, type, {1}, {2}), Operator(1, "TFReaderOp", {}, {9})};
  const DataReport report = AnalyzeDataPipeline(profile);
  return report.advice.empty() ? "" : report.advice.front().change;
}

// 003: "if a ... type operator is the bottleneck".
TEST(DataPipelineReport, AdvisesWhatTheKindOfTheOperatorAllows) {
  EXPECT_EQ(ChangeOf("BatchOp"), "change prefetch_size");
  EXPECT_EQ(ChangeOf("Batch"), "change prefetch_size");
  EXPECT_THAT(ChangeOf("MapOp"),
              ::testing::HasSubstr("num_parallel_workers; optimise the function"));
  EXPECT_THAT(ChangeOf("GeneratorOp"), ::testing::HasSubstr("MindRecordDataset"));
  EXPECT_THAT(ChangeOf("ShuffleOp"), ::testing::HasSubstr("operators before it"));
  Profile source;
  source.data.operators = {Operator(0, "TFReaderOp", {}, {5, 6})};
  EXPECT_EQ(AnalyzeDataPipeline(source).advice.at(0).change,
            "change num_parallel_workers of the data set");
}

TEST(DataPipelineReport, CallsASourceSlowBelow60AndALeafEmptyUpTo50Percent) {
  Profile profile;
  profile.data.operators = {Operator(0, "TFReaderOp", {}, {6})};
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
  profile.data.operators = {Operator(0, "TFReaderOp", {}, {5, 6})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("slow-operator TFReaderOp_0"));
  profile.data.operators = {Operator(0, "TFReaderOp", {}, {5})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)),
              ElementsAre("slow-operator TFReaderOp_0", "leaf-queue TFReaderOp_0"));
}

TEST(DataPipelineReport, CallsAQueueSlowThatIsEmptierByMoreThanATenth) {
  Profile profile;
  profile.data.operators = {Operator(0, "MapOp", {1}, {5}), Operator(1, "TFReaderOp", {}, {6})};
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
  profile.data.operators[1].queue_sizes = {6, 7};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("slow-operator MapOp_0"));
}

TEST(DataPipelineReport, CallsThePipelineSlowWhereMoreThan30PercentOfTheBatchesFoundNothing) {
  BatchRecord found;
  found.queue_capacity = 4;
  found.queue_size = 1;
  BatchRecord missed = found;
  missed.queue_size = 0;
  Profile profile;
  profile.data.batches.assign(7, found);
  profile.data.batches.insert(profile.data.batches.end(), 3, missed);
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
  profile.data.batches.push_back(missed);
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("data-process"));
}

TEST(DataPipelineReport, CallsTheMachineBusyAbove80Percent) {
  Profile profile;
  profile.data.machine_idle = {10, 30};
  EXPECT_THAT(AnalyzeDataPipeline(profile).advice, IsEmpty());
  profile.data.machine_idle = {10, 29};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)), ElementsAre("busy-processor"));
}

// Facts section 5 E: low CPU, and a queue in front that is below 10 %, or its own above that by 50.
TEST(DataPipelineReport, AdvisesPrefetchingWhereIdleWorkersHaveAnEmptyQueueInFrontOfThem) {
  const auto has_prefetch = [](std::int64_t own, const std::vector<std::int64_t>& input,
                               double cpu) {
    Profile profile;
    profile.data.operators = {Operator(0, "MapOp", {1}, {own}),
                              Operator(1, "TFReaderOp", {}, input)};
    profile.data.operators[0].cpu_percent = cpu;
    const auto rules = RulesOf(AnalyzeDataPipeline(profile));
    return std::find(rules.begin(), rules.end(), "prefetch MapOp_0") != rules.end();
  };
  EXPECT_TRUE(has_prefetch(1, {0, 1}, 2));
  EXPECT_FALSE(has_prefetch(1, {1}, 2));
  EXPECT_TRUE(has_prefetch(8, {2}, 2));
  EXPECT_FALSE(has_prefetch(7, {2}, 2));
  EXPECT_FALSE(has_prefetch(1, {0}, 40)) << "20 % a worker is not idle";
}

TEST(DataPipelineReport, NamesTheLastOperatorWhereAllQueuesAreFullAndTheTrainingWaits) {
  Profile profile;
  BatchRecord batch;
  batch.queue_capacity = 4;
  profile.data.batches = {batch};
  profile.data.operators = {Operator(0, "BatchOp", {1}, {9}), Operator(1, "TFReaderOp", {}, {10})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)),
              ElementsAre("data-process", "slow-operator BatchOp_0"));
}

TEST(DataPipelineReport, LooksAtTheQueuesAroundTheDevice) {
  Profile profile;
  profile.data.operators = {Operator(0, "DeviceQueueOp", {1}, {9, 9}),
                            Operator(1, "TFReaderOp", {}, {0, 0, 0, 9})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)),
              ElementsAre("slow-operator TFReaderOp_1", "device-queue DeviceQueueOp_0",
                          "leaf-queue TFReaderOp_1"));
  profile.data.operators = {Operator(0, "DeviceQueueOp", {1}, {2, 2}),
                            Operator(1, "TFReaderOp", {}, {9})};
  EXPECT_THAT(RulesOf(AnalyzeDataPipeline(profile)),
              ElementsAre("slow-operator DeviceQueueOp_0", "device-queue DeviceQueueOp_0"));
}

}  // namespace
}  // namespace sightline::profiler
