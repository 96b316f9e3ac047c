#include "sightline/collectors/rules/collection_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace sightline {
namespace {

using ::testing::ElementsAre;

using Counts = std::map<std::string, std::int64_t>;

Counts CountsOf(const CollectionPlan& plan) {
  Counts counts;
  for (const PlannedKind& kind : plan.kinds) {
    counts[std::string(kind.name)] = kind.count;
    EXPECT_EQ(kind.Steps(plan.total).size(), static_cast<std::size_t>(kind.count)) << kind.name;
  }
  return counts;
}

Counts CountsOf(const SummaryOptions& options, const TrainingLength& length) {
  return CountsOf(PlanCollection(options, length, {}));
}

Counts Each(std::int64_t rest, std::int64_t tensors) {
  return {{"scalar", rest}, {"histogram", rest}, {"image", rest}, {"tensor", tensors}};
}

TEST(CollectionPlanTest, CountsAsTheRulesSay) {
  EXPECT_EQ(CountsOf({}, {.epochs = 1, .steps_per_epoch = 600}), Each(61, 20));
  EXPECT_EQ(CountsOf({}, {.epochs = 1, .steps_per_epoch = 20}), Each(3, 3));
  EXPECT_EQ(CountsOf({.collect_freq = 5, .collect_tensor_freq = 2}, {1, 23}), Each(5, 12));
  EXPECT_EQ(CountsOf({.collect_freq = 1}, {1, 30}), Each(30, 20));
}

TEST(CollectionPlanTest, ListsTheSteps) {
  const CollectionPlan plan = PlanCollection({.collect_freq = 5}, {1, 12}, {});
  EXPECT_EQ(plan.total, 12);
  EXPECT_THAT(plan.kinds[0].Steps(plan.total), ElementsAre(1, 5, 10));
}

TEST(CollectionPlanTest, InSinkModeEpochsAreCounted) {
  const TrainingLength length{.epochs = 30, .steps_per_epoch = 500, .sink_mode = true};
  EXPECT_EQ(PlanCollection({}, length, {}).total, 30);
  EXPECT_EQ(CountsOf({}, length), Each(4, 4));
}

// 600 steps are 61 recorded ones, too many for tensors; a rank's 75 would be 8.
TEST(CollectionPlanTest, RanksShareTheTensorsSteps) {
  EXPECT_EQ(CountsOf({}, {.epochs = 1, .steps_per_epoch = 600, .ranks = 8}), Each(61, 61));
  EXPECT_EQ(CountsOf({}, {.epochs = 1, .steps_per_epoch = 6000, .ranks = 8}), Each(601, 20));
}

TEST(CollectionPlanTest, KindsThatAreSwitchedOffHaveNoSteps) {
  SummaryOptions options;
  options.collect_specified_data.collect_histograms = false;
  options.collect_specified_data.collect_input_data = false;
  Counts expected = Each(61, 20);
  expected["histogram"] = expected["image"] = 0;
  EXPECT_EQ(CountsOf(options, {1, 600}), expected);
}

TEST(CollectionPlanTest, TotalsThatDoNotFitAreCutNotWrapped) {
  const TrainingLength length{.epochs = std::int64_t{1} << 40,
                              .steps_per_epoch = std::int64_t{1} << 40};
  const CollectionPlan plan = PlanCollection({}, length, {});
  EXPECT_EQ(plan.total, StepSeries::kNever);
  EXPECT_GT(plan.kinds[0].count, 0);
}

double TensorBytes(const SummaryOptions& options, DType dtype) {
  const PlannedSizes sizes{.tensors = {{dtype, {100, 1000}}}};
  return PlanCollection(options, {1, 600}, sizes).kinds[3].bytes();
}

TEST(CollectionPlanTest, TensorsTakeTheirElementsForEachRecordedStep) {
  EXPECT_NEAR(TensorBytes({}, DType::kFloat32), 20 * 4e5, 2e3);
  // As float32, and as they are.
  EXPECT_NEAR(TensorBytes({}, DType::kFloat64), 20 * 12e5, 2e3);
  EXPECT_NEAR(TensorBytes({.export_options = {TensorFormat::kNpy}}, DType::kFloat32), 20 * 8e5,
              1e4);
  // float32 holds every float16.
  EXPECT_NEAR(TensorBytes({}, DType::kFloat16), 20 * 4e5, 2e3);
  EXPECT_NEAR(TensorBytes({.formats = {Format::kTensorBoard}}, DType::kFloat16), 20 * 2e5, 2e3);
  EXPECT_NEAR(TensorBytes({.formats = {Format::kMindSpore, Format::kTensorBoard}}, DType::kFloat32),
              20 * 8e5, 2e3);
}

TEST(StepSeriesTest, CountsWhatItContains) {
  for (const StepSeries series :
       {StepSeries{.period = 1}, StepSeries{.period = 7}, StepSeries{.period = 3, .last = 10},
        StepSeries{.period = 1, .doubling = true}, StepSeries{.period = 5, .doubling = true}}) {
    std::int64_t count = 0;
    EXPECT_EQ(series.CountTo(0), 0);
    for (std::int64_t step = 1; step < 100; ++step) {
      count += series.Contains(step) ? 1 : 0;
      EXPECT_EQ(series.CountTo(step), count) << series.period << " to " << step;
    }
  }
}

TEST(CollectionPlanTest, FrequenciesTakeThePlaceOfTheRules) {
  SummaryOptions options;
  options.frequencies = {{.kind = ValueKind::kHistogram, .every_steps = 100},
                         {.kind = ValueKind::kImage, .every_seconds = 30, .first_steps = 2},
                         {.tag = "grad/.*", .every_steps = 200}};
  const CollectionPlan plan = PlanCollection(options, {.epochs = 1, .steps_per_epoch = 600}, {});
  EXPECT_EQ(CountsOf(plan),
            (Counts{{"scalar", 61}, {"histogram", 7}, {"image", 2}, {"tensor", 20}}));
  EXPECT_EQ(plan.kinds[2].every_seconds, 30);
  ASSERT_EQ(plan.tags.size(), 1U);
  EXPECT_EQ(plan.tags[0].count, 4);
  EXPECT_EQ(plan.tags[0].frequency.tag, "grad/.*");
}

}  // namespace
}  // namespace sightline
