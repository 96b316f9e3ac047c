#include "sightline/recorder/framing/file_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(FileNameTest, KnowsMindSporesSummaryFiles) {
  const auto name = ParseEventFileName("events.out.events.summary.1795189336.3.vm-1.local_MS");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->kind, EventFileKind::kMindSporeSummary);
  EXPECT_EQ(name->seconds, 1795189336u);
  EXPECT_THAT(name->device_id, Optional(3u));
  EXPECT_EQ(name->hostname, "vm-1.local");
}

TEST(FileNameTest, KnowsLineageFiles) {
  const auto name = ParseEventFileName("events.out.events.summary.1795189336.0.vm_lineage");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->kind, EventFileKind::kMindSporeLineage);
  EXPECT_EQ(name->hostname, "vm");
}

TEST(FileNameTest, KnowsTheOlderFormWithoutADeviceId) {
  const auto name = ParseEventFileName("events.out.events.summary.1588817888.host_MS");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->seconds, 1588817888u);
  EXPECT_FALSE(name->device_id);
  EXPECT_EQ(name->hostname, "host");
}

TEST(FileNameTest, TakesAnyNameThatHoldsSummaryAndDigits) {
  EXPECT_TRUE(ParseEventFileName("my.summary.12"));
  EXPECT_EQ(ParseEventFileName("my.summary.x.summary.12")->seconds, 12u);
  EXPECT_FALSE(ParseEventFileName("my.summary.x"));
  EXPECT_FALSE(ParseEventFileName("summary12"));
  EXPECT_FALSE(ParseEventFileName("events.out.events.summary.12.0.vm_explain"));
}

TEST(FileNameTest, KnowsTensorBoardsFiles) {
  const auto name = ParseEventFileName("events.out.tfevents.1795191134.vm.16508.0");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->kind, EventFileKind::kTensorBoard);
  EXPECT_EQ(name->seconds, 1795191134u);
  EXPECT_EQ(name->hostname, "vm.16508.0");
  EXPECT_EQ(ParseEventFileName("tfevents")->seconds, 0u);
}

TEST(FileNameTest, KnowsFilesOfOtherRecorders) {
  EXPECT_EQ(ParseEventFileName("run-a1b2c3d4.wandb")->kind, EventFileKind::kWandb);
  EXPECT_EQ(ParseEventFileName("backup.swanlab")->kind, EventFileKind::kSwanLab);
  EXPECT_FALSE(ParseEventFileName(".run-a1b2c3d4.wandb.Xy12"));
  EXPECT_FALSE(ParseEventFileName("run.wandb.json"));
}

TEST(FileNameTest, HiddenFilesAndBackupsAreNotEventFiles) {
  for (const char* const name :
       {"._events.out.tfevents.1.vm", ".events.out.tfevents.1.vm.Ab12Cd",
        ".events.out.events.summary.1.0.vm_MS.swp", "events.out.tfevents.1.vm~"}) {
    EXPECT_FALSE(ParseEventFileName(name)) << name;
  }
}

TEST(FileNameTest, AHostNamedLikeTheOtherDialectDoesNotConfuse) {
  EXPECT_EQ(ParseEventFileName("events.out.events.summary.1.0.tfevents_MS")->kind,
            EventFileKind::kMindSporeSummary);
  EXPECT_EQ(ParseEventFileName("events.out.tfevents.1.summary.2")->kind,
            EventFileKind::kTensorBoard);
}

TEST(FileNameTest, OtherFilesOfARunAreNoEventFiles) {
  for (const char* name :
       {"", ".sightline-0.journal", "train_metadata.json", "LeNet5_1_epoch.ckpt", "x_lineage"}) {
    EXPECT_FALSE(ParseEventFileName(name)) << name;
  }
}

TEST(FileNameTest, JsonBesideAnEventFileIsNone) {
  EXPECT_FALSE(ParseEventFileName("events.out.events.summary.1.0.vm_MS.json"));
  EXPECT_FALSE(ParseEventFileName("events.out.tfevents.1.vm.jsonl"));
}

TEST(FileNameTest, ReadsBackTheNamesItMakes) {
  for (const EventFileKind kind : {EventFileKind::kMindSporeSummary,
                                   EventFileKind::kMindSporeLineage, EventFileKind::kTensorBoard}) {
    const auto parsed =
        ParseEventFileName(MakeEventFileName({kind, 1795189336, 7, "node-12.example.org"}));
    ASSERT_TRUE(parsed) << EventFileKindName(kind);
    EXPECT_EQ(parsed->kind, kind);
    EXPECT_EQ(parsed->seconds, 1795189336u);
    EXPECT_EQ(parsed->hostname, "node-12.example.org");
  }
  EXPECT_EQ(MakeEventFileName({EventFileKind::kMindSporeSummary, 1795189336, 0, "vm"}),
            "events.out.events.summary.1795189336.0.vm_MS");
  EXPECT_EQ(MakeEventFileName({EventFileKind::kTensorBoard, 1795189336, 0, "vm"}),
            "events.out.tfevents.1795189336.vm");
}

TEST(FileNameTest, MakesNoNameThatAnotherReaderWouldTake) {
  const std::string name =
      MakeEventFileName({EventFileKind::kMindSporeLineage, 1, 0, "../tfevents/summary.9 tfevents"});
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(name.find("tfevents"), std::string::npos);
  EXPECT_EQ(name.find("summary.9"), std::string::npos);
  EXPECT_EQ(ParseEventFileName(name)->kind, EventFileKind::kMindSporeLineage);
}

TEST(FileNameTest, ANumberTooLargeSortsLast) {
  EXPECT_EQ(ParseEventFileName("x.summary.99999999999999999999999_MS")->seconds, ~std::uint64_t{0});
}

TEST(FileNameTest, OrdersByNumberNotByText) {
  std::vector<std::string> names = {"events.out.events.summary.10.0.a_MS",
                                    "events.out.events.summary.9.0.b_MS",
                                    "events.out.events.summary.9.0.a_MS"};
  std::sort(names.begin(), names.end(), ReadsBefore);
  EXPECT_THAT(
      names, ElementsAre("events.out.events.summary.9.0.a_MS", "events.out.events.summary.9.0.b_MS",
                         "events.out.events.summary.10.0.a_MS"));
}

}  // namespace
}  // namespace sightline
