#include "sightline/profiler/analysis/device_use.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportEvents;

// One event of a trace; times in microseconds.
std::string Event(const std::string& name, const std::string& category, int thread, int start,
                  int duration) {
  return R"({"ph":"X","name":")" + name + R"(","cat":")" + category + R"(","tid":)" +
         std::to_string(thread) + R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" +
         std::to_string(duration) + "}";
}

DeviceUseTable UseOf(const Profile& profile) {
  return MeasureDeviceUse(profile, AnalyzeSteps(profile));
}

// A step of 100: kernels in 10..30 and 40..60 on two streams, communication in 50..80.
const std::string kStep =
    Event("step 1", "step", 1, 0, 100) + "," + Event("conv", "kernel", 7, 10, 20) + "," +
    Event("conv", "kernel", 8, 20, 10) + "," + Event("relu", "kernel", 7, 40, 20) + "," +
    Event("ncclDevKernel_AllReduce", "kernel", 9, 50, 30);

TEST(DeviceUse, IsWhatRunsAtOnceAndWhatRunsAlone) {
  const DeviceUseTable table = UseOf(ImportEvents(kStep));
  ASSERT_TRUE(table.known);
  EXPECT_FALSE(table.listed);
  ASSERT_EQ(table.steps.size(), 1);
  const DeviceUse& use = table.steps[0];
  EXPECT_EQ(use.total, 100'000);
  EXPECT_EQ(use.computing, 40'000) << "two streams at once count once";
  EXPECT_EQ(use.communication, 30'000);
  EXPECT_EQ(use.overlapped(), 10'000);
  EXPECT_EQ(use.communication_alone, 20'000);
  EXPECT_EQ(use.idle, 40'000);
}

TEST(DeviceUse, OfADeviceAreItsKernelsNotTheOperatorsThatLaunchThem) {
  const DeviceUseTable table =
      UseOf(ImportEvents(kStep + "," + Event("launch", "cpu_op", 1, 0, 100)));
  EXPECT_EQ(table.steps[0].computing, 40'000);
}

TEST(DeviceUse, OfAProcessorAreItsOperators) {
  const DeviceUseTable table = UseOf(
      ImportEvents(Event("step 1", "step", 1, 0, 100) + "," + Event("mm", "cpu_op", 1, 20, 30)));
  EXPECT_EQ(table.steps[0].computing, 30'000);
  EXPECT_EQ(table.steps[0].idle, 70'000);
}

TEST(DeviceUse, WaitingAndCommunicatingInterruptTheSpanAroundThem) {
  const DeviceUseTable table = UseOf(ImportEvents(
      Event("step 1", "step", 1, 0, 100) + "," + Event("train", "", 1, 0, 100) + "," +
      Event("next", "data", 1, 10, 20) + "," + Event("gather", "communication", 1, 60, 40)));
  EXPECT_EQ(table.steps[0].computing, 40'000);
  EXPECT_EQ(table.steps[0].communication_alone, 40'000);
  EXPECT_EQ(table.steps[0].idle, 20'000);
}

// Operators that overlap in all ways: one within another, one that begins where another ends, one
// that crosses another's end, whatever their order.
TEST(DeviceUse, IsTheUnionOfWhatOverlaps) {
  const DeviceUseTable table = UseOf(ImportEvents(
      Event("step 1", "step", 1, 0, 100) + "," + Event("long", "kernel", 7, 0, 40) + "," +
      Event("within", "kernel", 8, 10, 5) + "," + Event("crosses", "kernel", 9, 30, 20) + "," +
      Event("adjoins", "kernel", 7, 50, 10) + "," + Event("apart", "kernel", 7, 80, 10)));
  EXPECT_EQ(table.steps[0].computing, 70'000);
  EXPECT_EQ(table.steps[0].idle, 30'000);
}

TEST(DeviceUse, CountsANanosecondInWhichTwoRunOnce) {
  const DeviceUseTable table = UseOf(
      ImportEvents(R"({"ph":"X","name":"a","cat":"kernel","tid":1,"ts":0,"dur":"0.040"},)"
                   R"({"ph":"X","name":"b","cat":"kernel","tid":2,"ts":"0.039","dur":"0.010"})"));
  EXPECT_EQ(table.all.computing, 49);
}

TEST(DeviceUse, OfAStepIsThePartOfASpanThatLiesInIt) {
  const DeviceUseTable table = UseOf(ImportEvents(
      Event("step 1", "step", 1, 0, 100) + "," + Event("step 2", "step", 1, 100, 100) + "," +
      Event("conv", "kernel", 7, 90, 40) + "," + Event("ncclDevKernel", "kernel", 9, 80, 30)));
  ASSERT_EQ(table.steps.size(), 2);
  EXPECT_EQ(table.steps[0].computing, 10'000);
  EXPECT_EQ(table.steps[0].communication_alone, 10'000);
  EXPECT_EQ(table.steps[0].overlapped(), 10'000);
  EXPECT_EQ(table.steps[1].computing, 30'000);
  EXPECT_EQ(table.steps[1].communication_alone, 0);
  EXPECT_EQ(table.steps[1].overlapped(), 10'000);
}

TEST(DeviceUse, SeveralWaitsInterruptTheSpanAroundThem) {
  const DeviceUseTable table = UseOf(
      ImportEvents(Event("step 1", "step", 1, 0, 100) + "," + Event("train", "", 1, 0, 90) + "," +
                   Event("next", "data", 1, 0, 10) + "," + Event("next", "data", 1, 20, 10) + "," +
                   Event("next", "data", 1, 80, 10)));
  EXPECT_EQ(table.steps[0].computing, 60'000);
  EXPECT_EQ(table.steps[0].idle, 40'000);
}

// A step trace and a table of the device that belong together.
struct Listed {
  Profile profile;
  StepTable steps;
};

Listed ListedOf(const std::vector<DeviceStep>& rows) {
  Listed listed;
  listed.profile.device_steps = rows;
  for (const std::int64_t number : {1, 2}) {
    listed.steps.steps.push_back(
        {.number = number, .start = number * 100, .end = number * 100 + 90});
  }
  return listed;
}

TEST(DeviceUse, OfATableWithoutIdleTimeIsIdleForWhatIsLeftOfTheStep) {
  const Listed listed =
      ListedOf({{.number = 1, .computing = 50, .communication = 30, .communication_alone = 10},
                {.number = 2, .computing = 60, .communication = 25, .communication_alone = 25}});
  const DeviceUseTable table = MeasureDeviceUse(listed.profile, listed.steps);
  ASSERT_EQ(table.steps.size(), 2);
  EXPECT_EQ(table.steps[0].total, 90);
  EXPECT_EQ(table.steps[0].idle, 30);
  EXPECT_EQ(table.steps[1].idle, 5);
  EXPECT_EQ(table.all.total, 180);
  EXPECT_EQ(table.all.computing, 110);
  EXPECT_EQ(table.all.communication, 55);
  EXPECT_EQ(table.all.communication_alone, 35);
  EXPECT_EQ(table.all.idle, 35);
}

TEST(DeviceUse, OfATableWithIdleTimeIsWhatItSays) {
  const Listed listed =
      ListedOf({{.number = 1, .computing = 50, .communication_alone = 10, .idle = 20},
                {.number = 2, .computing = 90}});
  const DeviceUseTable table = MeasureDeviceUse(listed.profile, listed.steps);
  ASSERT_EQ(table.steps.size(), 2);
  EXPECT_EQ(table.steps[0].idle, 20);
  EXPECT_EQ(table.steps[0].total, 80) << "its parts, though the step trace says 90";
  EXPECT_EQ(table.steps[1].idle, 0) << "this step had none";
  EXPECT_EQ(table.all.idle, 20);
  EXPECT_EQ(table.all.total, 170);
}

TEST(DeviceUse, OfATableThatLacksAStepIsThatOfTheWholeOnly) {
  const Listed listed =
      ListedOf({{.number = 1, .computing = 50, .idle = 5}, {.number = {}, .computing = 10}});
  const DeviceUseTable table = MeasureDeviceUse(listed.profile, listed.steps);
  EXPECT_TRUE(table.known);
  EXPECT_TRUE(table.steps.empty());
  EXPECT_EQ(table.all.computing, 60);
  EXPECT_EQ(table.all.total, 65);
}

TEST(DeviceUse, OfATableIsItsRows) {
  Profile profile;
  DeviceStep row;
  row.number = 4;
  row.computing = 50;
  row.communication = 30;
  row.communication_alone = 10;
  row.idle = 5;
  profile.device_steps = {row};
  StepTable steps;
  Step step;
  step.number = 4;
  step.end = 65;
  steps.steps = {step};
  const DeviceUseTable table = MeasureDeviceUse(profile, steps);
  EXPECT_TRUE(table.listed);
  ASSERT_EQ(table.steps.size(), 1);
  EXPECT_EQ(table.steps[0].overlapped(), 20);
  EXPECT_EQ(table.steps[0].idle, 5);
  EXPECT_EQ(table.all.total, 65);
}

TEST(DeviceUse, OfNothingIsNotKnown) {
  EXPECT_FALSE(MeasureDeviceUse(Profile(), StepTable()).known);
}

}  // namespace
}  // namespace sightline::profiler
