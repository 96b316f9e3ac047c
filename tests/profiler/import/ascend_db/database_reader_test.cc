// The databases of Ascend's profilers, made with the tables and columns of real ones.
#include "sightline/profiler/import/ascend_db/database_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/flame.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/tests/profiler/import/ascend_db/made_database.h"
#include "sightline/tests/profiler/import/profiles.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MadeDatabase;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::SmallProfileSql;
using ::testing::UnorderedElementsAre;

constexpr char kName[] = "ascend_pytorch_profiler_6.db";

Profile ImportSql(const std::string& sql) {
  auto profile = testing::Import(kName, MadeDatabase(sql));
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? *std::move(profile) : Profile();
}

// "Ascend Hardware/Stream 2: Conv2D1 kernel 2000+1000"
std::vector<std::string> SpansOf(const Profile& profile) {
  std::vector<std::string> texts;
  const Model& model = profile.model;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    const Lane& lane = model.lane_of(i);
    texts.push_back(std::string(model.names[lane.process_name]) + "/" +
                    std::string(model.names[lane.thread_name]) + ": " +
                    std::string(model.names[model.spans.name[i]]) + " " +
                    std::string(SpanKindName(model.spans.kind[i])) + " " +
                    std::to_string(model.spans.start[i]) + "+" +
                    std::to_string(model.spans.duration[i]));
  }
  return texts;
}

// "HostToDevice:500 from Thread 8 at 1250"
std::vector<std::string> FlowsOf(const Profile& profile) {
  std::vector<std::string> texts;
  const Model& model = profile.model;
  for (const FlowPoint& point : model.flows) {
    const Lane& lane = model.lanes[static_cast<std::uint32_t>(point.lane)];
    texts.push_back(std::string(model.names[point.id]) +
                    (point.phase == FlowPhase::kStart ? " from " : " to ") +
                    std::string(model.names[lane.thread_name]) + " at " +
                    std::to_string(point.time));
  }
  return texts;
}

std::vector<std::string> CountersOf(const Profile& profile) {
  std::vector<std::string> names;
  for (const Counter& counter : profile.model.counters)
    names.emplace_back(profile.model.names[counter.name]);
  return names;
}

TEST(AscendDatabase, CallsTasksKernelsAndCollectivesAreOnTheirLanes) {
  const Profile profile = ImportSql(SmallProfileSql());
  EXPECT_EQ(profile.format, SourceFormat::kAscendDatabase);
  EXPECT_THAT(SpansOf(profile),
              UnorderedElementsAre(
                  "Python/Thread 7: ProfilerStep#3 step 1000+8000",
                  "Python/Thread 7: aten::conv2d operator 1100+400",
                  "Python/Thread 7: Enqueue other 1200+10",
                  "Python/Thread 8: Dequeue@conv2d other 1220+180",
                  "Python/Thread 8: ConvBackward operator 6000+500",
                  "Python/Thread 8: c10d::allreduce_ operator 6600+2300",
                  "CANN/Thread 8: Node@launch runtime 1250+50",
                  "CANN/Thread 8: AscendCL@launch runtime 1310+10",
                  "CANN/Thread 8: Node@launch runtime 7000+10",
                  "Ascend Hardware/Stream 2: Conv2D1 kernel 2000+1000",
                  "Ascend Hardware/Stream 2: AI_CORE runtime 3000+500",
                  "Ascend Hardware/Stream 2: EVENT_WAIT runtime 3500+100",
                  "Ascend Hardware/Stream 4: EVENT_WAIT runtime 7200+800",
                  "Communication/Plane 2: Notify_Wait runtime 7200+800",
                  "Communication/Group 0 Communication: hcom_allReduce__1_0_1 communication "
                  "7200+1500"));
  EXPECT_THAT(profile.model.not_understood, IsEmpty());
}

TEST(AscendDatabase, OnlyTasksThatAreDescribedCompute) {
  const Profile profile = ImportSql(SmallProfileSql());
  const DeviceUseTable use = MeasureDeviceUse(profile, AnalyzeSteps(profile));
  ASSERT_THAT(use.steps, SizeIs(1));
  EXPECT_EQ(use.steps[0].computing, 1000);
  EXPECT_EQ(use.steps[0].communication, 1500);
  EXPECT_EQ(use.steps[0].communication_alone, 1500);
}

