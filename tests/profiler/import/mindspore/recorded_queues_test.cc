#include "sightline/profiler/import/mindspore/recorded_queues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::ImportEvents;

// What the recorder writes of a queue, in Chrome's form.
std::string Queue(const std::string& name, int capacity, const std::string& parent = "") {
  return R"({"ph":"i","name":")" + name + R"(","cat":"queue","ts":0,"args":{"capacity":)" +
         std::to_string(capacity) + R"(,"workers":2)" +
         (parent.empty() ? "" : R"(,"parent":")" + parent + "\"") + "}}";
}
std::string Depth(const std::string& name, int time, int depth) {
  return R"({"ph":"C","name":")" + name + R"(: depth","ts":)" + std::to_string(time) +
         R"(,"args":{"value":)" + std::to_string(depth) + "}}";
}
std::string Get(const std::string& name, int time, int duration) {
  return R"({"ph":"X","name":")" + name + R"(: get","cat":"queue","ts":)" + std::to_string(time) +
         R"(,"dur":)" + std::to_string(duration) + "}";
}

TEST(RecordedQueues, AreTheOperatorsOfAPipeline) {
  const Profile profile = ImportEvents(Queue("files", 4) + "," + Queue("batches", 8, "files") +
                                       "," + Depth("batches", 1, 8) + "," + Depth("batches", 2, 4) +
                                       "," + Depth("files", 2, 1));
  ASSERT_EQ(profile.data.operators.size(), 2);
  const PipelineOperator& nearest = profile.data.operators[0];
  EXPECT_EQ(nearest.type, "batches");
  EXPECT_THAT(nearest.children, ElementsAre(1));
  EXPECT_EQ(nearest.workers, 2);
  EXPECT_THAT(nearest.queue_sizes, ElementsAre(8, 4));
  EXPECT_EQ(profile.data.operators[1].parent, 0);
  const DataReport report = AnalyzeDataPipeline(profile);
  EXPECT_EQ(report.queues[0].usage, 0.75);
}

TEST(RecordedQueues, HaveABatchForEachWait) {
  const Profile profile =
      ImportEvents(Queue("batches", 8) + "," + Depth("batches", 1, 3) + "," + Get("batches", 5, 2) +
                   "," + Depth("batches", 6, 0) + "," + Get("batches", 9, 40));
  ASSERT_EQ(profile.data.batches.size(), 2);
  EXPECT_EQ(profile.data.batches[0].queue_size, 3);
  EXPECT_EQ(profile.data.batches[1].queue_size, 0);
  EXPECT_EQ(profile.data.batches[1].get, 40'000);
  EXPECT_EQ(AnalyzeDataPipeline(profile).empty_batches, 1);
}

TEST(RecordedQueues, OfUnknownCapacityAreKnownByTheirDepth) {
  const Profile profile = ImportEvents(Depth("loader", 1, 0) + "," + Get("loader", 5, 2));
  ASSERT_EQ(profile.data.operators.size(), 1);
  EXPECT_EQ(profile.data.operators[0].type, "loader");
  EXPECT_FALSE(AnalyzeDataPipeline(profile).queues[0].usage.has_value());
  EXPECT_EQ(AnalyzeDataPipeline(profile).empty_batches, 1);
}

TEST(RecordedQueues, OfUnknownDepthHaveNoBatches) {
  EXPECT_TRUE(ImportEvents(Queue("batches", 0) + "," + Get("batches", 5, 2)).data.batches.empty());
}

TEST(RecordedQueues, ThatTakeFromEachOtherAreLeftOut) {
  const Profile profile = ImportEvents(Queue("a", 1, "b") + "," + Queue("b", 1, "a"));
  EXPECT_TRUE(profile.data.operators.empty());
}

}  // namespace
}  // namespace sightline::profiler
