// Tables of operators on devices, and files that are known and not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::MemoryFileSystem;

// A folder of these files, read.
Profile ImportFolder(const std::map<std::string, std::string>& texts) {
  MemoryFileSystem files;
  for (const auto& [name, text] : texts) files.Put("run/" + name, text);
  auto profile = ImportProfile("run", {.file_system = &files});
  EXPECT_THAT(profile, IsOk());
  return profile ? *std::move(profile) : Profile();
}

std::string UnreadOf(const Profile& profile, const std::string& name) {
  for (const SourceFile& file : profile.files) {
    if (file.path.ends_with("/" + name)) return file.unread;
  }
  return "not listed";
}

constexpr char kAicore[] =
    "full_kernel_name,execution_time,execution_frequency\n"
    "Default/conv1-Conv2d/Conv2D-op13,0.05,4\nDefault/fc-Dense/MatMul-op9,0.3,2\n";

TEST(DeviceTables, AKernelHasShapesWhereAllItsExecutionsHaveTheSame) {
  const Profile profile = ImportFolder(
      {{"kernel_details.csv",
        "Stream ID,Name,Type,Start Time(us),Duration(us),Input Shapes\n"
        "7,conv,Conv2D,10,5,\"32,3\"\n7,conv,Conv2D,20,5,\"32,3\"\n"
        "7,fc,MatMul,30,5,\"32,3\"\n7,fc,MatMul,40,5,\"64,3\"\n7,fc,MatMul,50,5,\"32,3\"\n"}});
  ASSERT_EQ(profile.operators.size(), 2);
  EXPECT_EQ(profile.model.names[profile.operators[0].shapes], "32,3");
  EXPECT_EQ(profile.operators[1].shapes, kNoName);
}

