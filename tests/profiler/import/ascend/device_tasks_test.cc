// What of an NPU's timeline computes and communicates, and whose its links are, in made files with
// the names and columns of real ones (real_ascend_test.cc reads those, where they are).
#include "sightline/profiler/import/ascend/device_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/import/ascend/parallel_groups.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Profile ImportFolder(const std::string& folder, const std::map<std::string, std::string>& texts) {
  testing::MemoryFileSystem files;
  for (const auto& [name, text] : texts) files.Put(folder + "/" + name, text);
  auto profile = ImportProfile(folder, {.file_system = &files});
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? *std::move(profile) : Profile();
}

DeviceUseTable UseOf(const Profile& profile) {
  return MeasureDeviceUse(profile, AnalyzeSteps(profile));
}

std::string Named(const std::string& what, int process, int thread, const std::string& name) {
  return R"({"ph":"M","name":")" + what + R"(","pid":)" + std::to_string(process) + R"(,"tid":)" +
         std::to_string(thread) + R"(,"args":{"name":")" + name + R"("}},)";
}

// Times in microseconds.
std::string Span(const std::string& name, int process, int thread, int start, int duration,
                 const std::string& type = "") {
  return R"({"ph":"X","name":")" + name + R"(","pid":)" + std::to_string(process) + R"(,"tid":)" +
         std::to_string(thread) + R"(,"ts":")" + std::to_string(start) + R"(","dur":)" +
         std::to_string(duration) + R"(,"args":{"Task Type":")" + type + R"("}},)";
}

// A step of 100: a kernel in 10..30; a wait in 30..90 on its stream; a collective in 20..90, drawn
// as a group and again as one of its planes, and the host's call of it in 5..95.
const std::string kDevice =
    Named("process_name", 1, 1, "Python") + Named("process_name", 2, 0, "Ascend Hardware") +
    Named("process_name", 3, 0, "HCCL") + Named("thread_name", 3, 0, "Group 0 Communication") +
    Named("thread_name", 3, 1, "Plane 0") + Span("ProfilerStep#7", 1, 1, 0, 100) +
    Span("HcclAllreduce", 1, 1, 5, 90) + Span("Conv2D", 2, 2, 10, 20, "AI_CORE") +
    Span("EVENT_WAIT", 2, 2, 30, 60, "EVENT_WAIT_SQE") +
    Span("hcom_allReduce__1_0_1", 3, 0, 20, 70) + Span("Notify Wait", 3, 1, 92, 3);

TEST(DeviceTasks, ComputeUnlessTheyWaitOrCopy) {
  EXPECT_TRUE(TaskComputes("AI_CORE", "MatMul"));
  EXPECT_TRUE(TaskComputes("MIX_AIC", "AllGatherMatmul"));
  EXPECT_FALSE(TaskComputes("EVENT_WAIT_SQE", "EVENT_WAIT"));
  EXPECT_FALSE(TaskComputes("SDMA", "SDMA"));
  EXPECT_TRUE(TaskComputes("Other", "aclnnMm_MatMul"));
  EXPECT_FALSE(TaskComputes("Other", "MEMCPY_ASYNC"));
  EXPECT_FALSE(TaskComputes("", "EVENT_RECORD"));
}

