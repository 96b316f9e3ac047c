// Whose work a span is: the device's, or that of its host.
#include "sightline/profiler/import/source/device_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The names of the spans of a kind, in the order of their lanes.
std::vector<std::string> NamesOf(const Profile& profile, SpanKind kind) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < profile.model.spans.size(); ++i) {
    if (profile.model.spans.kind[i] == kind)
      names.emplace_back(profile.model.names[profile.model.spans.name[i]]);
  }
  return names;
}

std::size_t Streams(const Profile& profile) {
  std::size_t count = 0;
  for (const Lane& lane : profile.model.lanes) count += lane.kind == LaneKind::kStream ? 1 : 0;
  return count;
}

// One event of a trace: threads of pid 1 are the host's, those of others devices'.
std::string Event(const std::string& name, const std::string& category, int process, int start) {
  return R"({"ph":"X","name":")" + name + R"(","cat":")" + category + R"(","pid":)" +
         std::to_string(process) + R"(,"tid":7,"ts":)" + std::to_string(start) + R"(,"dur":10})";
}

TEST(DeviceLanes, AreThoseWhoseCategoriesSaySo) {
  const Profile profile = testing::ImportEvents(
      Event("merge", "mtia_ccp_events", 2, 0) + "," +
      Event("event_wait", "mtia_ccp_events", 2, 20) + "," + Event("gemm", "hpu_op", 3, 0) + "," +
      Event("gemm", "kernel, gpu", 4, 0) + "," + Event("add", "privateuse1_kernel", 5, 0) + "," +
      Event("urLaunch", "xpu_runtime", 1, 0));
  EXPECT_EQ(Streams(profile), 4);
  EXPECT_THAT(NamesOf(profile, SpanKind::kKernel), ElementsAre("merge", "gemm", "gemm", "add"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kRuntime), ElementsAre("urLaunch"));
}

// torch 1.8 and 1.9.
TEST(DeviceLanes, OfOldTracesAreWrittenInCapitals) {
  const Profile profile = testing::ImportEvents(
      Event("aten::mm", "Operator", 1, 0) + "," + Event("cudaLaunchKernel", "Runtime", 1, 20) +
      "," + Event("sgemm", "Kernel", 2, 0) + "," + Event("Memcpy HtoD", "Memcpy", 2, 20) + "," +
      Event("PyTorch Profiler (0)", "Trace", 3, 0));
  EXPECT_THAT(NamesOf(profile, SpanKind::kOperator), ElementsAre("aten::mm"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kRuntime), ElementsAre("cudaLaunchKernel"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kKernel), ElementsAre("sgemm", "Memcpy HtoD"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kAnnotation), ElementsAre("PyTorch Profiler (0)"));
}

TEST(DeviceLanes, OnlyADevicesOwnCollectivesCommunicateIfItHasKernels) {
  const std::string host = Event("c10d::allreduce_", "cpu_op", 1, 0);
  const std::string kernels =
      Event("gemm", "kernel", 2, 0) + "," +
      Event("void vllm::cross_device_reduce_1stage<half>", "kernel", 2, 20) + "," +
      Event("void deep_ep::dispatch<3>", "kernel", 2, 40) + "," +
      Event("nvshmemi_put", "kernel", 2, 60);
  EXPECT_THAT(NamesOf(testing::ImportEvents(host), SpanKind::kCommunication),
              ElementsAre("c10d::allreduce_"));
  const Profile profile = testing::ImportEvents(host + "," + kernels);
  EXPECT_THAT(NamesOf(profile, SpanKind::kCommunication), SizeIs(3));
  EXPECT_THAT(NamesOf(profile, SpanKind::kOperator), ElementsAre("c10d::allreduce_"));
}

TEST(DeviceLanes, HaveNoStepsOfTheirOwnIfTheHostMarksThem) {
  const Profile profile = testing::ImportEvents(
      Event("ProfilerStep#3", "user_annotation", 1, 0) + "," +
      Event("ProfilerStep#3", "gpu_user_annotation", 2, 5) + "," + Event("gemm", "kernel", 2, 5));
  EXPECT_THAT(AnalyzeSteps(profile).steps, SizeIs(1));
}

constexpr char kXla[] =
    R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"/host:CPU"}},)"
    R"({"ph":"M","name":"process_name","pid":2,"args":{"name":"/device:GPU:0"}},)"
    R"=({"ph":"M","name":"thread_name","pid":2,"tid":3,"args":{"name":"Stream #13(Compute)"}},)="
    R"({"ph":"M","name":"thread_name","pid":2,"tid":4,"args":{"name":"XLA Ops"}},)"
    R"({"ph":"X","name":"train","pid":1,"tid":1,"ts":0,"dur":90,"args":{"step_num":"3"}},)"
    R"({"ph":"X","name":"launch","pid":1,"tid":1,"ts":1,"dur":5,"args":{"hlo_op":"fusion.1"}},)"
    R"({"ph":"X","name":"loop_fusion","pid":2,"tid":3,"ts":10,"dur":5,"args":{"hlo_op":"f"}},)"
    R"({"ph":"X","name":"fusion.1","pid":2,"tid":4,"ts":10,"dur":5,"args":{"hlo_op":"f"}})";

TEST(DeviceLanes, OfXlaAreItsStreams) {
  const Profile profile = testing::ImportEvents(kXla);
  EXPECT_THAT(NamesOf(profile, SpanKind::kKernel), ElementsAre("loop_fusion"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kRuntime), ElementsAre("launch"));
  EXPECT_THAT(NamesOf(profile, SpanKind::kOperator), IsEmpty());
}

TEST(DeviceLanes, OfXlaHaveTheStepsThatItsHostNumbers) {
  const StepTable table = AnalyzeSteps(testing::ImportEvents(kXla));
  EXPECT_EQ(table.source, StepSource::kMarked);
  ASSERT_THAT(table.steps, SizeIs(1));
  EXPECT_EQ(table.steps[0].number, 3);
}

}  // namespace
}  // namespace sightline::profiler
