// What a device's kernels waste, from tables like those of its profiler.
#include "sightline/profiler/analysis/kernel_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using testing::Import;
using testing::IsOk;

struct Kernel {
  std::string type;
  std::string core;
  int microseconds = 0;
  int blocks = 24;
  double load_ratio = 0.9;  // Of aic_mte2; the scalar unit is always busy.
};

// A kernel_details.csv of these kernels, one after the other.
Profile Kernels(const std::vector<Kernel>& kernels) {
  std::string text =
      "Name,Type,Accelerator Core,Start Time(us),Duration(us),Block Dim,Input Shapes,"
      "aic_mte2_ratio,aic_scalar_ratio,aic_icache_miss_rate\n";
  int at = 0;
  for (const Kernel& kernel : kernels) {
    text += "n_" + kernel.type + "," + kernel.type + "," + kernel.core + "," + std::to_string(at) +
            "," + std::to_string(kernel.microseconds) + "," + std::to_string(kernel.blocks) +
            R"(,"""8,16""",)" + std::to_string(kernel.load_ratio) + ",0.99,1\n";
    at += kernel.microseconds;
  }
  auto profile = Import("kernel_details.csv", text);
  EXPECT_THAT(profile, IsOk());
  return profile ? *std::move(profile) : Profile();
}

std::vector<Finding> Judge(const std::vector<Kernel>& kernels) {
  return JudgeKernels(Kernels(kernels), 0);
}

// Kernels that are as they should be, for 1 ms.
const std::vector<Kernel> kSound = {{"MatMul", "AI_CORE", 600}, {"Add", "AI_VECTOR_CORE", 400, 48}};

std::vector<Kernel> SoundAnd(const std::vector<Kernel>& more) {
  std::vector<Kernel> kernels = kSound;
  kernels.insert(kernels.end(), more.begin(), more.end());
  return kernels;
}

TEST(KernelFindings, SoundKernelsGiveNone) { EXPECT_TRUE(Judge(kSound).empty()); }

TEST(KernelFindings, OperatorsOnTheAiCpuAreNamed) {
  const auto found = Judge(SoundAnd({{"Unique", "AI_CPU", 150, 1}, {"Unique", "AI_CPU", 50, 1}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "ai-cpu");
  EXPECT_EQ(found[0].evidence,
            "0.20 ms of the kernels' 1.20 ms are on it: Unique 0.20 ms in 2 calls");
  EXPECT_NEAR(found[0].share, 0.2 / 1.2, 1e-9);
}

TEST(KernelFindings, OperatorsThatUseHalfOfTheCoresOrFewerAreNamed) {
  const auto found = Judge(SoundAnd({{"ReduceSum", "AI_VECTOR_CORE", 200, 4}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "few-cores");
  EXPECT_THAT(found[0].evidence, HasSubstr("ReduceSum 0.20 ms in 1 call (4 of 48 cores)"));
  EXPECT_THAT(found[0].evidence, HasSubstr("inferred"));
  EXPECT_NEAR(found[0].share, 0.2 * (1 - 4.0 / 48) / 1.2, 1e-9) << "what the idle cores lose";
}

TEST(KernelFindings, OperatorsThatKeepNoUnitBusyAreNamedWithTheirBusiestUnitAndShapes) {
  const auto found = Judge(SoundAnd({{"MatMulV3", "AI_CORE", 200, 24, 0.4}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "far-below-bound");
  EXPECT_THAT(found[0].evidence,
              HasSubstr("MatMulV3 0.20 ms in 1 call (its busiest unit, aic_mte2: 40 %; shapes "
                        "\"8,16\")"))
      << "scalar units and misses of the cache do not count";
  EXPECT_NEAR(found[0].share, 0.2 * (1 - 0.4 / 0.8) / 1.2, 1e-9) << "beyond a bound at 80 %";
}

// Ten inputs near the limits of each rule.
TEST(KernelFindings, NothingIsFoundBelowTheLimits) {
  for (int more = 1; more <= 10; ++more) {
    SCOPED_TRACE(more);
    EXPECT_TRUE(Judge(SoundAnd({{"Unique", "AI_CPU", 5 * more, 1}})).empty()) << "5 % at most";
    EXPECT_TRUE(Judge(SoundAnd({{"Cast", "AI_VECTOR_CORE", 300, 24 + more}})).empty())
        << "more than half of the cores";
    EXPECT_TRUE(Judge(SoundAnd({{"Cast", "AI_VECTOR_CORE", 5 * more, 2}})).empty())
        << "for 5 % of the time at most";
    EXPECT_TRUE(Judge(SoundAnd({{"Cast", "AI_CORE", 300, 24, 0.5 + more / 100.0}})).empty())
        << "a unit is busy for half of the time";
    EXPECT_TRUE(Judge(SoundAnd({{"Cast", "AI_CORE", 8 * more, 24, 0.3}})).empty())
        << "what is lost is 5 % at most";
  }
}

TEST(KernelFindings, WhatIsLittleOfTheDevicesTimeIsNotNamed) {
  const Profile profile = Kernels(SoundAnd({{"Unique", "AI_CPU", 200, 1}}));
  EXPECT_EQ(JudgeKernels(profile, 9'000'000).size(), 1U);
  EXPECT_TRUE(JudgeKernels(profile, 11'000'000).empty()) << "less than 2 %";
}

TEST(KernelFindings, TheNumberOfCoresIsUnknownIfNoNumberOfBlocksIsUsual) {
  EXPECT_TRUE(Judge({{"A", "AI_CORE", 250, 2},
                     {"B", "AI_CORE", 250, 5},
                     {"C", "AI_CORE", 250, 11},
                     {"D", "AI_CORE", 250, 24}})
                  .empty());
}

TEST(KernelFindings, WithoutCoresBlocksAndUnitsNothingIsFound) {
  auto profile = Import("kernel_details.csv",
                        "Name,Type,Start Time(us),Duration(us)\na,MatMul,0,100\nb,Add,100,900\n");
  ASSERT_THAT(profile, IsOk());
  EXPECT_TRUE(JudgeKernels(*profile, 0).empty());
}

// A counter that falls from 1800 for a part of its time, given in per cent.
std::vector<Finding> JudgeFrequency(int lower, int percent,
                                    const std::string& name = "AI Core Freq") {
  const auto sample = [&](int at, int value) {
    return R"({"ph":"C","name":")" + name + R"(","pid":1,"ts":)" + std::to_string(at) +
           R"(,"args":{"MHz":)" + std::to_string(value) + "}}";
  };
  return JudgeKernels(testing::ImportEvents(sample(0, 1800) + "," + sample(100 - percent, lower) +
                                            "," + sample(100, lower)),
                      0);
}

TEST(KernelFindings, AFrequencyThatFallsIsNamed) {
  const auto found = JudgeFrequency(900, 50);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "core-frequency");
  EXPECT_THAT(found[0].evidence, HasSubstr("falls from 1800 to 900; on average it is 1350"));
  EXPECT_NEAR(found[0].share, 0.25, 1e-9);
}

TEST(KernelFindings, AFrequencyThatHardlyFallsIsNot) {
  for (int percent = 1; percent <= 9; ++percent)
    EXPECT_TRUE(JudgeFrequency(900, percent).empty()) << percent;
  EXPECT_TRUE(JudgeFrequency(1800, 50).empty());
}

TEST(KernelFindings, OnlyTheFrequencyOfADevicesCoresIsJudged) {
  EXPECT_EQ(JudgeFrequency(900, 50, "AICORE_FREQ freq (MHz)").size(), 1U);
  EXPECT_TRUE(JudgeFrequency(900, 50, "CPU 0 Freq").empty());
}

// What the profiler's table says arrives whole.
TEST(KernelList, ExecutionsOfOneKindAreAddedUp) {
  const Profile profile = Kernels({{"Add", "AI_VECTOR_CORE", 100, 48, 0.2},
                                   {"Add", "AI_VECTOR_CORE", 300, 48, 0.6},
                                   {"Add", "AI_VECTOR_CORE", 100, 40, 0.6},
                                   {"hcom_allReduce", "COMMUNICATION", 100}});
  ASSERT_EQ(profile.kernels.size(), 2U) << "communication is no kernel";
  EXPECT_THAT(profile.kernel_units, ::testing::ElementsAre("aic_mte2", "aic_scalar"));
  const KernelUse& add = profile.kernels[0];
  EXPECT_EQ(profile.model.names[add.core], "AI_VECTOR_CORE");
  EXPECT_EQ(add.blocks, 48);
  EXPECT_EQ(add.count, 2U);
  EXPECT_EQ(add.total, 400'000);
  EXPECT_NEAR(add.busy[0], (0.2 * 100 + 0.6 * 300) / 400, 1e-9) << "weighted by their durations";
}

TEST(KernelList, RatiosThatCannotBeAreLeftOut) {
  for (const double ratio : {-0.1, 1.1, 1e300}) {
    const Profile profile = Kernels({{"Add", "AI_CORE", 100, 24, ratio}});
    EXPECT_EQ(profile.kernels[0].busy[0], 0) << ratio;
  }
}

}  // namespace
}  // namespace sightline::profiler