TEST(AscendDatabase, KernelsAreTheOperatorsWithTypesAndShapes) {
  const Profile profile = ImportSql(SmallProfileSql());
  const OperatorTable table = AnalyzeOperators(profile, OperatorGrouping::kByName);
  ASSERT_THAT(table.rows, SizeIs(1));
  EXPECT_EQ(table.rows[0].name, "Conv2D1");
  EXPECT_EQ(table.rows[0].type, "Conv2D");
  EXPECT_EQ(table.rows[0].shapes, "\"1,3;4\"");
  EXPECT_EQ(table.rows[0].total, 1000);
}

TEST(AscendDatabase, TheUnitsOfTheCoresAreThoseOfTheTextFiles) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO STRING_IDS VALUES (90, 'aic_mac_ratio'), (91, 'aic_mac_time'), (92, 'aiv_vec_ratio');
INSERT INTO TASK_PMU_INFO VALUES (40, 90, 0.25), (40, 91, 250.5), (40, 92, 0), (77, 90, 1),
  (40, NULL, 1);)");
  ASSERT_EQ(profile.kernels.size(), 1U);
  const KernelUse& kernel = profile.kernels[0];
  EXPECT_EQ(profile.model.names[kernel.type], "Conv2D");
  EXPECT_EQ(profile.model.names[kernel.core], "AI_CORE");
  EXPECT_EQ(kernel.blocks, 16);
  EXPECT_EQ(kernel.total, 1000);
  EXPECT_THAT(profile.kernel_units, ::testing::ElementsAre("aic_mac", "aiv_vec"));
  EXPECT_THAT(kernel.busy, ::testing::ElementsAre(0.25, 0));
}

TEST(AscendDatabase, ArrowsGoFromCallsToWhatTheyStart) {
  EXPECT_THAT(
      FlowsOf(ImportSql(SmallProfileSql())),
      UnorderedElementsAre(
          "HostToDevice:500 from Thread 8 at 1250", "HostToDevice:500 to Stream 2 at 2000",
          "async_npu:500 from Thread 7 at 1100", "async_npu:500 to Stream 2 at 2000",
          "HostToDevice:502 from Thread 8 at 7000",
          "HostToDevice:502 to Group 0 Communication at 7200",
          "HostToDevice:503 to Stream 2 at 3500", "async_task_queue:800 from Thread 7 at 1200",
          "async_task_queue:800 to Thread 8 at 1220", "fwdbwd:900 from Thread 7 at 1100",
          "fwdbwd:900 to Thread 8 at 6000"));
}

TEST(AscendDatabase, StepTimesMarkTheStepsThatNoCallMarks) {
  const Profile profile = ImportSql(
      SmallProfileSql() + "DELETE FROM PYTORCH_API; INSERT INTO STEP_TIME VALUES (4, 9000, 9900);");
  const StepTable table = AnalyzeSteps(profile);
  EXPECT_EQ(table.source, StepSource::kMarked);
  ASSERT_THAT(table.steps, SizeIs(2));
  EXPECT_EQ(table.steps[1].number, 4);
  EXPECT_EQ(table.steps[1].total(), 900);
}

TEST(AscendDatabase, CallStacksAreFramesOfAFlameGraph) {
  const Profile profile = ImportSql(SmallProfileSql());
  std::string text;
  for (std::size_t i = 0; i < profile.model.spans.size(); ++i)
    text += profile.model.names[profile.model.spans.detail[i]];
  EXPECT_THAT(text, HasSubstr(R"("Call stack":"conv.py(3): forward;\nmain.py(7): train")"));
}

TEST(AscendDatabase, RangesOfTheUserAreAnnotationsAndMarksAreInstants) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO MSTX_EVENTS VALUES (1500, 2500, 2, 1, 0, 21, 21474836487, 21474836487, 0, 4294967295),
  (1600, 1600, 0, 1, 0, 21, 21474836487, 21474836487, 0, 4294967295);)");
  EXPECT_THAT(SpansOf(profile), Contains("MSTX/Thread 7: batch 12 annotation 1500+1000"));
  ASSERT_THAT(profile.model.instants, SizeIs(1));
  EXPECT_EQ(profile.model.instants[0].time, 1600);
}

