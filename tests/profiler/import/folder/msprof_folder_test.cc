// The folders and tables of msprof, by the columns in its sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Import;
using testing::IsOk;
using testing::IsStatus;
using testing::MemoryFileSystem;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr char kFolder[] = "run/PROF_000001_20260101/mindstudio_profiler_output/";

constexpr char kOpSummary[] =
    "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
    "Task Duration(us),Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,"
    "aic_mac_ratio\n"
    "0,4294967295,11,2,MatMul_1,MatMulV3,dynamic,AI_CORE,\"1000.5\t\",20.25,0,24,0,NO,\"32,16\","
    "0.5\n"
    "0,4294967295,12,2,MatMul_1,MatMulV3,dynamic,AI_CORE,\"1030.5\t\",19.75,0,24,0,NO,\"32,16\","
    "0.7\n"
    "0,4294967295,13,9,hcom_allReduce__1_0,hcom_allReduce_,N/A,COMMUNICATION,\"1060\t\",40,0,0,0,N/"
    "A"
    ",N/A,N/A\n";

constexpr char kTaskTime[] =
    "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
    "\n"
    "0,MatMulV3,AI_CORE,2,11,20,\"1000\t\",\"1020\t\"\n"
    "0,Add,KERNEL_AIVEC,2,12,5,\"1025\t\",\"1030\t\"\n"
    "0,N/A,EVENT_WAIT,2,13,70,\"1030\t\",\"1100\t\"\n"
    "0,hcom_allReduce_,KERNEL_AIVEC,9,14,60,\"1030\t\",\"1090\t\"\n";

constexpr char kOpStatistic[] =
    "Device_id,Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),"
    "Max Time(us),Ratio(%)\n0,m,MatMulV3,AI_CORE,2,40,19.75,20,20.25,100\n";

constexpr char kTrace[] =
    "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Ascend Hardware\"}},"
    "{\"name\":\"MatMulV3\",\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1000.5,\"dur\":20.25,"
    "\"args\":{\"Task Type\":\"AI_CORE\"}}]";

Profile ImportFolder(const std::map<std::string, std::string>& texts,
                     const std::string& path = "run") {
  MemoryFileSystem files;
  for (const auto& [name, text] : texts) files.Put(kFolder + name, text);
  auto profile = ImportProfile(path, {.file_system = &files});
  EXPECT_THAT(profile, IsOk());
  return profile ? *std::move(profile) : Profile();
}

Profile ImportCsv(const std::string& name, const std::string& text) {
  auto profile = Import(name, text);
  EXPECT_THAT(profile, IsOk()) << name;
  return profile ? *std::move(profile) : Profile();
}

std::string UnreadOf(const Profile& profile, const std::string& name) {
  for (const SourceFile& file : profile.files)
    if (file.path.ends_with("/" + name)) return file.unread;
  return "not listed";
}

std::map<std::string, std::vector<double>> CountersOf(const Profile& profile) {
  std::map<std::string, std::vector<double>> counters;
  for (const Counter& counter : profile.model.counters) {
    auto& values = counters[std::string(profile.model.names[counter.name])];
    values.assign(counter.value.begin(), counter.value.end());
  }
  return counters;
}

std::vector<SpanKind> KindsOf(const Profile& profile) {
  return {profile.model.spans.kind.begin(), profile.model.spans.kind.end()};
}

