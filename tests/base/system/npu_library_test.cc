#include "sightline/base/system/npu_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::map<std::string, double> Counters(const NpuLibrary& npus) {
  std::vector<ResourceValue> values;
  npus.AddTo(values);
  std::map<std::string, double> counters;
  for (const ResourceValue& value : values) counters.emplace(value.name, value.value);
  return counters;
}

// The drivers: one that knows logical ids, one that knows cards only, and one of the second
// version.
class NpuLibraryTest : public ::testing::TestWithParam<const char*> {};

TEST_P(NpuLibraryTest, TellsWhatAnNpuDoes) {
  const auto npus = NpuLibrary::Load({.all = false, .ids = {1}}, GetParam());
  ASSERT_NE(npus, nullptr);
  EXPECT_THAT(
      Counters(*npus),
      UnorderedElementsAre(
          Pair("system/npu1/use_percent", 23), Pair("system/npu1/ai_core_percent", 12),
          Pair("system/npu1/vector_core_percent", 22), Pair("system/npu1/memory_percent", 16),
          Pair("system/npu1/memory_bandwidth_percent", 20),
          Pair("system/npu1/memory_bytes", 2048.0 * 1024 * 1024),
          Pair("system/npu1/temperature_celsius", 41), Pair("system/npu1/power_watts", 162.5),
          Pair("system/npu1/health", 2)));
}

TEST_P(NpuLibraryTest, WhatADriverRefusesIsMissingAndNotZero) {
  const auto npus = NpuLibrary::Load({.all = false, .ids = {2}}, GetParam());
  ASSERT_NE(npus, nullptr);
  const auto counters = Counters(*npus);
  EXPECT_FALSE(counters.contains("system/npu2/use_percent"));
  EXPECT_FALSE(counters.contains("system/npu2/temperature_celsius"));
  EXPECT_FALSE(counters.contains("system/npu2/memory_bandwidth_percent"));
  EXPECT_EQ(counters.at("system/npu2/ai_core_percent"), 22);
  EXPECT_EQ(counters.at("system/npu2/health"), 0);
}

TEST_P(NpuLibraryTest, AnNpuThatIsLostTellsNothing) {
  const auto npus = NpuLibrary::Load({.all = false, .ids = {3}}, GetParam());
  ASSERT_NE(npus, nullptr);
  EXPECT_THAT(Counters(*npus), IsEmpty());
}

TEST_P(NpuLibraryTest, AllAreFound) {
  const auto npus = NpuLibrary::Load({}, GetParam());
  ASSERT_NE(npus, nullptr);
  const auto counters = Counters(*npus);
  for (const char* id : {"0", "1", "2"})
    EXPECT_TRUE(counters.contains("system/npu" + std::string(id) + "/power_watts")) << id;
}

TEST_P(NpuLibraryTest, WithoutTheChosenOneThereIsNone) {
  EXPECT_EQ(NpuLibrary::Load({.all = false, .ids = {9}}, GetParam()), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Drivers, NpuLibraryTest,
                         ::testing::Values(FAKE_DCMI, FAKE_DCMI_OLD, FAKE_DCMI_V2));

TEST(NpuLibraryFileTest, AMissingOrForeignLibraryIsNone) {
  EXPECT_EQ(NpuLibrary::Load({}, "libsightline-no-such-library.so.1"), nullptr);
  EXPECT_EQ(NpuLibrary::Load({}, "libm.so.6"), nullptr);
}

class ChooseNpusTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { Clear(); }
  ~ChooseNpusTest() override { Clear(); }
  static void Clear() {
    for (const char* name :
         {"ASCEND_RT_VISIBLE_DEVICES", "ASCEND_DEVICE_ID", "DEVICE_ID", "LOCAL_RANK"})
      unsetenv(name);
  }
  static void Set(const char* name, const char* value) { setenv(name, value, 1); }
};

TEST_F(ChooseNpusTest, WithoutAWordOfTheEnvironmentAllAreMeant) {
  EXPECT_TRUE(ChooseNpus(false).all);
  EXPECT_TRUE(ChooseNpus(true).all);
}

TEST_F(ChooseNpusTest, AMachineTellsTheVisibleOnes) {
  Set("ASCEND_RT_VISIBLE_DEVICES", "4,5,7");
  Set("LOCAL_RANK", "1");
  EXPECT_FALSE(ChooseNpus(false).all);
  EXPECT_THAT(ChooseNpus(false).ids, ElementsAre(4, 5, 7));
}

TEST_F(ChooseNpusTest, ARankTellsItsOwn) {
  Set("LOCAL_RANK", "1");
  EXPECT_THAT(ChooseNpus(true).ids, ElementsAre(1));
  Set("ASCEND_RT_VISIBLE_DEVICES", "4,5,7");
  EXPECT_THAT(ChooseNpus(true).ids, ElementsAre(5));
  Set("DEVICE_ID", "7");
  EXPECT_THAT(ChooseNpus(true).ids, ElementsAre(7));
}

TEST_F(ChooseNpusTest, ARankThatIsNotVisibleIsNotGuessed) {
  Set("ASCEND_RT_VISIBLE_DEVICES", "4,5");
  Set("LOCAL_RANK", "3");
  EXPECT_THAT(ChooseNpus(true).ids, ElementsAre(4, 5));
}

}  // namespace
}  // namespace sightline
