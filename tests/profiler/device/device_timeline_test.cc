#include "sightline/profiler/device/device_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/device/host_work.h"
#include "sightline/profiler/device/idle_causes.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using testing::ImportEvents;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Events of a trace in microseconds: the host is process 1, its device process 2.
class Events {
 public:
  Events& Host(const std::string& name, const std::string& category, double start,
               double duration) {
    return Add(name, category, 1, 1, start, duration, 0);
  }
  // A task on a stream, and the call that launched it, which takes 2 us.
  Events& Task(const std::string& name, const std::string& category, int stream, double launch,
               double start, double duration) {
    ++correlation_;
    Add("cudaLaunchKernel", "cuda_runtime", 1, 1, launch, 2, correlation_);
    return Add(name, category, 2, stream, start, duration, correlation_);
  }
  Events& Kernel(double launch, double start, double duration) {
    return Task("gemm", "kernel", 7, launch, start, duration);
  }
  Events& Unlaunched(const std::string& name, double start, double duration) {
    return Add(name, "kernel", 2, 20, start, duration, 0);
  }
  Profile Read() const { return ImportEvents(text_); }

 private:
  Events& Add(const std::string& name, const std::string& category, int process, int thread,
              double start, double duration, int correlation) {
    text_ += (text_.empty() ? "" : ",") + (R"({"ph":"X","name":")" + name) + R"(","cat":")" +
             category + R"(","pid":)" + std::to_string(process) + R"(,"tid":)" +
             std::to_string(thread) + R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" +
             std::to_string(duration);
    if (correlation > 0) text_ += R"(,"args":{"correlation":)" + std::to_string(correlation) + "}";
    text_ += "}";
    return *this;
  }

  std::string text_;
  int correlation_ = 0;
};

DeviceUseTable UseOf(const Profile& profile) {
  return MeasureDeviceUse(profile, AnalyzeSteps(profile));
}

