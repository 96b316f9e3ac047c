#include "sightline/profiler/device/idle_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A call of the host; times in microseconds.
std::string Call(const std::string& name, int start, int end, const std::string& kind = "cpu_op",
                 int thread = 1) {
  return R"({"ph":"X","pid":1,"tid":)" + std::to_string(thread) + R"(,"name":")" + name +
         R"(","cat":")" + kind + R"(","ts":)" + std::to_string(start) + R"(,"dur":)" +
         std::to_string(end - start) + "}";
}

// The device is idle in 100..200 and 500..600.
std::vector<IdleCause> CausesOf(const std::string& calls) {
  const Profile profile = testing::ImportEvents(calls);
  return FindIdleCauses(profile.model, {{100'000, 200'000}, {500'000, 600'000}});
}

TEST(IdleCauses, CompilationMeanwhileIsOne) {
  const auto causes = CausesOf(Call("AscendCL@aclopCompileAndExecute", 90, 160) + "," +
                               Call("AscendCL@opCompile", 100, 150) + "," +
                               Call("AscendCL@aclopCompileAndExecute", 300, 310));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].what, "the host compiled operators");
  EXPECT_EQ(causes[0].calls, "AscendCL@aclopCompileAndExecute, 2 calls, 0.08 ms");
  EXPECT_EQ(causes[0].time, 60'000) << "calls within calls count once, and only while it was idle";
}

TEST(IdleCauses, CollectionsOfGarbageMeanwhileAreOne) {
  const auto causes = CausesOf(Call("GC", 550, 700, "", 2));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].what, "the host collected garbage");
  EXPECT_EQ(causes[0].time, 50'000);
}

TEST(IdleCauses, AWaitForTheDeviceExplainsTheIdleTimeInWhichItReturned) {
  const auto causes =
      CausesOf(Call("aten::item", 20, 110) + "," + Call("aten::_local_scalar_dense", 30, 109));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].what, "the host had waited for the device");
  EXPECT_THAT(causes[0].calls, HasSubstr("aten::item, 1 call, 0.09 ms"));
  EXPECT_EQ(causes[0].time, 100'000) << "the device was idle from before the return on";
}

TEST(IdleCauses, AWaitThatReturnedWhileTheDeviceWorkedExplainsNothing) {
  EXPECT_THAT(CausesOf(Call("aten::item", 20, 90)), IsEmpty());
  EXPECT_THAT(CausesOf(Call("cudaStreamSynchronize", 150, 201)), IsEmpty());
}

TEST(IdleCauses, TheGreatestIsFirst) {
  const auto causes =
      CausesOf(Call("GC", 100, 110, "", 2) + "," + Call("cudaDeviceSynchronize", 450, 510));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].time, 100'000);
  EXPECT_EQ(causes[1].time, 10'000);
}

TEST(IdleCauses, PythonsFunctionsAndOtherCallsAreNone) {
  EXPECT_THAT(CausesOf(Call("torch/_compile.py(20): inner", 100, 200, "python_function") + "," +
                       Call("aten::add", 100, 200)),
              IsEmpty());
}

}  // namespace
}  // namespace sightline::profiler
