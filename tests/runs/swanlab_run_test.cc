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

TEST_P(SwanLabRunTest, TheFilesBesideItAreSettingsAndFacts) {
  for (const char* const name : {"files/config.yaml", "files/swanlab-metadata.json"}) {
    TranslatedRun::Put(name, testing::ReadFileOrDie(testing::CorpusPath(
                                 std::string("swanlab/") + GetParam().name + "/" + name)));
  }
  Put(FileBytes());
  const RunLineage& lineage = Open().lineage();
  EXPECT_EQ(lineage.at("lr"), LineageValue(0.1));
  EXPECT_EQ(lineage.at("batch_size"), LineageValue(std::int64_t{64}));
  EXPECT_EQ(lineage.at("optimizer.name"), LineageValue("adam"));
  EXPECT_EQ(lineage.at("optimizer.betas"), LineageValue("[0.9,0.999]"));
  EXPECT_EQ(lineage.at("run.host"), LineageValue("host1"));
  EXPECT_EQ(lineage.at("run.directory"), LineageValue("/run1"));
  EXPECT_EQ(lineage.at("run.python.version"), LineageValue("3.11.7"));
  EXPECT_THAT(std::get<std::string>(lineage.at("run.command")), ::testing::EndsWith("make.py"));
  EXPECT_FALSE(lineage.contains("run.git.commit"));
  EXPECT_EQ(lineage.at("run.name"), LineageValue("first run")) << "of the .swanlab file";
}

TEST_P(SwanLabRunTest, FilesBesideItOfAnotherFormAddNothing) {
  // An alias of an alias of an alias: 10^9 values.
  std::string bomb = "a0: &a0 {value: [0,0,0,0,0,0,0,0,0,0]}\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {value: [" + before;
    for (int times = 0; times < 9; ++times) bomb += "," + before;
    bomb += "]}\n";
  }
  Put(FileBytes());
  const auto plain = Open().lineage().size();
  for (const std::string& text :
       {std::string("lr: 0.1\n"), std::string("- value: 1\n"), std::string("lr: {value: "),
        std::string("\xff\0{", 3), "lr: {value: " + std::string(20'000, '[') + "}"}) {
    TranslatedRun::Put("files/config.yaml", text);
    TranslatedRun::Put("files/swanlab-metadata.json", text);
    EXPECT_EQ(Open().lineage().size(), plain) << text.substr(0, 40);
  }
  TranslatedRun::Put("files/config.yaml", bomb);
  EXPECT_LE(Open().lineage().size(), plain + 2000) << "kMostSettings";
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
