// Tables and folders that nobody here has real files of, and damaged ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/profiler/import/profile_search.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::Import;
using testing::IsOk;
using testing::IsStatus;
using testing::MemoryFileSystem;

constexpr char kKernels[] =
    "Step ID,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),"
    "Wait Time(us),Block Dim,Input Shapes\n"
    "1,0,5,7,Default/MatMul-op1,MatMul,AI_CORE,1000.5\t,2.25,0,8,\"\"\"16,32;32,8\"\"\"\n"
    "1,0,6,7,Default/MatMul-op1,MatMul,AI_CORE,1003\t,2,0,8,\"16,32\"\r\n"
    "1,0,6,7,,MatMul,AI_CORE,1003\t,2,0,8,\n"
    "1,0,7,9,Default/Add-op2,Add,AI_VECTOR_CORE,1001\t,1,0,8,N/A";

TEST(ProfileTables, KernelDetailsBecomeOperatorsAndSpansOfStreams) {
  const auto profile = Import("kernel_details.csv", kKernels);
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->model.events_in, 4);
  EXPECT_EQ(profile->model.events_modelled, 3);
  ASSERT_EQ(profile->operators.size(), 2);
  EXPECT_EQ(profile->operators[0].total, 4250);
  EXPECT_EQ(profile->model.names[profile->model.spans.detail[0]], "\"16,32;32,8\"");
  EXPECT_EQ(profile->operators[0].shapes, kNoName) << "its executions have different ones";
  EXPECT_THAT(profile->model.spans.start, ElementsAre(1000500, 1003000, 1001000));
  EXPECT_EQ(profile->model.lanes[0].kind, LaneKind::kStream);
  EXPECT_FALSE(profile->files.front().untested) << "real files were read in tests";
}

