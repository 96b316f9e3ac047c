#include "sightline/recorder/writing/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;
using ::testing::Not;

RunConfig FullConfig() {
  RunConfig config;
  config.run = {"0123456789abcdef0123456789abcdef", "host", 3, 8, 5, 1'795'000'000, 501,
                "fedcba9876543210fedcba9876543210"};
  config.formats = {Format::kMindSpore, Format::kTensorBoard};
  config.export_npy = true;
  config.max_file_size = 1000;
  config.on_file_full = OnFileFull::kStop;
  return config;
}

TEST(RunConfigTest, ComesBackFromItsManifest) {
  const auto parsed = ParseManifest(ManifestOf(FullConfig()));
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(ManifestOf(*parsed), ManifestOf(FullConfig()));
  EXPECT_EQ(parsed->run.device_id, 5);
  EXPECT_EQ(parsed->run.resume_from_step, 501);
  EXPECT_EQ(parsed->run.continues_session, FullConfig().run.continues_session);
  EXPECT_EQ(parsed->formats.size(), 2);
  EXPECT_EQ(parsed->on_file_full, OnFileFull::kStop);
}

// Recorders of other versions read it.
TEST(RunConfigTest, HasAManifestOfFixedBytes) {
  EXPECT_EQ(ManifestOf(FullConfig()),
            R"({"session_id":"0123456789abcdef0123456789abcdef","hostname":"host",)"
            R"("continues_session":"fedcba9876543210fedcba9876543210","rank":3,"world_size":8,)"
            R"("device_id":5,"opened_digits":1795000000,"resume_from_step":501,"export_npy":true,)"
            R"("max_file_size":1000,"stop_when_full":true,"formats":["mindspore","tensorboard"]})");
}

TEST(RunConfigTest, ReadsTheManifestOfAnEarlierVersion) {
  const auto parsed = ParseManifest(
      R"({"session_id": "0", "hostname": "h", "rank": 0, "world_size": 1, "device_id": 0,
          "opened_digits": 1, "export_npy": false, "max_file_size": 0, "stop_when_full": false,
          "formats": ["mindspore"]})");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(parsed->run.resume_from_step, std::nullopt);
  EXPECT_EQ(parsed->run.continues_session, "");
}

TEST(RunConfigTest, AManifestFitsIntoAJournalWithTheLongestNames) {
  RunConfig config = FullConfig();
  config.run.hostname = std::string(255, '\xff');
  EXPECT_LE(ManifestOf(config).size(), kMaxManifestBytes);
}

TEST(RunConfigTest, RefusesWhatIsNoManifest) {
  for (const char* text : {"", "{", "[]", "{}", R"({"session_id": 3})"}) {
    const auto parsed = ParseManifest(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error(), IsStatus(StatusCode::kDataLoss, "manifest cannot be read"));
  }
}

TEST(RunConfigTest, RefusesNumbersThatDoNotFit) {
  const std::string manifest = ManifestOf(FullConfig());
  for (const char* rank : {"4294967296", "-2147483649", "3.5", "\"3\"", "true", "1e400"}) {
    std::string forged = manifest;
    forged.replace(forged.find("\"rank\":3") + 7, 1, rank);
    EXPECT_THAT(ParseManifest(forged), Not(IsOk())) << rank;
  }
}

TEST(RunConfigTest, HasOneSinkAFileStream) {
  RunConfig config;
  config.formats = {Format::kMindSpore};
  EXPECT_EQ(SinkCount(config), 2);
  config.formats = {Format::kTensorBoard};
  EXPECT_EQ(SinkCount(config), 1);
  EXPECT_EQ(SinkCount(FullConfig()), 4);
  EXPECT_LE(SinkCount(FullConfig()), kMaxSinks);
}

}  // namespace
}  // namespace sightline
