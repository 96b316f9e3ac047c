// cluster_analysis.db of msprof-analyze: the sums of all ranks of a training, as a database.
#include "sightline/profiler/import/ascend_db/cluster_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sightline/profiler/cluster/cluster.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tests/profiler/import/ascend_db/made_database.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::MemoryFileSystem;
using ::testing::SizeIs;

// The tables as msprof-analyze 26.2.0 makes them, with two ranks that are two stages.
constexpr char kTables[] = R"(
CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, "index" TEXT, computing NUMERIC,
  communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC,
  stage NUMERIC, bubble NUMERIC, communication_not_overlapped_and_exclude_receive NUMERIC,
  preparing NUMERIC, dp_index INTEGER, pp_index INTEGER, tp_index INTEGER);
CREATE TABLE ClusterCommunicationTime (step TEXT, rank_id INTEGER, hccl_op_name TEXT,
  group_name TEXT, start_timestamp REAL, elapsed_time REAL, transit_time REAL, wait_time REAL,
  synchronization_time REAL, idle_time REAL, synchronization_time_ratio REAL,
  wait_time_ratio REAL);
CREATE TABLE ClusterCommunicationBandwidth (step TEXT, rank_id INTEGER, hccl_op_name TEXT,
  group_name TEXT, band_type TEXT, transit_size REAL, transit_time REAL, bandwidth REAL,
  large_packet_ratio REAL, package_size REAL, count INTEGER, total_duration REAL);
CREATE TABLE ClusterCommunicationMatrix (step TEXT, hccl_op_name TEXT, group_name TEXT,
  src_rank REAL, dst_rank REAL, transport_type TEXT, op_name TEXT, transit_size REAL,
  transit_time REAL, bandwidth REAL);
CREATE TABLE CommunicationGroupMapping (type TEXT, rank_set TEXT, group_name TEXT, group_id TEXT,
  pg_name TEXT);
CREATE TABLE RankDeviceMap (rankId INTEGER, deviceId INTEGER, hostUid TEXT, profilePath TEXT);
CREATE TABLE HostInfo (hostUid TEXT, hostName TEXT);
CREATE TABLE ClusterBaseInfo (key TEXT, value TEXT);
INSERT INTO ClusterStepTraceTime VALUES
  ('7', 'rank', '0', 100.5, 20, 5, 25, 10, 130.5, 0, 20, 3, 0, 0, 0),
  ('7', 'rank', '1', 80, 40.5, 5, 45.5, 10, 130.5, 0, 30.5, 3, 0, 1, 0),
  ('7', 'stage', '(0,)', 100.5, 20, 5, 25, 10, 130.5, 0, 20, 3, NULL, NULL, NULL);
INSERT INTO ClusterCommunicationTime VALUES
  ('step7', 0, 'hcom_allReduce__42_0_1', '42', 1000, 2.5, 1.5, 0.5, 0, 0, 0, 0),
  ('step7', 1, 'hcom_allReduce__42_0_1', '42', 1000.5, 3.5, 1.5, 1.5, 0, 0, 0, 0),
  ('step7', 1, 'hcom_batchSendRecv__42_0_1', '42', 1000, 1, 1, 0, 0, 0, 0, 0),
  ('step7', 1, 'Total Op Info', '42', 0, 9, 9, 9, 0, 0, 0, 0);
INSERT INTO ClusterCommunicationBandwidth VALUES
  ('step7', 1, 'hcom_allReduce__42_0_1', '42', 'HCCS', 8, 1.5, 5.3, 0, 2, 4, 1.4),
  ('step7', 1, 'hcom_allReduce__42_0_1', '42', 'SDMA', 8, 1.5, 5.3, 0, 0, 0, 0);
INSERT INTO ClusterCommunicationMatrix VALUES
  ('step7', 'allreduce-total', '42', 0.0, 1.0, 'HCCS', '', 8, 1, 8),
  ('step7', 'allreduce-top1', '42', 1.0, 0.0, 'HCCS', 'hcom_allReduce__42_0_1', 8, 2, 4),
  ('step7', 'allreduce-total', '42', 1.0, 0.0, 'HCCS', '', 8, 2, 4);
INSERT INTO RankDeviceMap VALUES (0, 4, '77', '/a'), (1, 5, '77', '/b');
INSERT INTO HostInfo VALUES ('77', 'node-1');
)";

constexpr char kNamedGroup[] =
    "INSERT INTO CommunicationGroupMapping VALUES ('collective', '(0,1)', '42', 'g', 'dp');";
constexpr char kUnnamedGroup[] =
    "INSERT INTO CommunicationGroupMapping VALUES ('collective', '(0,1)', '42', '', '');";

void Put(MemoryFileSystem& files, const std::string& sql) {
  files.Put("out/cluster_analysis.db", testing::MadeDatabase(kTables + sql));
}

Result<Profile> ImportRank(const std::string& sql, std::int64_t rank) {
  MemoryFileSystem files;
  Put(files, sql);
  return ImportProfile("out", {.rank = rank, .file_system = &files});
}

Cluster Join(const std::string& sql) {
  MemoryFileSystem files;
  Put(files, sql);
  ClusterParts read = ReadPart("out", files);
  EXPECT_THAT(read.unread, IsEmpty());
  return JoinParts(std::move(read.parts));
}