TEST(AscendDatabase, MemoryIsInBytes) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO MEMORY_RECORD VALUES (18, 1500, 1024, 4096, 1024, 0, 0);
INSERT INTO NPU_MEM VALUES (19, 0, 2216407040, 1500, 0);
INSERT INTO OP_MEMORY VALUES (1, 512, 1500, 1700, 1700, 200, 200, 0, 0, 0, 0, 0, 0, 0, 0),
  (1, 256, 1600, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, 0, 0);)");
  std::vector<std::pair<std::string, double>> peaks;
  for (const MemoryCurve& curve : FindMemoryCurves(profile))
    peaks.emplace_back(curve.name, curve.peak);
  EXPECT_THAT(peaks, UnorderedElementsAre(Pair("memory reserved, PTA, NPU:0", 4096),
                                          Pair("memory allocated, PTA, NPU:0", 1024),
                                          Pair("memory reserved, APP, NPU:0", 2216407040)));
  const std::vector<MemoryPeak> held = FindMemoryPeaks(profile);
  ASSERT_EQ(held.size(), 1);
  EXPECT_EQ(held.front().bytes, 768);
}

TEST(AscendDatabase, ATableOfValuesOverTimeIsCountersWhateverItsName) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO HBM VALUES (0, 1500, 4000, 1, 20), (0, 1700, 5000, 1, 20);
CREATE TABLE NIC (deviceId INTEGER, timestampNs INTEGER, bandwidth INTEGER, rxByteRate NUMERIC,
  txErrors NUMERIC, funcId INTEGER);
INSERT INTO NIC VALUES (0, 1500, 1, 2, 3, 7);
CREATE TABLE ROCE (deviceId INTEGER, timestampNs INTEGER, bandwidth INTEGER, funcId INTEGER);
INSERT INTO ROCE VALUES (0, 1500, 1, 0);
CREATE TABLE HCCS (deviceId INTEGER, timestampNs INTEGER, txThroughput NUMERIC, rxThroughput NUMERIC);
INSERT INTO HCCS VALUES (0, 1500, 10, 20);
CREATE TABLE PCIE (deviceId INTEGER, timestampNs INTEGER, txPostAvg INTEGER);
INSERT INTO PCIE VALUES (0, 1500, 10);
CREATE TABLE DDR (deviceId INTEGER, timestampNs INTEGER, read NUMERIC, write NUMERIC);
INSERT INTO DDR VALUES (0, 1500, 10, 20);
CREATE TABLE AICORE_FREQ (deviceId INTEGER, timestampNs NUMERIC, freq INTEGER);
INSERT INTO AICORE_FREQ VALUES (0, 1500, 1800);
CREATE TABLE TOMORROW (timestampNs INTEGER, watts REAL);
INSERT INTO TOMORROW VALUES (1500, 310.5);)");
  EXPECT_THAT(
      CountersOf(profile),
      UnorderedElementsAre("HBM 1 read/bandwidth (bytes/s)", "NIC 7/bandwidth (bytes/s)",
                           "NIC 7/rxByteRate (bytes/s)", "NIC 7/txErrors",
                           "ROCE 0/bandwidth (bytes/s)", "HCCS/txThroughput (bytes/s)",
                           "HCCS/rxThroughput (bytes/s)", "PCIE/txPostAvg", "DDR/read (bytes/s)",
                           "DDR/write (bytes/s)", "AICORE_FREQ/freq (MHz)", "TOMORROW/watts"));
}

TEST(AscendDatabase, TheRankAndTheHostAreThoseOfTheDatabase) {
  const Profile profile = ImportSql(SmallProfileSql());
  EXPECT_EQ(profile.rank, 6);
  EXPECT_THAT(profile.model.attributes, Contains(Pair("host", "worker-2")));
}

TEST(AscendDatabase, GroupsAreThoseOfItsMetadata) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO META_DATA VALUES ('parallel_group_info',
  '{"group_name_0": {"group_name": "pp", "group_rank": 1, "global_ranks": [2, 6]}}');
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, transit_time NUMERIC,
  wait_time NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerTime VALUES ('hcom_send_0', '5862276093215481612', 1, 1, 'step3', 'p2p');)");
  EXPECT_EQ(profile.stage, 1);
  ASSERT_THAT(profile.communication, SizeIs(1));
  EXPECT_EQ(profile.communication[0].group, "pp");
}

TEST(AscendDatabase, AProgramThatIsNotDistributedHasNoRank) {
  EXPECT_EQ(ImportSql(SmallProfileSql() + "UPDATE RANK_DEVICE_MAP SET rankId = -1;").rank,
            std::nullopt);
}