TEST(DeviceTables, AicoreDetailsAreMeansOfAnExecution) {
  const Profile profile = ImportFolder({{"aicore_intermediate_1_detail.csv", kAicore}});
  EXPECT_EQ(profile.rank, 1);
  const OperatorTable table = AnalyzeOperators(profile, OperatorGrouping::kByType);
  ASSERT_EQ(table.rows.size(), 2);
  EXPECT_EQ(table.rows[0].type, "MatMul");
  EXPECT_EQ(table.rows[0].total, 600'000);
  EXPECT_EQ(table.rows[1].count, 4);
  EXPECT_EQ(table.rows[1].total, 200'000);
}

TEST(DeviceTables, ShapesTypesAndFlopsComeToTheirOperators) {
  const Profile profile = ImportFolder(
      {{"aicore_intermediate_1_detail.csv", kAicore},
       {"framework_raw_1.csv",
        "task_id,full_kernel_name,kernel_type,op_info\n"
        "1,Default/conv1-Conv2d/Conv2D-op13,Conv2DCustom,\"{\"\"input_0\"\": {\"\"shape\"\": "
        "\"\"32,3\"\"}, \"\"input_1\"\": {\"\"shape\"\": [6, 3]}, \"\"output_0\"\": {}}\"\n"},
       {"flops_1.txt",
        "full_kernel_name, MFLOPs(10^6 cube), GFLOPS(10^9 cube), MFLOPs(10^6 vector)\n"
        "Default/conv1-Conv2d/Conv2D-op13, 3, 9, 0.5\n"}});
  const OperatorTable table = AnalyzeOperators(profile, OperatorGrouping::kByName);
  ASSERT_EQ(table.rows.size(), 2);
  EXPECT_EQ(table.rows[1].type, "Conv2DCustom");
  EXPECT_EQ(table.rows[1].shapes, "32,3;6,3");
  EXPECT_EQ(table.rows[1].flops, 4 * 3.5e6) << "of each of its four executions";
  EXPECT_EQ(table.rows[1].flops_per_second(), 14e6 / 200e-6);
  EXPECT_EQ(table.rows[0].flops, 0);
}

TEST(DeviceTables, ATraceSaysItsOwnFlops) {
  const OperatorTable table = AnalyzeOperators(
      testing::ImportEvents(R"({"ph":"X","name":"mm","cat":"cpu_op","ts":1,"dur":4,)"
                            R"("args":{"flops":512}},)"
                            R"({"ph":"X","name":"mm","cat":"cpu_op","ts":9,"dur":2,)"
                            R"("args":{"flops":"100"}})"),
      OperatorGrouping::kByType);
  ASSERT_EQ(table.rows.size(), 1);
  EXPECT_EQ(table.rows[0].flops, 612);
}

TEST(DeviceTables, StatisticsCountWhereNoExecutionsAreListed) {
  const std::string statistic =
      "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us)\n"
      "0,MatMul,AI_CORE,3,30.5,1,10\n";
  const Profile alone = ImportFolder({{"ASCEND_PROFILER_OUTPUT/op_statistic.csv", statistic}});
  ASSERT_EQ(alone.operators.size(), 1);
  EXPECT_EQ(alone.operators[0].total, 30'500);
  EXPECT_FALSE(alone.files.front().untested);
  const Profile both = ImportFolder(
      {{"ASCEND_PROFILER_OUTPUT/op_statistic.csv", statistic},
       {"ASCEND_PROFILER_OUTPUT/kernel_details.csv",
        "Name,Type,Start Time(us),Duration(us)\nMatMul-op1,MatMul,1,2\n"},
       {"ASCEND_PROFILER_OUTPUT/operator_details.csv", "Name,Input Shapes\nMatMul-op1,\"2,2\"\n"}});
  ASSERT_EQ(both.operators.size(), 1);
  EXPECT_EQ(both.operators[0].total, 2'000);
  EXPECT_EQ(both.model.names[both.operators[0].shapes], "2,2");
  ASSERT_EQ(both.operator_types.size(), 1) << "to compare it with the kernels";
  EXPECT_EQ(both.operator_types[0].total, 30'500);
}

TEST(DeviceTables, GpuAndAicpuRowsAreOperators) {
  const Profile gpu =
      ImportFolder({{"gpu_op_detail_info_0.csv",
                     "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us)\n"
                     "Device,Add,Add-op1,Default/Add-op1,5,50\n"}});
  ASSERT_EQ(gpu.operators.size(), 1);
  EXPECT_EQ(gpu.operators[0].total, 50'000);
  const Profile aicpu = ImportFolder(
      {{"aicore_intermediate_0_detail.csv", "full_op_name,execution_time\nDefault/A-op1,1\n"},
       {"aicpu_intermediate_0.csv",
        "serial_number,kernel_type,total_time\n1,GetNext,0.5\n2,,1\n"}});
  ASSERT_EQ(aicpu.operators.size(), 2);
  EXPECT_EQ(aicpu.operators[1].total, 500'000);
  EXPECT_EQ(aicpu.model.events_in - aicpu.model.events_modelled, 1) << "a row without a name";
}

TEST(DeviceTables, OfForgedShapesTakeNothing) {
  const Profile profile =
      ImportFolder({{"aicore_intermediate_1_detail.csv", kAicore},
                    {"framework_raw_1.csv",
                     "full_op_name,op_type,op_info\n"
                     "Default/fc-Dense/MatMul-op9,MatMul,\"{\"\"input_0\"\": 7}\"\n"
                     "Default/conv1-Conv2d/Conv2D-op13,Conv2D,nonsense\n"}});
  for (const ListedOperator& one : profile.operators) EXPECT_EQ(one.shapes, kNoName);
}

TEST(UnreadFiles, AreNamedWithTheirReason) {
  const Profile profile = ImportFolder(
      {{"step_trace_raw_0_detail_time.csv", "step_num,start_point,end_point,fp_point\n1,0,9,1\n"},
       {"memory_usage_details_0.json", "{}"},
       {"notes.txt", "mine"}});
  EXPECT_THAT(UnreadOf(profile, "memory_usage_details_0.json"), HasSubstr("plan"));
  EXPECT_EQ(UnreadOf(profile, "notes.txt"), "unknown file");
  EXPECT_EQ(UnreadOf(profile, "step_trace_raw_0_detail_time.csv"), "");
}

TEST(UnreadFiles, OfOtherRanksAreTheirs) {
  const std::string steps = "step_num,start_point,end_point,fp_point\n1,0,9,1\n";
  const Profile profile = ImportFolder({{"step_trace_raw_0_detail_time.csv", steps},
                                        {"step_trace_raw_1_detail_time.csv", steps},
                                        {"cpu_op_type_info_1.csv", ""}});
  EXPECT_EQ(UnreadOf(profile, "step_trace_raw_1_detail_time.csv"), "not listed");
  EXPECT_EQ(UnreadOf(profile, "cpu_op_type_info_1.csv"), "not listed");
}

constexpr char kCommunication[] =
    R"json({"step3": {"p2p": {}, "collective": {"hcom_allReduce__0@7": {
    "Communication Time Info": {"Transit Time(ms)": 2, "Wait Time(ms)": 0.5},
    "Communication Bandwidth Info": {"HCCS": {"Transit Size(MB)": 4, "Transit Time(ms)": 2},
                                     "RDMA": {"Transit Size(MB)": 0, "Transit Time(ms)": 0}}},
    "broken": {}, "Total Op Info": {"Communication Time Info": {}}}}})json";

TEST(CommunicationFiles, HaveTimesAndLinksOfEachOperator) {
  const Profile profile = ImportFolder(
      {{"ASCEND_PROFILER_OUTPUT/communication.json", kCommunication},
       {"ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
        "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n"
        "0,3,100,10,20,30,5.5\n0,4,,,,,\n"}});
  ASSERT_EQ(profile.communication.size(), 1);
  const CommunicationUse& use = profile.communication[0];
  EXPECT_EQ(use.step, 3);
  EXPECT_EQ(use.wait, 500'000);
  ASSERT_EQ(use.links.size(), 1);
  EXPECT_EQ(use.links[0].bytes, 4e6);
  ASSERT_EQ(profile.device_steps.size(), 1);
  EXPECT_EQ(profile.device_steps[0].communication_alone, 10'000);
  EXPECT_EQ(profile.device_steps[0].idle, 5'500);
  EXPECT_EQ(profile.model.events_in - profile.model.events_modelled, 2);
}

constexpr char kMatrix[] =
    R"json({"step3": {"collective": {"hcom_allReduce__0@7": {"0-1": {"Transport Type": "HCCS",
    "Transit Size(MB)": 4, "Transit Time(ms)": 2}}, "other": {}}}})json";