TEST(DeviceTasks, OfAStreamThatWaitsDoNotCompute) {
  const DeviceUse use = UseOf(testing::ImportEvents(kDevice + "{}")).steps.at(0);
  EXPECT_EQ(use.computing, 20'000);
  EXPECT_EQ(use.communication, 70'000) << "neither the plane nor the host's call";
  EXPECT_EQ(use.communication_alone, 60'000);
  EXPECT_EQ(use.idle, 20'000);
}

TEST(DeviceTasks, AreJudgedByTheSummary) {
  const std::vector<Finding> findings = Summarize(testing::ImportEvents(kDevice + "{}"));
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].rule, "communication");
  EXPECT_THAT(findings[0].evidence, HasSubstr("hcom_allReduce"));
  EXPECT_EQ(findings[1].rule, "device-idle");
}

const std::string kOverlap = Named("process_name", 4, 0, "Overlap Analysis") +
                             Span("Computing", 4, 0, 10, 19) + Span("Communication", 4, 1, 20, 70) +
                             Span("Communication(Not Overlapped)", 4, 2, 29, 61) +
                             Span("Free", 4, 3, 90, 3);

TEST(DeviceTasks, AreSplitByTheLanesThatTheProfilerDraws) {
  const DeviceUse use = UseOf(testing::ImportEvents(kDevice + kOverlap + "{}")).steps.at(0);
  EXPECT_EQ(use.computing, 19'000);
  EXPECT_EQ(use.communication_alone, 61'000);
  EXPECT_EQ(use.idle, 3'000);
  EXPECT_EQ(use.total, 83'000);
  EXPECT_EQ(use.preparing, 10'000);
}

// Excerpts have the lanes without the tasks.
TEST(DeviceTasks, AreJudgedByTheLanesAlone) {
  const std::vector<Finding> findings = Summarize(testing::ImportEvents(kOverlap + "{}"));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "communication");
  EXPECT_THAT(findings[0].what, HasSubstr("device"));
}

const std::string kTable =
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,"
    "Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\n0,7,30,50,0,50,20,100,0,"
    "50,4\n";
const std::string kKernels =
    "Step Id,Device_id,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
    "7,0,2,aclnnMm_MatMul,MatMul,AI_CORE,100\t,10\n7,0,2,aclnnMm_MatMul,MatMul,AI_CORE,120\t,20\n"
    "7,0,N/A,hcom_allReduce__1_0_1,hcom_allReduce_,COMMUNICATION,150\t,50\n";

TEST(DeviceTasks, OfATableHaveItsStepsAndItsCollectivesAreNoKernels) {
  const Profile profile =
      ImportFolder("a_ascend_pt", {{"ASCEND_PROFILER_OUTPUT/kernel_details.csv", kKernels}});
  const StepTable steps = AnalyzeSteps(profile);
  ASSERT_THAT(steps.steps, SizeIs(1));
  EXPECT_EQ(steps.steps[0].number, 7);
  EXPECT_EQ(steps.steps[0].total(), 100'000);
  EXPECT_THAT(profile.operators, SizeIs(1));
  const DeviceUse use = MeasureDeviceUse(profile, steps).steps.at(0);
  EXPECT_EQ(use.computing, 30'000);
  EXPECT_EQ(use.communication_alone, 50'000);
}

TEST(DeviceTasks, OfTwoTablesThatAgreeAreNotNamed) {
  EXPECT_THAT(FindDisagreements(ImportFolder(
                  "a_ascend_pt", {{"ASCEND_PROFILER_OUTPUT/kernel_details.csv", kKernels},
                                  {"ASCEND_PROFILER_OUTPUT/step_trace_time.csv", kTable}})),
              IsEmpty());
}

TEST(DeviceTasks, OfTwoTablesThatDisagreeAreNamed) {
  const Profile profile = ImportFolder(
      "a_ascend_pt",
      {{"ASCEND_PROFILER_OUTPUT/kernel_details.csv", kKernels.substr(0, kKernels.rfind("7,0,2"))},
       {"ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count,Total Time(us)\nMatMul,2,30\n"},
       {"ASCEND_PROFILER_OUTPUT/step_trace_time.csv", kTable}});
  std::vector<std::string> what;
  for (const Disagreement& one : FindDisagreements(profile)) what.push_back(one.what);
  EXPECT_THAT(
      what, ::testing::IsSupersetOf({"computing of step 7", "number of MatMul", "time of MatMul"}));
}

TEST(DeviceTasks, AreListedByStepsWhoseTimesAreUnknown) {
  const Profile profile =
      ImportFolder("a_ascend_pt", {{"ASCEND_PROFILER_OUTPUT/step_trace_time.csv", kTable}});
  EXPECT_EQ(AnalyzeSteps(profile).source, StepSource::kListed);
  const DeviceUse use = UseOf(profile).steps.at(0);
  EXPECT_EQ(use.number, 7);
  EXPECT_EQ(use.preparing, 4'000);
  EXPECT_EQ(use.stage(), 100'000);
}

TEST(DeviceTasks, OfTorchNpuReserveMegabytesOf1048576BytesAndMindSporesOf1024000) {
  const std::string record =
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device "
      "Type\nAPP,1,,2,NPU:0\n";
  const std::string modules = "Component,Timestamp(us),Total Reserved(MB)\nSLOG,1,2\n";
  for (const auto& [folder, bytes] :
       {std::pair("a_ascend_pt", 2097152.0), {"a_ascend_ms", 2048000.0}, {"renamed", 2048000.0}}) {
    const Profile profile =
        ImportFolder(folder, {{"ASCEND_PROFILER_OUTPUT/memory_record.csv", record},
                              {"ASCEND_PROFILER_OUTPUT/npu_module_mem.csv", modules}});
    EXPECT_EQ(FindMemoryCurves(profile).at(0).peak, bytes) << folder;
    ASSERT_THAT(profile.model.counters, SizeIs(2)) << folder;
    for (const Counter& one : profile.model.counters) EXPECT_EQ(one.value[0], bytes) << folder;
  }
}

constexpr char kMetadata[] = R"json({"parallel_group_info": {
    "group_name_0": {"group_name": "default_group", "group_rank": 3, "global_ranks": [0, 1, 2, 3]},
    "group_name_19": {"group_name": "pp", "group_rank": 1, "global_ranks": [1, 3]},
    "broken": {"group_name": 1}}})json";

TEST(ParallelGroups, AreNamedByTheirHash) {
  const ParallelGroups groups{kMetadata};
  ASSERT_NE(groups.Find("3985310405473756128"), nullptr);
  EXPECT_EQ(groups.Find("3985310405473756128")->name, "pp");
  EXPECT_EQ(groups.Find("5862276093215481612")->name, "default_group");
  EXPECT_EQ(groups.Find("1"), nullptr);
  EXPECT_EQ(groups.Stage(), 1);
  EXPECT_EQ(ParallelGroups("[]").Stage(), std::nullopt);
}

TEST(ParallelGroups, TurnRanksWithinThemIntoThoseOfTheTraining) {
  const ParallelGroups groups{kMetadata};
  const ParallelGroup* stages = groups.Find("group_name_19");
  EXPECT_EQ(ParallelGroups::GlobalLink("1-0", stages), "3-1");
  EXPECT_EQ(ParallelGroups::GlobalLink("1-4294967295", stages), "1-4294967295");
  EXPECT_EQ(ParallelGroups::GlobalLink("1-0", nullptr), "1-0");
}

TEST(ParallelGroups, OfTheMatrixOnlyTheTotalsAreLinks) {
  const std::string link = R"json({"1-0": {"Transport Type": "HCCS", "Transit Size(MB)": 4,
      "Transit Time(ms)": 2}})json";
  const Profile profile = ImportFolder(
      "a_ascend_pt", {{"profiler_metadata.json", kMetadata},
                      {"ASCEND_PROFILER_OUTPUT/step_trace_time.csv", kTable},
                      {"ASCEND_PROFILER_OUTPUT/communication_matrix.json",
                       R"({"step7": {"p2p": {"send-top1@3985310405473756128": )" + link +
                           R"(, "send-total@3985310405473756128": )" + link + "}}}"}});
  ASSERT_THAT(profile.links, SizeIs(1));
  EXPECT_EQ(profile.links[0].link, "3-1");
  EXPECT_EQ(profile.links[0].bytes, 4e6);
  EXPECT_EQ(profile.stage, 1);
}

}  // namespace
}  // namespace sightline::profiler
