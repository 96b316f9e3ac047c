// Runs that W&B recorded offline: tests/corpus/wandb, which its make.py made with the real package.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/recorder/translation/translated_record.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/runs/translated_run.h"
#include "sightline/tests/support/block_log.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::IsOk;
using testing::Message;
using ::testing::Pair;
using testing::Text;

constexpr char kName[] = "run-digits01.wandb";

std::string FileBytes() {
  return testing::ReadFileOrDie(testing::CorpusPath("wandb/run-digits01.wandb"));
}

class WandbRunTest : public ::testing::Test, protected testing::TranslatedRun {
 protected:
  void Put(const std::string& bytes) { TranslatedRun::Put(kName, bytes); }
};

TEST_F(WandbRunTest, EveryScalarIsTheOneThatTheScriptLogged) {
  Put(FileBytes());
  const auto expected =
      nlohmann::json::parse(testing::ReadFileOrDie(testing::CorpusPath("wandb/expected.json")));
  ASSERT_EQ(expected.size(), 8U);
  testing::ExpectScalars(Open(), expected);
}

TEST_F(WandbRunTest, OtherSeriesAreOfTheMachine) {
  Put(FileBytes());
  for (const auto& series : Open().series()) {
    const std::string& tag = series->key().tag;
    const bool logged =
        tag == "note" || tag == "weights" || tag.starts_with("system/") ||
        nlohmann::json::parse(testing::ReadFileOrDie(testing::CorpusPath("wandb/expected.json")))
            .contains(tag);
    EXPECT_TRUE(logged) << tag;
  }
  const Series* const memory = Open().Find(ContentKind::kScalar, "system/memory_percent");
  ASSERT_NE(memory, nullptr);
  EXPECT_GT(memory->values()[0], 0);
}

TEST_F(WandbRunTest, TimesAreThoseOfTheLogging) {
  Put(FileBytes());
  const auto times = Open().Find(ContentKind::kScalar, "loss")->wall_times();
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_GT(times.front(), 1.7e9);
}

TEST_F(WandbRunTest, TheConfigurationIsLineage) {
  Put(FileBytes());
  const RunLineage& lineage = Open().lineage();
  EXPECT_EQ(lineage.at("lr"), LineageValue(0.2));  // Updated after it was 0.1.
  EXPECT_EQ(lineage.at("batch_size"), LineageValue(std::int64_t{64}));
  EXPECT_EQ(lineage.at("optimizer.name"), LineageValue("adam"));
  EXPECT_EQ(lineage.at("optimizer.betas"), LineageValue("[0.9,0.999]"));
  EXPECT_EQ(lineage.at("amp"), LineageValue("true"));
  EXPECT_EQ(lineage.at("code"), LineageValue("007"));
}

TEST_F(WandbRunTest, OfTwoFilesTheLaterOneChangedWhatWasSet) {
  const auto config = [](const std::string& rate) {
    testing::BlockLog log(":W&B");
    log.Add(Message(5, Message(1, Message(1, "lr") + Message(16, rate))));
    return log.bytes();
  };
  TranslatedRun::Put("run-1.wandb", config("0.1"));
  TranslatedRun::Put("run-2.wandb", config("0.3"));
  EXPECT_EQ(Open().lineage().at("lr"), LineageValue(0.3));
}

TEST_F(WandbRunTest, WhatTheRunIsAndItsEndAreLineage) {
  Put(FileBytes());
  const RunLineage& lineage = Open().lineage();
  EXPECT_EQ(lineage.at("run.id"), LineageValue("digits01"));
  EXPECT_EQ(lineage.at("run.name"), LineageValue("first run"));
  EXPECT_EQ(lineage.at("run.project"), LineageValue("digits"));
  EXPECT_EQ(lineage.at("run.group"), LineageValue("group a"));
  EXPECT_EQ(lineage.at("run.tags"), LineageValue("small, test"));
  EXPECT_EQ(lineage.at("run.notes"), LineageValue("a note"));
  EXPECT_EQ(lineage.at("run.host"), LineageValue("host1"));
  EXPECT_EQ(lineage.at("run.command"), LineageValue("/run1/make.py --epochs 4"));
  EXPECT_EQ(lineage.at("run.python.version"), LineageValue("CPython 3.11.7"));
  EXPECT_EQ(lineage.at("run.exit_code"), LineageValue(std::int64_t{0}));
}

TEST_F(WandbRunTest, OfTheSummaryOnlyWhatNoSeriesSaysIsLineage) {
  Put(FileBytes());
  std::vector<std::string> names;
  for (const auto& [name, value] : Open().lineage()) {
    if (name.starts_with("summary.")) names.push_back(name);
  }
  EXPECT_THAT(names, ElementsAre("summary.best", "summary.list"));
}