TEST(CommunicationFiles, OfTheMatrixNameTheLinks) {
  const Profile profile =
      ImportFolder({{"ASCEND_PROFILER_OUTPUT/communication.json", kCommunication},
                    {"ASCEND_PROFILER_OUTPUT/communication_matrix.json", kMatrix}});
  ASSERT_EQ(profile.communication[0].links.size(), 1);
  EXPECT_EQ(profile.communication[0].links[0].link, "0-1");
}

TEST(CommunicationFiles, ThatAreNoJsonAreDamaged) {
  const Profile profile = ImportFolder(
      {{"ASCEND_PROFILER_OUTPUT/communication.json", "[1]"},
       {"ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count,Total Time(us)\nA,1,1\n"}});
  bool damaged = false;
  for (const SourceFile& file : profile.files) damaged = damaged || !file.status.ok();
  EXPECT_TRUE(damaged);
}

TEST(PipelineTable, IsReadWhereThereIsNoOtherFile) {
  const Profile profile = ImportFolder(
      {{"minddata_pipeline_raw_0.csv",
        "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,"
        "output_queue_length,output_queue_usage_rate,sample_interval,parent_id,children_id\n"
        "0,Batch,4,,,,0,10,,[1]\n1,TFReader,4,\"[10, 20, 30]\",20.0,64,0.3125,10,0,\n"},
       {"dataset_iterator_profiling_0.txt", "1 16 1 0 5\n"}});
  ASSERT_EQ(profile.data.operators.size(), 2);
  EXPECT_EQ(profile.data.operators[1].parent, 0);
  EXPECT_EQ(profile.data.operators[1].queue_sizes.size(), 3);
  EXPECT_EQ(profile.data.operators[1].queue_capacity, 64);
  EXPECT_EQ(profile.data.sampling_interval, 10);
}

}  // namespace
}  // namespace sightline::profiler