TEST(AscendDatabase, TablesAndColumnsThatAreNotKnownAreNamedAndCounted) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
ALTER TABLE TASK ADD COLUMN priority INTEGER;
CREATE TABLE FUTURE (a, b);
INSERT INTO FUTURE VALUES (1, 2), (3, 4);)");
  ASSERT_THAT(profile.files, SizeIs(1));
  EXPECT_THAT(profile.files[0].note, AllOf(HasSubstr("TASK.priority"), HasSubstr("FUTURE")));
  ASSERT_THAT(profile.model.not_understood, SizeIs(1));
  EXPECT_EQ(profile.model.not_understood[0].count, 2);
  EXPECT_EQ(profile.model.not_understood[0].example, "FUTURE");
}

TEST(AscendDatabase, KnownTablesLeaveNoNote) {
  EXPECT_EQ(ImportSql(SmallProfileSql()).files[0].note, "");
}

TEST(AscendDatabase, RowsThatSayNothingAreCounted) {
  const Profile profile = ImportSql(SmallProfileSql() + R"(
INSERT INTO TASK VALUES (10, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8), (NULL, 'x', 0, 1, 2, 3, 4, 5, 6, 7, 8);
INSERT INTO COMPUTE_TASK_INFO VALUES (6, 99, 1, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0);)");
  std::uint64_t count = 0;
  for (const NotUnderstood& one : profile.model.not_understood) count += one.count;
  EXPECT_EQ(count, 3);
  EXPECT_EQ(profile.model.events_in, profile.model.events_modelled + count);
}

