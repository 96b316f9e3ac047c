// Runs that SwanLab 0.7 and 0.10 recorded offline: tests/corpus/swanlab, which its make.py made
// with the real packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "sightline/runs/run_follower.h"
#include "sightline/tests/runs/reading_ways.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"
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

class SwanLabRunTest : public ::testing::TestWithParam<Version> {
 protected:
  static std::string FileBytes() {
    return testing::ReadFileOrDie(
        testing::CorpusPath(std::string("swanlab/") + GetParam().name + "/" + GetParam().file));
  }
  void Put(const std::string& bytes) { fs_.Put(std::string("run/") + GetParam().file, bytes); }
  // Valid until the next call.
  const sightline::Run& Open() {
    auto run = sightline::Run::Open("run", {.file_system = &fs_});
    EXPECT_THAT(run, IsOk());
    run_ = *std::move(run);
    return *run_;
  }

  testing::MemoryFileSystem fs_;
  std::shared_ptr<const sightline::Run> run_;
};

INSTANTIATE_TEST_SUITE_P(Versions, SwanLabRunTest,
                         ::testing::Values(Version{"run7", "backup.swanlab", "Media"},
                                           Version{"run10", "run-digits01.swanlab", "text"}),
                         [](const auto& version) { return std::string(version.param.name); });

TEST_P(SwanLabRunTest, EveryScalarIsTheOneThatTheScriptLogged) {
  Put(FileBytes());
  const sightline::Run& run = Open();
  const auto expected =
      nlohmann::json::parse(testing::ReadFileOrDie(testing::CorpusPath("swanlab/expected.json")));
  ASSERT_EQ(expected.size(), 5U);
  for (const auto& [tag, points] : expected.items()) {
    const Series* const series = run.Find(ContentKind::kScalar, tag);
    ASSERT_NE(series, nullptr) << tag;
    ASSERT_EQ(series->size(), points.size()) << tag;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& logged = points[i][1];
      const double value =
          logged.is_number() ? logged.get<double>() : std::stod(logged.get<std::string>());
      EXPECT_EQ(series->steps()[i], points[i][0].get<std::int64_t>());
      EXPECT_GT(series->wall_times()[i], 1.7e9);
      EXPECT_TRUE(series->values()[i] == value ||
                  (std::isnan(value) && std::isnan(series->values()[i])))
          << tag << " " << i;
    }
  }
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
  const std::string bytes = FileBytes();
  std::mt19937 random(1);
  for (int round = 0; round < 6; ++round) {
    std::string choices(64, '\0');
    for (char& c : choices) c = static_cast<char>(random());
    std::string file = bytes;
    char& byte = file[random() % file.size()];
    if (round % 2 == 1) byte = static_cast<char>(byte ^ (1 << (random() % 8)));
    testing::Choices chosen(choices);
    const testing::TempDir index;
    EXPECT_EQ(testing::DifferenceOfWays({{GetParam().file, file}}, chosen, index.path()), "")
        << round;
  }
}

}  // namespace
}  // namespace sightline