TEST(ProfileTables, TimestampsSkipWhatTheyCannotRead) {
  MemoryFileSystem files;
  files.Put("p/profiler/cpu_op_execute_timestamp_3.txt",
            "Default/A-op1;HostCpuOps;100,0.5,0 200,x,0 300,0.25,1 \n;HostCpuOps;1,1,1\nbare\n");
  const auto profile = ImportProfile("p", {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->rank, 3);
  EXPECT_EQ(profile->model.events_in, 5);
  ASSERT_EQ(profile->operators.size(), 1);
  EXPECT_EQ(profile->operators[0].count, 2);
  EXPECT_EQ(profile->operators[0].total, 750000);
}

TEST(ProfileTables, TheCsvCountsWhereThereAreNoTimestamps) {
  MemoryFileSystem files;
  files.Put("p/cpu_op_detail_info_0.csv",
            "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_time(ms),"
            "total_proportion,subgraph,pid\n"
            "Host,Conv2D,Conv2D-op0,Default/Conv2D-op0,20,29.5723,1.47861,0.29,Default,1\n");
  const auto profile = ImportProfile("p", {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->operator_source, OperatorSource::kCsv);
  EXPECT_EQ(profile->operators.front().total, 29572300);
}

// Each step has the names of its communications; a forged header may be long.
TEST(ProfileTables, LongNamesOfColumnsAreCut) {
  const std::string column = "stream_" + std::string(1000, 'x');
  MemoryFileSystem files;
  files.Put("p/step_trace_raw_0_detail_time.csv",
            "step_num,start_point,end_point,fp_point,bp_point," + column + "_start_point," +
                column + "_end_point\n1,100,400,150,350,200,250\n");
  const auto profile = ImportProfile("p", {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  ASSERT_EQ(profile->steps.at(0).communication.size(), 1);
  EXPECT_EQ(profile->steps[0].communication[0].name, column.substr(0, 256));
}

TEST(ProfileTables, TheMeanIsNoStepOfItsOwn) {
  for (const std::string mean : {"-", "0"}) {
    MemoryFileSystem files;
    files.Put("p/step_trace_raw_0_detail_time.csv",
              "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,"
              "tail\n1,100,400,300,150,350,50,200,50\n" +
                  mean + ",0,0,0,0,0,1243211,0,0\n");
    const auto profile = ImportProfile("p", {.file_system = &files});
    ASSERT_THAT(profile, IsOk());
    EXPECT_EQ(profile->steps.size(), 1) << mean;
    EXPECT_EQ(profile->model.events_modelled, 2) << mean;
  }
}

// Only these find FP_POINT, and the gradients that end the backward pass.
TEST(ProfileTables, SpansOfAnOldTimelineGetTheirFullNames) {
  const auto span = [](const std::string& name, const std::string& start) {
    return R"({"name":")" + name + R"(","ph":"X","tid":"HostCpuOps0","pid":0,"dur":1,"ts":)" +
           start + "}";
  };
  MemoryFileSystem files;
  files.Put("p/cpu_timeline_display_0.json", "[" + span("MatMul-op1", "1") + "," +
                                                 span("Add-op2", "3") + "," + span("Add-op2", "5") +
                                                 "]");
  files.Put("p/cpu_op_execute_timestamp_0.txt",
            "Gradients/fc1/MatMul-op1;HostCpuOps;1000,0.001,0 \n"
            "Default/a/Add-op2;HostCpuOps;3000,0.001,0 \n"
            "Default/b/Add-op2;HostCpuOps;5000,0.001,0 \n");
  const auto profile = ImportProfile("p", {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  const Model& model = profile->model;
  ASSERT_EQ(model.spans.size(), 3);
  EXPECT_EQ(model.names[model.spans.name[0]], "Gradients/fc1/MatMul-op1");
  EXPECT_EQ(model.names[model.spans.name[1]], "Add-op2") << "one of two";
  EXPECT_EQ(model.names[model.spans.type[0]], "MatMul");
}

TEST(ProfileTables, DamagedJsonOfThePipelineIsNamed) {
  MemoryFileSystem files;
  files.Put("p/pipeline_profiling_0.json", "{\"op_info\":[");
  files.Put("p/dataset_iterator_profiling_0.txt", "1 16 1 0 5\nnonsense\n0 0 1 7 5\n9 9 9 9 9\n");
  const auto profile = ImportProfile("p", {.file_system = &files});
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->files.front().status, IsStatus(StatusCode::kDataLoss, "not JSON"));
  files.Put("p/pipeline_profiling_0.json",
            "{\"op_info\":" + std::string(1000, '[') + std::string(1000, ']') + "}");
  EXPECT_THAT(ImportProfile("p", {.file_system = &files})->files.front().status,
              IsStatus(StatusCode::kDataLoss, "nested too deeply"));
  ASSERT_EQ(profile->data.batches.size(), 1);
  EXPECT_EQ(profile->data.batches[0].get, 7000000);
  EXPECT_EQ(profile->model.events_in - profile->model.events_modelled, 2);
}

TEST(ProfileTables, ATableThatIsNotKnownOrHasNoRowsIsRefused) {
  for (const char* text : {"", "a,b\n1,2\n"}) {
    EXPECT_THAT(Import("other.csv", text).error(),
                IsStatus(StatusCode::kInvalidArgument, "no table of an NPU's profiler"))
        << text;
  }
  EXPECT_THAT(Import("other.csv", "Name,Type,Start Time(us),Duration(us)\n").error(),
              IsStatus(StatusCode::kInvalidArgument, "a table without rows"));
}

TEST(ProfileTables, WhatHasNoEventAtAllIsRefused) {
  EXPECT_THAT(Import("numbers.json", "[1, 2, {\"a\": 3}]").error(),
              IsStatus(StatusCode::kInvalidArgument, "none of its 3 events is understood"));
  EXPECT_THAT(Import("empty.json", "[]"), IsOk());
}

TEST(ProfileTables, AMessageNamesTheFolderOnce) {
  MemoryFileSystem files;
  files.Put("p_ascend_ms/FRAMEWORK/other.txt", "");
  EXPECT_EQ(ImportProfile("p_ascend_ms", {.file_system = &files}).error().message(),
            "p_ascend_ms: nothing in it could be read as a profile");
  files.Put("p_ascend_ms/FRAMEWORK/pipeline_profiling_0.json", "{");
  EXPECT_EQ(ImportProfile("p_ascend_ms", {.file_system = &files}).error().message(),
            "p_ascend_ms: nothing in it could be read as a profile\n"
            "  p_ascend_ms/FRAMEWORK/pipeline_profiling_0.json: not JSON, or nested too deeply");
}

TEST(ProfileSearch, FindsEveryProfileBelowAFolder) {
  MemoryFileSystem files;
  files.Put("run/a_ascend_ms/FRAMEWORK/cpu_op_execute_timestamp_0.txt", "");
  files.Put("run/b/profiler/step_trace_raw_0_detail_time.csv", "");
  files.Put("run/c/x.pt.trace.json.gz", "");
  files.Put("run/c/notes.txt", "");
  files.Put("run/d/y.perfetto-trace.gz", "");
  std::vector<std::string> paths;
  for (const FoundProfile& found : FindProfiles("run", &files)) paths.push_back(found.path);
  EXPECT_THAT(paths, ElementsAre("run/a_ascend_ms", "run/b/profiler", "run/c/x.pt.trace.json.gz",
                                 "run/d/y.perfetto-trace.gz"));
  const auto several = ImportProfile("run", {.file_system = &files});
  ASSERT_FALSE(several.has_value());
  EXPECT_THAT(several.error(), IsStatus(StatusCode::kInvalidArgument, "4 profiles"));
  EXPECT_THAT(ImportProfile("nowhere", {.file_system = &files}).error(),
              IsStatus(StatusCode::kNotFound, ""));
}

// prof.export_chrome_trace("trace.json"); HTA's, ONNX Runtime's and torchtitan's names.
TEST(ProfileSearch, FindsTracesWhoseNamesDoNotSaySoByTheirFirstBytes) {
  MemoryFileSystem files;
  const std::string event = R"({"ph":"X","name":"a","ts":1,"dur":1})";
  files.Put("run/trace.json", R"({"schemaVersion":1,"traceEvents":[)" + event + "]}");
  files.Put("run/rank-0.json", " [" + event + "]");
  files.Put("run/config.json", R"({"lr":0.1})");
  files.Put("run/list.json", "[1, 2]");
  std::vector<std::string> paths;
  for (const FoundProfile& found : FindProfiles("run", &files)) paths.push_back(found.path);
  EXPECT_THAT(paths, ElementsAre("run/rank-0.json", "run/trace.json"));
}

TEST(ProfileSearch, NamesTheProfilerThatNamedTheFolder) {
  MemoryFileSystem files;
  files.Put("run/a_ascend_ms/ASCEND_PROFILER_OUTPUT/x", "");
  files.Put("run/b_ascend_pt/FRAMEWORK/x", "");
  files.Put("run/c_ascend_pt/ASCEND_PROFILER_OUTPUT/x", "");
  std::vector<SourceFormat> formats;
  for (const FoundProfile& found : FindProfiles("run", &files)) formats.push_back(found.format);
  EXPECT_THAT(formats, ElementsAre(SourceFormat::kMindSpore, SourceFormat::kTorchNpu,
                                   SourceFormat::kTorchNpu));
}

TEST(ProfileTables, ACutGzipFileIsReadUpToThere) {
  const std::string packed =
      testing::ReadFileOrDie(testing::CorpusPath("profiler/torch/plain.pt.trace.json.gz"));
  const auto profile = Import("t.json.gz", packed.substr(0, packed.size() / 2));
  ASSERT_THAT(profile, IsOk());
  EXPECT_THAT(profile->files.front().status, IsStatus(StatusCode::kDataLoss, "cut off"));
  EXPECT_GT(profile->model.spans.size(), 100);
}

}  // namespace
}  // namespace sightline::profiler