TEST(MsprofFolder, ItsKernelsHaveShapesBlocksAndUnits) {
  const Profile profile = ImportFolder({{"op_summary_20260101120000.csv", kOpSummary}});
  EXPECT_EQ(SourceFormatName(profile.format), "msprof");
  ASSERT_THAT(profile.operators, SizeIs(1)) << "without the collective";
  EXPECT_EQ(profile.model.names[profile.operators[0].name], "MatMul_1");
  EXPECT_EQ(profile.operators[0].count, 2);
  EXPECT_EQ(profile.operators[0].total, 40'000);
  ASSERT_THAT(profile.kernels, SizeIs(1));
  EXPECT_EQ(profile.kernels[0].blocks, 24);
  EXPECT_EQ(profile.model.names[profile.kernels[0].shapes], "32,16");
  EXPECT_THAT(profile.kernel_units, ElementsAre("aic_mac"));
  EXPECT_THAT(KindsOf(profile),
              ElementsAre(SpanKind::kKernel, SpanKind::kKernel, SpanKind::kCommunication));
}

TEST(MsprofFolder, IsFoundByEachOfItsNames) {
  MemoryFileSystem files;
  files.Put(std::string(kFolder) + "op_summary_20260101120000.csv", kOpSummary);
  files.Put("copied/op_summary_1.csv", kOpSummary);
  for (const char* path :
       {"run", "run/PROF_000001_20260101", "run/PROF_000001_20260101/mindstudio_profiler_output",
        "copied", "copied/op_summary_1.csv"}) {
    const auto profile = ImportProfile(path, {.file_system = &files});
    ASSERT_THAT(profile, IsOk()) << path;
    EXPECT_THAT(profile->operators, SizeIs(1)) << path;
  }
  EXPECT_THAT(FindProfiles(".", &files), SizeIs(2));
}

TEST(MsprofFolder, TheTraceGivesTheTimelineAndTheTableItsOperators) {
  const Profile profile = ImportFolder({{"msprof_20260101120000.json", kTrace},
                                        {"msprof_tx_20260101120000.json", kTrace},
                                        {"op_summary_20260101120000.csv", kOpSummary},
                                        {"op_statistic_20260101120000.csv", kOpStatistic},
                                        {"task_time_20260101120000.csv", kTaskTime}});
  EXPECT_THAT(profile.model.spans, SizeIs(1));
  EXPECT_THAT(profile.operators, SizeIs(1));
  EXPECT_THAT(profile.operator_types, SizeIs(1));
  EXPECT_THAT(UnreadOf(profile, "task_time_20260101120000.csv"), HasSubstr("timeline"));
  EXPECT_THAT(UnreadOf(profile, "msprof_tx_20260101120000.json"), HasSubstr("timeline"));
}

TEST(MsprofFolder, AllSlicesOfTheNewestExportAreRead) {
  const Profile profile = ImportFolder({{"op_summary_20260101120000.csv", kOpSummary},
                                        {"op_summary_slice_0_20260102120000.csv", kOpSummary},
                                        {"op_summary_slice_1_20260102120000.csv", kOpSummary}});
  EXPECT_EQ(profile.operators[0].count, 4);
  EXPECT_THAT(UnreadOf(profile, "op_summary_20260101120000.csv"), HasSubstr("an older export"));
}

TEST(MsprofFolder, TasksAreKernelsCollectivesAndWaits) {
  const Profile profile = ImportFolder({{"task_time_20260101120000.csv", kTaskTime}});
  EXPECT_THAT(profile.operators, SizeIs(2)) << "MatMulV3 and Add";
  EXPECT_THAT(KindsOf(profile), UnorderedElementsAre(SpanKind::kKernel, SpanKind::kKernel,
                                                     SpanKind::kRuntime, SpanKind::kCommunication));
}

TEST(MsprofFolder, IterationsAreSteps) {
  const Profile profile = ImportFolder(
      {{"op_summary_20260101120000.csv", kOpSummary},
       {"step_trace_20260101120000.csv",
        "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),"
        "FP to BP Time(us),Iteration Refresh(us),Data Aug Bound(us),Model ID\n"
        "0,1,N/A,N/A,1025,30,N/A,N/A,N/A,1\n0,2,N/A,N/A,1105,80,N/A,N/A,N/A,1\n"
        "0,1,N/A,N/A,1105,80,N/A,N/A,N/A,2\n0,x,N/A,N/A,N/A,N/A,N/A,N/A,N/A,1\n"}});
  const StepTable steps = AnalyzeSteps(profile);
  ASSERT_THAT(steps.steps, SizeIs(2));
  EXPECT_EQ(steps.steps[0].number, 1);
  EXPECT_EQ(steps.steps[1].total(), 80'000);
  EXPECT_EQ(profile.model.events_in - profile.model.events_modelled, 2);
}

TEST(MsprofFolder, MemoryInKilobytesBecomesBytes) {
  const Profile profile = ImportFolder(
      {{"memory_record_1.csv",
        "Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n"
        "GE,1000,2,3,NPU:0\n"},
       {"operator_memory_1.csv",
        "Name,Size(KB),Allocation Time(us),Duration(us),Device\nMatMul,4,1000,50,NPU:0\n"}});
  const auto counters = CountersOf(profile);
  EXPECT_THAT(counters.at("memory reserved, GE, NPU:0"), ElementsAre(3072));
  EXPECT_THAT(counters.at("memory allocated, GE, NPU:0"), ElementsAre(2048));
  ASSERT_THAT(profile.allocations, SizeIs(1));
  EXPECT_EQ(profile.allocations[0].bytes, 4096);
  EXPECT_EQ(profile.allocations[0].released, 1'050'000);
}

TEST(MsprofFolder, AFolderOfNothingKnownIsRefused) {
  MemoryFileSystem files;
  files.Put(std::string(kFolder) + "README.txt", "");
  EXPECT_THAT(ImportProfile("run", {.file_system = &files}).error(),
              IsStatus(StatusCode::kNotFound, "nothing in it could be read"));
}

TEST(NpuTables, ATableOfValuesOverTimeBecomesCounters) {
  const Profile profile =
      ImportCsv("npu_mem_20260101.csv",
                "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)\n"
                "0,app,0,2,2,\"10.5\t\"\n1,app,0,3,3,11\n0,device,0,4,4,12\n0,app,0,5,5,20\n");
  EXPECT_THAT(profile.model.counters, SizeIs(9)) << "of app on two devices, and of device";
  const auto counters = CountersOf(profile);
  EXPECT_THAT(counters.at("npu_mem device/hbm (bytes)"), ElementsAre(4096));
  EXPECT_EQ(profile.model.counters[0].time[0], 10'500);
  EXPECT_THAT(FindMemoryCurves(profile), SizeIs(3)) << "those called memory";
}

TEST(NpuTables, ATaskIsNoOwnerOfValuesButAStreamIs) {
  const Profile profile =
      ImportCsv("data_preprocess.csv",
                "Device_id,Timestamp(us),Node,Total_time(us),Stream ID,Task ID\n"
                "0,10,GetNext,129.1,3,7\n0,20,GetNext,130.5,3,8\n0,30,GetNext,1,N/A,9\n");
  EXPECT_THAT(CountersOf(profile).at("data_preprocess GetNext Stream ID 3/Total_time(us)"),
              ElementsAre(129.1, 130.5));
}

TEST(NpuTables, RowsWithoutTimeOrNumberAreCounted) {
  const Profile profile = ImportCsv("a.csv", "time_stamp(ms),x\n1,2\n,2\n3,none\n4,inf\n");
  EXPECT_EQ(profile.model.events_in, 4);
  EXPECT_EQ(profile.model.events_modelled, 1);
  EXPECT_EQ(profile.model.counters[0].time[0], 1'000'000);
}

TEST(NpuTables, TheUnitOfATimeIsInTheTitle) {
  for (const auto& [title, time] : {std::pair("Timestamp(ns)", 2'000),
                                    {"Timestamp(us)", 2'000'000},
                                    {"timestamp(ms)", 2'000'000'000}}) {
    EXPECT_EQ(ImportCsv("a.csv", std::string(title) + ",x\n2000,1\n").model.counters[0].time[0],
              time)
        << title;
  }
  EXPECT_EQ(ImportCsv("a.csv", "Timestamps(s),x\n2,1\n").model.counters[0].time[0], 2'000'000'000);
}

TEST(NpuTables, TheNearestFolderOfAProfilerTellsTheMegabyte) {
  for (const auto& [folder, bytes] : {std::pair("", 2097152.0),
                                      {"a_ascend_ms/", 2048000.0},
                                      {"a_ascend_ms/b_ascend_pt/", 2097152.0}}) {
    const Profile profile = ImportCsv(std::string(folder) + "npu_module_mem.csv",
                                      "Component,Timestamp(us),Total Reserved(MB)\nSLOG,1,2\n");
    EXPECT_EQ(profile.model.counters[0].value[0], bytes) << folder;
  }
}

TEST(NpuTables, SumsAloneAreOperators) {
  const Profile calls = ImportCsv("api_statistic.csv",
                                  "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n"
                                  "acl,aclnnAdd,4.5,3,1.5,1,2,0\n");
  ASSERT_THAT(calls.operators, SizeIs(1));
  EXPECT_EQ(calls.model.names[calls.operators[0].name], "aclnnAdd");
  EXPECT_EQ(calls.model.names[calls.operators[0].type], "acl");
  EXPECT_EQ(calls.operators[0].total, 4500);
  const Profile collectives =
      ImportCsv("communication_statistic_1.csv",
                "OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
                "hcom_allReduce_,2,10,4,5,6,100\n");
  EXPECT_EQ(collectives.operators[0].count, 2);
}

TEST(NpuTables, ATableAloneIsKnownByItsColumns) {
  const Profile tasks = ImportCsv("a.csv", kTaskTime);
  EXPECT_THAT(tasks.model.spans, SizeIs(4));
  EXPECT_TRUE(tasks.files.front().untested) << "no real file was available";
  EXPECT_THAT(ImportCsv("a.csv", kOpStatistic).operators, SizeIs(1));
  EXPECT_THAT(ImportCsv("a.csv",
                        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB)\nA,1,2,3\n")
                  .model.counters,
              SizeIs(2));
  EXPECT_THAT(ImportCsv("a.csv", "Name,Size(KB),Allocation Time(us)\nA,1,2\n").allocations,
              SizeIs(1));
  EXPECT_THAT(ImportCsv("a.csv", "Iteration ID,Iteration End(us),Iteration Time(us)\n1,100,20\n")
                  .model.spans,
              SizeIs(1));
}

TEST(NpuTables, AnUnknownTableAloneIsRefusedWithItsColumns) {
  EXPECT_THAT(Import("l2_cache.csv", "Stream Id,Hit Rate\n2,0.5\n").error(),
              IsStatus(StatusCode::kInvalidArgument, "its columns: Stream Id, Hit Rate"));
  EXPECT_THAT(Import("a.csv", std::string(1000, 'a') + ",b\n").error().message(),
              AllOf(HasSubstr("..."), SizeIs(::testing::Lt(400))));
}

TEST(NpuTables, InAFolderTablesWithoutTimesSayTheirColumns) {
  const Profile profile = ImportFolder({{"op_summary_1.csv", kOpSummary},
                                        {"l2_cache_1.csv", "Stream Id,Hit Rate\n2,0.5\n"},
                                        {"nic_1.csv", "Timestamp(us),rxPacket/s,funcId\n1,2,0\n"}});
  EXPECT_EQ(UnreadOf(profile, "l2_cache_1.csv"), "a table without times: Stream Id, Hit Rate");
  EXPECT_THAT(CountersOf(profile).at("nic funcId 0/rxPacket/s"), ElementsAre(2));
}

}  // namespace
}  // namespace sightline::profiler
