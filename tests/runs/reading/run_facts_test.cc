#include "sightline/runs/reading/run_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/runs/followed_run.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using testing::TempDir;
using testing::WriteFileOrDie;

// A file of a session with one scalar.
void AddSession(const TempDir& dir, const std::string& id, std::int32_t rank, int number,
                const std::string& more = "") {
  WriteFileOrDie(dir.File("events.out.tfevents." + std::to_string(number) + ".vm"),
                 testing::SessionRecord<tensorboard::Event>(id, rank) +
                     testing::TensorBoardScalar("loss", 1, 1) + more);
}

void AddFacts(const TempDir& dir, const std::string& id, const std::string& json) {
  WriteFileOrDie(dir.File(".sightline-run-" + id + ".json"), json);
}

RunLineage LineageIn(const TempDir& dir) {
  auto run = Run::Open(dir.path());
  EXPECT_TRUE(run.has_value());
  return (*run)->lineage();
}

TEST(RunFactsTest, AreLineageWithNamesOfTheirOwn) {
  const TempDir dir;
  AddSession(dir, "a", 0, 1);
  AddFacts(dir, "a", R"({"command": "python train.py", "cpus": 8, "git": {"commit": "a1b2"}})");
  const RunLineage lineage = LineageIn(dir);
  EXPECT_THAT(lineage, Contains(Pair("run.command", LineageValue("python train.py"))));
  EXPECT_THAT(lineage, Contains(Pair("run.cpus", LineageValue(std::int64_t{8}))));
  EXPECT_THAT(lineage, Contains(Pair("run.git.commit", LineageValue("a1b2"))));
}

TEST(RunFactsTest, AreThoseOfTheLastSessionOfTheLowestRank) {
  const TempDir dir;
  const std::pair<const char*, std::int32_t> sessions[] = {{"a", 0}, {"b", 0}, {"c", 1}};
  for (int i = 0; i < 3; ++i) {
    const auto& [id, rank] = sessions[i];
    AddSession(dir, id, rank, i + 1);
    AddFacts(dir, id, std::string(R"({"host": ")") + id + "\"}");
  }
  EXPECT_THAT(LineageIn(dir), Contains(Pair("run.host", LineageValue("b"))));
}

TEST(RunFactsTest, AUsersOwnNameWins) {
  const TempDir dir;
  tensorboard::Event event;
  event.set_wall_time(1);
  auto* text = event.mutable_summary()->add_value();
  text->set_tag("run/text_summary");
  text->mutable_metadata()->mutable_plugin_data()->set_plugin_name("text");
  text->mutable_tensor()->set_dtype(tensorboard::DT_STRING);
  text->mutable_tensor()->add_string_val(R"({"host": "mine"})");
  AddSession(dir, "a", 0, 1, testing::FrameRecord(event.SerializeAsString()));
  AddFacts(dir, "a", R"({"host": "theirs", "cpus": 2})");
  const RunLineage lineage = LineageIn(dir);
  EXPECT_THAT(lineage, Contains(Pair("run.host", LineageValue("mine"))));
  EXPECT_THAT(lineage, Contains(Key("run.cpus")));
}

TEST(RunFactsTest, OfOtherSessionsAndWithoutFormAddNothing) {
  const TempDir dir;
  AddSession(dir, "a", 0, 1);
  AddFacts(dir, "b", R"({"host": "x"})");
  AddFacts(dir, "", R"({"host": "x"})");
  EXPECT_THAT(LineageIn(dir), IsEmpty());
  AddFacts(dir, "a", R"({"host": "x")");
  EXPECT_THAT(LineageIn(dir), IsEmpty());
  AddFacts(dir, "a", R"({"host": "x"})" + std::string(kMostFactBytes, ' '));
  EXPECT_THAT(LineageIn(dir), IsEmpty());
}

TEST(RunFactsTest, AreSeenWhenTheyAppear) {
  const TempDir dir;
  AddSession(dir, "a", 0, 1);
  FollowedRun followed(dir.path(), {});
  auto before = followed.Refresh();
  ASSERT_TRUE(before.has_value());
  EXPECT_THAT((*before)->lineage(), Not(Contains(Key("run.host"))));
  AddFacts(dir, "a", R"({"host": "x"})");
  auto after = followed.Refresh();
  ASSERT_TRUE(after.has_value());
  EXPECT_THAT((*after)->lineage(), Contains(Key("run.host")));
}

}  // namespace
}  // namespace sightline
