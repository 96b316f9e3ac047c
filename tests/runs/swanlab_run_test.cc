// Runs that SwanLab 0.7 and 0.10 recorded offline: tests/corpus/swanlab, which its make.py made
// with the real packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sightline/runs/run_follower.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/runs/translated_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::Contains;
using testing::IsOk;
using ::testing::Pair;
using testing::Text;

struct Version {
  const char* name;
  const char* file;  // Of a run, and in the corpus.
  const char* media;
};

class SwanLabRunTest : public ::testing::TestWithParam<Version>, protected testing::TranslatedRun {
 protected:
  static std::string FileBytes() {
    return testing::ReadFileOrDie(
        testing::CorpusPath(std::string("swanlab/") + GetParam().name + "/" + GetParam().file));
  }
  void Put(const std::string& bytes) { TranslatedRun::Put(GetParam().file, bytes); }
};

INSTANTIATE_TEST_SUITE_P(Versions, SwanLabRunTest,
                         ::testing::Values(Version{"run7", "backup.swanlab", "Media"},
                                           Version{"run10", "run-digits01.swanlab", "text"}),
                         [](const auto& version) { return std::string(version.param.name); });

TEST_P(SwanLabRunTest, EveryScalarIsTheOneThatTheScriptLogged) {
  Put(FileBytes());
  const auto expected =
      nlohmann::json::parse(testing::ReadFileOrDie(testing::CorpusPath("swanlab/expected.json")));
  ASSERT_EQ(expected.size(), 5U);
  testing::ExpectScalars(Open(), expected);
}

TEST_P(SwanLabRunTest, TheMachineIsSystemSeries) {
  Put(FileBytes());
  const Series* const memory = Open().Find(ContentKind::kScalar, "system/mem.pct");
  ASSERT_NE(memory, nullptr);
  EXPECT_GT(memory->values()[0], 0);
}

TEST_P(SwanLabRunTest, WhatTheRunIsAndItsEndAreLineage) {
  Put(FileBytes());
  const sightline::Run& run = Open();
  EXPECT_EQ(run.lineage().at("run.project"), LineageValue("digits"));
  EXPECT_EQ(run.lineage().at("run.name"), LineageValue("first run"));
  EXPECT_EQ(run.lineage().at("run.notes"), LineageValue("a note"));
  EXPECT_EQ(run.lineage().at("run.tags"), LineageValue("small, test"));
  EXPECT_EQ(run.lineage().at("run.outcome"), LineageValue("finished"));
  EXPECT_EQ(run.State(), RunState::kFinished);
}

TEST_P(SwanLabRunTest, WhatIsNotReadIsCountedByKind) {
  Put(FileBytes());
  const RunFile& file = Open().files()[0];
  EXPECT_EQ(file.KindName(), "SwanLab");
  EXPECT_THAT(file.damage, ::testing::IsEmpty());
  EXPECT_THAT(file.unread, Contains(Pair(GetParam().media, 1U)));
  EXPECT_GE(file.unread.at("console"), 25U);
  EXPECT_EQ(file.unread.size(), 2U);
}

TEST_P(SwanLabRunTest, AtEachCutTheFollowerShowsWhatIsComplete) {
  const std::string bytes = FileBytes();
  RunFollower follower("run", {.file_system = &fs_});
  for (std::size_t cut = 1; cut < bytes.size() + 101; cut += 101) {
    Put(bytes.substr(0, cut));
    const auto followed = follower.Refresh();
    ASSERT_THAT(followed, IsOk());
    ASSERT_EQ(Text(**followed), Text(Open())) << "at " << cut;
  }
}

TEST_P(SwanLabRunTest, AllWaysToReadShowTheSame) {
  testing::ExpectSameInAllWays(GetParam().file, FileBytes(), 6);
}

}  // namespace
}  // namespace sightline