TEST(DeviceTimeline, AMomentIsWhatComesFirstOfComputingCommunicatingAndCopying) {
  const Profile profile = Events()
                              .Kernel(0, 10, 20)
                              .Task("Memset (Device)", "gpu_memset", 7, 1, 30, 5)
                              .Task("ncclDevKernel_AllReduce", "kernel", 20, 2, 20, 40)
                              .Task("Memcpy HtoD", "gpu_memcpy", 21, 3, 50, 30)
                              .Kernel(4, 90, 10)
                              .Read();
  const DeviceUse use = UseOf(profile).all;
  EXPECT_EQ(use.total, 90'000);
  EXPECT_EQ(use.computing, 35'000);
  EXPECT_EQ(use.communication, 40'000);
  EXPECT_EQ(use.communication_alone, 25'000) << "35 to 60";
  EXPECT_EQ(use.copy_alone, 20'000) << "60 to 80";
  EXPECT_EQ(use.idle, 10'000);
}

TEST(DeviceTimeline, AnIdleTimeIsForTheHostIfTheLaunchCameAfterItsBegin) {
  const Profile profile = Events().Kernel(0, 10, 10).Kernel(21, 30, 10).Kernel(22, 45, 5).Read();
  const DeviceUseTable table = UseOf(profile);
  EXPECT_TRUE(table.has_launches);
  EXPECT_EQ(table.all.idle, 15'000);
  EXPECT_EQ(table.all.idle_for_host, 10'000);
  EXPECT_EQ(table.all.idle_between, 0);
  EXPECT_EQ(table.all.idle_other(), 5'000) << "launched in time, begun late";
}

TEST(DeviceTimeline, AnIdleTimeBelow30NanosecondsIsBetweenKernels) {
  const Profile profile =
      Events().Kernel(0, 10, 10).Kernel(1, 20.029, 9.971).Kernel(2, 30.030, 1).Read();
  const DeviceUse use = UseOf(profile).all;
  EXPECT_EQ(use.idle_between, 29);
  EXPECT_EQ(use.idle_other(), 30);
}

TEST(DeviceTimeline, WithoutLaunchesNobodyKnowsWhyADeviceIsIdle) {
  const DeviceUseTable table =
      UseOf(ImportEvents(R"({"ph":"X","name":"a","cat":"kernel","tid":7,"ts":0,"dur":10},)"
                         R"({"ph":"X","name":"b","cat":"kernel","tid":7,"ts":30,"dur":10})"));
  EXPECT_FALSE(table.has_launches);
  EXPECT_EQ(table.all.idle, 20'000);
}

TEST(DeviceTimeline, AKernelBelongsToTheStepThatLaunchedIt) {
  const Profile profile = Events()
                              .Host("ProfilerStep#1", "user_annotation", 0, 100)
                              .Host("ProfilerStep#2", "user_annotation", 100, 100)
                              .Kernel(10, 50, 20)
                              .Kernel(90, 110, 30)
                              .Kernel(150, 160, 60)
                              .Read();
  const DeviceUseTable table = UseOf(profile);
  ASSERT_THAT(table.steps, SizeIs(2));
  EXPECT_EQ(table.steps[0].total, 90'000) << "50 to 140";
  EXPECT_EQ(table.steps[0].computing, 50'000);
  EXPECT_EQ(table.steps[1].total, 60'000) << "160 to 220";
  EXPECT_EQ(table.steps[1].preparing, 20'000) << "since the last task of the step before";
  EXPECT_EQ(table.all.total,
            table.steps[0].total + table.steps[1].preparing + table.steps[1].total);
}

TEST(DeviceTimeline, AKernelWhoseLaunchIsMissingBelongsToTheStepOfTheOneBeforeIt) {
  const Profile profile = Events()
                              .Host("ProfilerStep#1", "user_annotation", 0, 100)
                              .Host("ProfilerStep#2", "user_annotation", 100, 100)
                              .Kernel(10, 50, 20)
                              .Unlaunched("ncclDevKernel_AllReduce", 70, 40)
                              .Kernel(150, 160, 60)
                              .Read();
  const DeviceUseTable table = UseOf(profile);
  ASSERT_THAT(table.steps, SizeIs(2));
  EXPECT_EQ(table.steps[0].communication_alone, 40'000);
  EXPECT_EQ(table.steps[1].preparing, 50'000);
}

TEST(DeviceTimeline, WhatTwoStepsDoAtOnceIsOfTheFirst) {
  const Profile profile = Events()
                              .Host("ProfilerStep#1", "user_annotation", 0, 40)
                              .Host("ProfilerStep#2", "user_annotation", 40, 100)
                              .Kernel(10, 50, 50)
                              .Task("gemm", "kernel", 8, 45, 80, 40)
                              .Read();
  const DeviceUseTable table = UseOf(profile);
  ASSERT_THAT(table.steps, SizeIs(2));
  EXPECT_EQ(table.steps[0].total, 50'000) << "50 to 100";
  EXPECT_EQ(table.steps[1].total, 20'000) << "100 to 120";
  EXPECT_EQ(table.steps[1].preparing, 0);
  EXPECT_EQ(table.all.total, 70'000);
}

TEST(DeviceTimeline, SeveralDevicesAreAddedUp) {
  const DeviceUse use =
      UseOf(ImportEvents(R"({"ph":"X","name":"a","cat":"kernel","pid":2,"tid":7,"ts":0,"dur":10},)"
                         R"({"ph":"X","name":"a","cat":"kernel","pid":2,"tid":7,"ts":20,"dur":10},)"
                         R"({"ph":"X","name":"a","cat":"kernel","pid":3,"tid":7,"ts":0,"dur":30})"))
          .all;
  EXPECT_EQ(use.total, 60'000);
  EXPECT_EQ(use.idle, 10'000) << "one of both";
}

TEST(DeviceTimeline, OfATraceWithoutKernelsIsNone) {
  EXPECT_THAT(
      FindDevices(ImportEvents(R"({"ph":"X","name":"mm","cat":"cpu_op","ts":0,"dur":9})").model),
      IsEmpty());
}

// What the host does from 20 to 100, while the device waits.
std::vector<HostActivity> HostDoes(const std::string& name, const std::string& category) {
  const Profile profile = Events()
                              .Kernel(0, 10, 10)
                              .Host(name, category, 30, 60)
                              .Host("inner", "cpu_op", 40, 20)
                              .Kernel(95, 100, 10)
                              .Read();
  return HostWhileIdle(profile.model, FindDevices(profile.model));
}

TEST(HostWork, IsWhatTheLaunchingThreadDidWhileTheDeviceWaited) {
  const auto found = HostDoes("forward", "python_function");
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_EQ(found[0].doing, HostDoing::kPython);
  EXPECT_EQ(found[0].time, 40'000);
  EXPECT_EQ(found[0].call, "forward");
  EXPECT_EQ(found[1].doing, HostDoing::kOperator);
  EXPECT_EQ(found[1].call, "inner");
  EXPECT_EQ(found[2].doing, HostDoing::kOther) << "20 to 30, and around the launch";
  EXPECT_EQ(found[2].time, 18'000);
  EXPECT_EQ(found[3].doing, HostDoing::kLaunching);
}

TEST(HostWork, OfACallThatMeansSomethingIsAllThatRunsWithinIt) {
  const std::pair<const char*, HostDoing> cases[] = {
      {"aten::item", HostDoing::kReadingValue},
      {"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", HostDoing::kWaitingForData},
      {"cudaDeviceSynchronize", HostDoing::kSynchronizing},
      {"gc.collect", HostDoing::kCollectingGarbage}};
  for (const auto& [name, doing] : cases) {
    SCOPED_TRACE(name);
    const auto found = HostDoes(name, "cpu_op");
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].doing, doing);
    EXPECT_EQ(found[0].time, 60'000);
  }
  EXPECT_EQ(HostDoes("cudaMalloc", "cuda_runtime")[0].doing, HostDoing::kAllocating);
}

// A step of 100 us launches a kernel of `busy` us, `late` us after the one before has ended.
Profile Training(double busy, double late) {
  Events events;
  double time = 0;
  for (int step = 0; step < 8; ++step) {
    events.Host("ProfilerStep#" + std::to_string(step), "user_annotation", time, busy + late);
    events.Host("aten::mm", "cpu_op", time, late);
    events.Kernel(time + late - 3, time + late, busy);
    time += busy + late;
  }
  return events.Read();
}

TEST(HostWork, ThatKeepsTheDeviceWaitingIsAFinding) {
  const auto found = Summarize(Training(40, 60));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].rule, "host-bound");
  EXPECT_NEAR(found[0].share, 0.6, 0.01);
  EXPECT_THAT(found[0].evidence, HasSubstr("operators 0.41 ms (most: aten::mm 0.41 ms)"));
}

// Reading a value is what the host did, and the wait that explains the gap.
TEST(HostWork, ARemedyOfTwoCausesIsNamedOnce) {
  Events events;
  events.Kernel(90, 100, 10).Host("aten::item", "cpu_op", 100, 100).Kernel(200, 205, 10);
  const std::vector<Finding> found = Summarize(events.Read());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].change, kWaitLess);
  EXPECT_THAT(found[0].evidence, HasSubstr("that is 1 gap between its tasks"));
}

TEST(HostWork, OfAHealthyTrainingIsNone) { EXPECT_THAT(Summarize(Training(95, 5)), IsEmpty()); }

}  // namespace
}  // namespace sightline::profiler