TEST(AscendDatabase, TablesOfStepsAndCollectivesAreThoseOfTheTextFiles) {
  auto profile = testing::Import("analysis.db", MadeDatabase(R"(
CREATE TABLE StepTraceTime (deviceId INTEGER, step TEXT, computing NUMERIC,
  communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC,
  stage NUMERIC, bubble NUMERIC, communication_not_overlapped_and_exclude_receive NUMERIC,
  preparing NUMERIC);
INSERT INTO StepTraceTime VALUES (4, '13', 400.5, 270.25, 0, 270.25, 130, 800.75, 0, 200.25, 9.5);
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC,
  elapse_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC,
  idle_time NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerTime VALUES ('hcom_send_0', '77', 1, 5, 2.5, 1.5, 0, 1, 'step13', 'p2p'),
  ('Total Op Info', '77', 1, 5, 2.5, 1.5, 0, 1, 'step13', 'p2p');
CREATE TABLE CommAnalyzerBandwidth (hccl_op_name TEXT, group_name TEXT, transport_type TEXT,
  transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC,
  package_size NUMERIC, count NUMERIC, total_duration NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerBandwidth VALUES
  ('hcom_send_0', '77', 'HCCS', 8, 2, 4, 0, 2, 3, 1, 'step13', 'p2p'),
  ('hcom_send_0', '77', 'HCCS', 8, 2, 4, 0, 1, 2, 1, 'step13', 'p2p'),
  ('hcom_send_0', '77', 'SDMA', 8, 2, 4, 0, 0, 0, 0, 'step13', 'p2p');
CREATE TABLE CommAnalyzerMatrix (hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT,
  transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT,
  type TEXT, op_name TEXT);
INSERT INTO CommAnalyzerMatrix VALUES
  ('send-top1', '77', '0', '1', 'HCCS', 4, 1, 4, 'step13', 'p2p', 'hcom_send_0'),
  ('send-total', '77', '0', '1', 'HCCS', 8, 2, 4, 'step13', 'p2p', 'hcom_send_0');)"));
  ASSERT_THAT(profile, testing::IsOk());
  ASSERT_THAT(profile->device_steps, SizeIs(1));
  const DeviceStep& step = profile->device_steps[0];
  EXPECT_EQ(step.number, 13);
  EXPECT_EQ(step.computing, 400'500);
  EXPECT_EQ(step.communication_alone, 270'250);
  EXPECT_EQ(step.idle, 130'000);
  EXPECT_EQ(step.receive_alone, 70'000);
  EXPECT_EQ(step.preparing, 9'500);
  ASSERT_THAT(profile->communication, SizeIs(1));
  const CommunicationUse& use = profile->communication[0];
  EXPECT_EQ(use.name, "hcom_send_0@77");
  EXPECT_EQ(use.step, 13);
  EXPECT_TRUE(use.point_to_point);
  EXPECT_EQ(use.wait, 1'500'000);
  EXPECT_EQ(use.elapsed, 5'000'000);
  ASSERT_THAT(use.links, SizeIs(1));
  EXPECT_EQ(use.links[0].bytes, 8e6) << "once, not for each size of packets";
  ASSERT_THAT(profile->links, SizeIs(1)) << "the sums, not the examples";
  EXPECT_EQ(profile->links[0].link, "0-1");
}

// A profile's folder in memory.
class DatabaseFolder : public ::testing::Test {
 protected:
  void Put(const std::string& name, const std::string& bytes) {
    files_.Put("run_ascend_pt/ASCEND_PROFILER_OUTPUT/" + name, bytes);
  }
  Profile Open(const std::string& path = "run_ascend_pt") {
    auto profile = ImportProfile(path, {.file_system = &files_});
    EXPECT_THAT(profile, testing::IsOk());
    return profile ? *std::move(profile) : Profile();
  }

  testing::MemoryFileSystem files_;
};

TEST_F(DatabaseFolder, WithDatabasesOnlyIsAProfile) {
  Put(kName, MadeDatabase(SmallProfileSql()));
  Put("analysis.db", MadeDatabase("CREATE TABLE StepTraceTime (step TEXT, computing NUMERIC, "
                                  "communication NUMERIC);"
                                  "INSERT INTO StepTraceTime VALUES ('3', 1, 1.5);"));
  for (const char* path : {"run_ascend_pt", "run_ascend_pt/ASCEND_PROFILER_OUTPUT", "."}) {
    const Profile profile = Open(path);
    EXPECT_THAT(profile.model.spans.start, SizeIs(15)) << path;
    EXPECT_THAT(profile.device_steps, SizeIs(1)) << path;
    EXPECT_EQ(profile.rank, 6) << path;
  }
}

TEST_F(DatabaseFolder, TextComesFirstAndTheDatabaseFillsTheRest) {
  Put("trace_view.json", R"([{"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":2}])");
  Put("step_trace_time.csv", "Step,Computing,Communication\n3,7,8\n");
  Put(kName, MadeDatabase(SmallProfileSql() +
                          "CREATE TABLE StepTraceTime (step TEXT, computing NUMERIC, "
                          "communication NUMERIC);"
                          "INSERT INTO StepTraceTime VALUES ('3', 1, 1.5);"
                          "INSERT INTO MEMORY_RECORD VALUES (18, 1500, 1024, 4096, 1024, 0, 0);"));
  const Profile profile = Open();
  EXPECT_THAT(profile.model.spans.start, ElementsAre(1000));
  ASSERT_THAT(profile.device_steps, SizeIs(1));
  EXPECT_EQ(profile.device_steps[0].computing, 7000);
  EXPECT_THAT(profile.operators, SizeIs(1)) << "no text file has the kernels";
  EXPECT_THAT(CountersOf(profile), Contains("memory reserved, PTA, NPU:0"));
}

TEST_F(DatabaseFolder, WhatAWriteAheadLogHoldsIsNamed) {
  Put(kName, MadeDatabase(SmallProfileSql()));
  Put(std::string(kName) + "-wal", "changes");
  const Profile profile = Open();
  ASSERT_THAT(profile.files, SizeIs(2));
  EXPECT_THAT(profile.files[1].path, HasSubstr("-wal"));
  EXPECT_THAT(profile.files[1].unread, HasSubstr("not in the database yet"));
}

TEST(DatabaseReader, ALockedDatabaseIsReadAndNothingIsCreatedBesideIt) {
  const testing::TempDir folder;
  const std::string path = folder.path() + "/" + kName;
  testing::WriteFileOrDie(path, MadeDatabase(SmallProfileSql()));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_THAT(ImportProfile(path), testing::IsOk());
  sqlite3_close(other);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names, ElementsAre(kName));
}

TEST(DatabaseReader, AForeignDatabaseIsNoProfile) {
  testing::MemoryFileSystem files;
  files.Put("cookies.db", MadeDatabase("CREATE TABLE cookies (host, name);"));
  const auto profile = ImportProfile("cookies.db", {.file_system = &files});
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.error().message()), HasSubstr("cookies"));
}

}  // namespace
}  // namespace sightline::profiler