TEST_F(WandbRunTest, TextsAndHistogramsAreValues) {
  Put(FileBytes());
  const sightline::Run& run = Open();
  const Series* const note = run.Find(ContentKind::kText, "note");
  ASSERT_NE(note, nullptr);
  const auto text = run.Read(note->point(0));
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(*text->Texts(), ElementsAre("a text"));
  const Series* const weights = run.Find(ContentKind::kHistogram, "weights");
  ASSERT_NE(weights, nullptr);
  const auto stored = run.Read(weights->point(0));
  ASSERT_THAT(stored, IsOk());
  const auto histogram = stored->Histogram();
  ASSERT_THAT(histogram, IsOk());
  ASSERT_EQ(histogram->buckets.size(), 3U);
  EXPECT_EQ(histogram->count, 6U);
  EXPECT_EQ(histogram->buckets[2].left, 1);
  EXPECT_EQ(histogram->buckets[2].width, 1);
  EXPECT_FALSE(histogram->has_sum);
}

TEST_F(WandbRunTest, WhatIsNotReadIsCountedByKind) {
  Put(FileBytes());
  const sightline::Run& run = Open();
  ASSERT_EQ(run.files().size(), 1U);
  const RunFile& file = run.files()[0];
  EXPECT_EQ(file.KindName(), "W&B");
  EXPECT_THAT(file.damage, ::testing::IsEmpty());
  EXPECT_THAT(file.unread, Contains(Pair("list", 1U)));
  EXPECT_THAT(file.unread, Contains(Pair("metric definition", 1U)));
  EXPECT_THAT(file.unread, Contains(Pair("image-file", 1U)));
}

TEST_F(WandbRunTest, ARunThatSaysItsEndIsFinished) {
  Put(FileBytes());
  EXPECT_EQ(Open().State(), RunState::kFinished);
  const std::string bytes = FileBytes();
  Put(bytes.substr(0, bytes.size() - 100));  // Without the record of its end.
  EXPECT_NE(Open().State(), RunState::kFinished);
}

TEST_F(WandbRunTest, AtEachCutTheFollowerShowsWhatIsComplete) {
  const std::string bytes = FileBytes();
  RunFollower follower("run", {.file_system = &fs_});
  std::size_t points = 0;
  for (std::size_t cut = 0; cut < bytes.size() + 211; cut += 211) {
    Put(bytes.substr(0, cut));
    const auto followed = follower.Refresh();
    if (cut == 0) continue;
    ASSERT_THAT(followed, IsOk());
    ASSERT_EQ(Text(**followed), Text(Open())) << "at " << cut;
    const Series* const loss = (*followed)->Find(ContentKind::kScalar, "loss");
    const std::size_t now = loss == nullptr ? 0 : loss->size();
    EXPECT_GE(now, points);
    points = now;
    const auto& damage = (*followed)->files()[0].damage;
    ASSERT_LE(damage.size(), 1U);  // The record that is cut, until it is complete.
    if (!damage.empty()) {
      EXPECT_EQ(damage[0].offset + damage[0].length, std::min(cut, bytes.size()));
    }
  }
  EXPECT_EQ(points, 41U);
}

TEST_F(WandbRunTest, ABitFlipLosesItsRecordAndIsNamed) {
  std::string bytes = FileBytes();
  Put(bytes);
  const std::uint64_t records = Open().files()[0].records;
  const std::size_t at = bytes.find("train/accuracy", 10'000);
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  Put(bytes);
  const sightline::Run& run = Open();
  EXPECT_EQ(run.files()[0].records, records - 1);
  ASSERT_EQ(run.files()[0].damage.size(), 1U);
  EXPECT_EQ(run.files()[0].damage[0].reason, SkipReason::kPayloadChecksum);
  EXPECT_LT(run.files()[0].damage[0].offset, at);
  EXPECT_GT(run.files()[0].damage[0].offset + run.files()[0].damage[0].length, at);
}

TEST_F(WandbRunTest, AllWaysToReadShowTheSame) {
  testing::ExpectSameInAllWays(kName, FileBytes(), 8);
}

TEST_F(WandbRunTest, TheLinkToTheNewestRunMakesNoSecondRun) {
  const testing::TempDir folder;
  std::filesystem::create_directory(folder.File("offline-run-1"));
  testing::WriteFileOrDie(folder.File("offline-run-1/run-digits01.wandb"), FileBytes());
  std::filesystem::create_symlink("offline-run-1", folder.File("latest-run"));
  std::filesystem::create_symlink("offline-run-1", folder.File("mine"));  // A link like any other.
  const auto group = RunGroup::Open({folder.path()});
  ASSERT_THAT(group, IsOk());
  std::vector<std::string> names;
  names.reserve(group->runs().size());
  for (const auto& run : group->runs()) names.push_back(run->name());
  EXPECT_THAT(names, ElementsAre("mine", "offline-run-1"));
}

TEST_F(WandbRunTest, AFileOfThatNameThatIsNoneMakesNoRun) {
  Put("\x1f\x8b compressed");
  EXPECT_EQ(sightline::Run::Open("run", {.file_system = &fs_}).error().code(),
            StatusCode::kNotFound);
  Put("");
  EXPECT_THAT(sightline::Run::Open("run", {.file_system = &fs_}), IsOk());  // It has only begun.
}

}  // namespace
}  // namespace sightline