TEST(ClusterTables, HaveOfEachRankItsStepsCollectivesAndLinks) {
  const auto profile = ImportRank(kNamedGroup, 1);
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->format, SourceFormat::kClusterOutput);
  EXPECT_THAT(profile->ranks, ElementsAre(0, 1));
  ASSERT_THAT(profile->device_steps, SizeIs(1));
  EXPECT_EQ(profile->device_steps[0].number, 7);
  EXPECT_EQ(profile->device_steps[0].computing, 80'000);
  EXPECT_EQ(profile->device_steps[0].receive_alone, 10'000);
  ASSERT_THAT(profile->communication, SizeIs(2)) << "without the sum";
  const CommunicationUse& reduce = profile->communication[0];
  EXPECT_EQ(reduce.name, "hcom_allReduce__42_0_1@42");
  EXPECT_EQ(reduce.group, "dp");
  EXPECT_EQ(reduce.step, 7);
  EXPECT_EQ(reduce.start, 1'000'500);
  EXPECT_EQ(reduce.elapsed, 3'500'000);
  EXPECT_FALSE(reduce.point_to_point);
  ASSERT_THAT(reduce.links, SizeIs(1)) << "SDMA is the sum";
  EXPECT_EQ(reduce.links[0].bytes, 8e6);
  ASSERT_THAT(reduce.packets, SizeIs(1));
  EXPECT_EQ(reduce.packets[0].count, 4);
  EXPECT_TRUE(profile->communication[1].point_to_point);
  ASSERT_THAT(profile->links, SizeIs(1)) << "the sums of links that begin at the rank";
  EXPECT_EQ(profile->links[0].link, "1-0");
  EXPECT_EQ(profile->device, 5);
  EXPECT_EQ(profile->stage, 1);
  EXPECT_EQ(profile->model.events_in, profile->model.events_modelled);
  EXPECT_THAT(profile->files.at(0).note, IsEmpty()) << "every column is known";
}

TEST(ClusterTables, AreAClusterWithItsHostsAndStages) {
  const Cluster cluster = Join(kNamedGroup);
  ASSERT_THAT(cluster.ranks, SizeIs(2));
  ASSERT_THAT(cluster.hosts, SizeIs(1));
  EXPECT_EQ(cluster.hosts[0].name, "node-1");
  EXPECT_THAT(cluster.stages, SizeIs(2));
  EXPECT_EQ(cluster.ranks[0].votes.last, 1);
  EXPECT_EQ(cluster.ranks[1].votes.wait, 1'000'000);
}

TEST(ClusterTables, OfAGroupWithoutANameTheMembersAreNotKnown) {
  const Cluster cluster = Join(kUnnamedGroup);
  EXPECT_EQ(cluster.unknown_members, 1);
  EXPECT_EQ(cluster.ranks[0].votes.judged, 0);
}

TEST(ClusterTables, OfAllRanksOfATrainingTheMembersAreKnown) {
  const std::string info = R"(INSERT INTO ClusterBaseInfo VALUES
    ('distributed_args', '{"pipeline_model_parallel_size": 2, "world_size": 2}');)";
  EXPECT_EQ(Join(kUnnamedGroup + info).ranks[0].votes.judged, 1);
  const std::string larger = R"(INSERT INTO ClusterBaseInfo VALUES
    ('distributed_args', '{"world_size": 8}');)";
  EXPECT_EQ(Join(kUnnamedGroup + larger).ranks[0].votes.judged, 0);
}

TEST(ClusterTables, WithoutAPipelineAllRanksAreOfNoStage) {
  const auto profile = ImportRank("UPDATE ClusterStepTraceTime SET pp_index = 0;", 1);
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->stage, std::nullopt);
}

TEST(ClusterTables, TextsBesideThemComeFirst) {
  MemoryFileSystem files;
  Put(files, kNamedGroup);
  files.Put("out/cluster_step_trace_time.csv",
            "Step,Type,Index,Computing,Communication\n7,rank,0,1,2\n7,rank,1,3,4\n");
  const auto profile = ImportProfile("out", {.rank = 1, .file_system = &files});
  ASSERT_THAT(profile, IsOk());
  ASSERT_THAT(profile->device_steps, SizeIs(1));
  EXPECT_EQ(profile->device_steps[0].computing, 3'000);
  EXPECT_THAT(profile->communication, SizeIs(2)) << "only the database has them";
}

TEST(ClusterTables, RowsThatAreNotUnderstoodAreCounted) {
  const auto profile = ImportRank(
      "INSERT INTO ClusterStepTraceTime (step, type, \"index\", computing) VALUES "
      "('7', 'rank', 'x', 1), ('7', 'rank', '0', -1);"
      "CREATE TABLE Other (a INTEGER); INSERT INTO Other VALUES (1), (2);",
      0);
  ASSERT_THAT(profile, IsOk());
  EXPECT_EQ(profile->model.events_in - profile->model.events_modelled, 4);
  EXPECT_THAT(profile->files.at(0).note, HasSubstr("Other"));
}

TEST(ClusterTables, ADatabaseWithoutRanksIsRefused) {
  MemoryFileSystem files;
  files.Put("out/cluster_analysis.db", testing::MadeDatabase("CREATE TABLE A (b INTEGER);"));
  const auto profile = ImportProfile("out", {.file_system = &files});
  ASSERT_FALSE(profile);
  EXPECT_THAT(std::string(profile.error().message()), HasSubstr("number of a rank"));
}

}  // namespace
}  // namespace sightline::profiler
