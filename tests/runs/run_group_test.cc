#include "sightline/runs/run_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;

std::vector<std::string> Names(const RunGroup& group) {
  std::vector<std::string> names;
  for (const auto& run : group.runs()) names.push_back(run->name());
  return names;
}

class RunGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* run : {"one", "one/a", "one/b/deep", "two"}) {
      fs_.Put(std::string(run) + "/" + testing::kMindSporeName,
              testing::MindSporeScalar("loss", 1, 1));
    }
  }
  testing::MemoryFileSystem fs_;
};

TEST_F(RunGroupTest, NamesRunsByTheirPathBelowTheRoot) {
  const auto group = RunGroup::Open({"one"}, {.file_system = &fs_});
  ASSERT_THAT(group, IsOk());
  EXPECT_THAT(Names(*group), ElementsAre(".", "a", "b/deep"));
  EXPECT_NE(group->Find("b/deep"), nullptr);
  EXPECT_EQ(group->Find("b"), nullptr);
}

TEST_F(RunGroupTest, SeveralRootsPrecedeTheNamesAndARunAppearsOnce) {
  const auto group = RunGroup::Open({"one", "two", "one/a", "one"}, {.file_system = &fs_});
  ASSERT_THAT(group, IsOk());
  EXPECT_THAT(Names(*group), ElementsAre("one", "one/a", "one/b/deep", "two"));
}

TEST_F(RunGroupTest, AnyNumberOfThreadsGivesTheSame) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    const auto group = RunGroup::Open({"one", "two"}, {.file_system = &fs_, .threads = threads});
    ASSERT_THAT(group, IsOk());
    EXPECT_THAT(Names(*group), ElementsAre("one", "one/a", "one/b/deep", "two"));
  }
}

TEST_F(RunGroupTest, SaysHowManyBytesOfTheEventFilesAreRead) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  RunGroupOptions options{.file_system = &fs_};
  options.on_progress = [&](std::uint64_t done, std::uint64_t total) {
    told.emplace_back(done, total);
  };
  ASSERT_THAT(RunGroup::Open({"one", "two"}, options), IsOk());
  const std::uint64_t all = 4 * testing::MindSporeScalar("loss", 1, 1).size();
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), std::pair(all, all));
}

// Keras records the parameters of a training above the directories of its metrics.
TEST(RunGroupCorpusTest, TrainAndValidationHaveTheParametersOfTheRunAboveThem) {
  const std::string root = testing::CorpusPath("wild/hparams_keras");
  const auto rate_of = [](const auto& run) {
    const auto found = run.lineage().find("lr");
    return found == run.lineage().end() ? -1 : std::get<double>(found->second);
  };
  const testing::TempDir index;
  std::vector<std::string> expected = {"run-0 0.1",  "run-0/train 0.1",  "run-0/validation 0.1",
                                       "run-1 0.01", "run-1/train 0.01", "run-1/validation 0.01"};
  for (int opening = 0; opening < 2; ++opening) {  // The second one takes the runs from the index.
    auto group = RunGroup::Open({root}, {.index_folder = index.path()});
    ASSERT_THAT(group, IsOk());
    std::vector<std::string> rates;
    for (const auto& run : group->runs())
      rates.push_back(run->name() + " " + QueryValueText(rate_of(*run)));
    EXPECT_EQ(rates, expected);
    EXPECT_EQ(group->Where("lr > 0.05 and last('epoch_loss')")->runs().size(), 2U);
    group->WriteIndex();
    rates.clear();
    const auto visited =
        RunGroup::Visit({root}, {.index_folder = index.path()}, [&](const auto& run) {
          rates.push_back(run->name() + " " + QueryValueText(rate_of(*run)));
        });
    ASSERT_THAT(visited, IsOk());
    EXPECT_EQ(rates, expected);
  }
  const auto alone = RunGroup::Open({root + "/run-0/train"});
  ASSERT_THAT(alone, IsOk());
  EXPECT_EQ(rate_of(*alone->runs()[0]), -1);
}

TEST(RunGroupCorpusTest, TagsHaveTheirDisplayNames) {
  const testing::TempDir index;
  for (int opening = 0; opening < 2; ++opening) {
    auto group =
        RunGroup::Open({testing::CorpusPath("wild/display_names")}, {.index_folder = index.path()});
    ASSERT_THAT(group, IsOk());
    EXPECT_THAT(group->runs()[0]->display_names(),
                ElementsAre(::testing::Pair("loss/scalar_summary", "my loss")));
    group->WriteIndex();
  }
}

TEST_F(RunGroupTest, AMissingRootIsAnError) {
  EXPECT_EQ(RunGroup::Open({"none"}, {.file_system = &fs_}).error().code(), StatusCode::kNotFound);
}

// The changes of Refresh, a line each: "<kind> <name> <tag>+<appended from>" and "!<void from>".
std::string Refreshed(RunGroup& group) {
  const auto changes = group.Refresh();
  EXPECT_THAT(changes, IsOk());
  std::string text;
  for (const RunChange& change : *changes) {
    constexpr const char* kNames[] = {"appeared", "changed", "replaced", "gone"};
    text += std::string(kNames[static_cast<int>(change.kind)]) + " " + change.name;
    if (change.run == nullptr || change.before == nullptr) {
      text += "\n";
      continue;
    }
    for (const SeriesChange& series : SeriesChanges(*change.before, *change.run)) {
      text += " " + series.key.tag + "+" + std::to_string(series.appended_from);
      if (series.void_from) text += "!" + std::to_string(*series.void_from);
    }
    text += "\n";
  }
  return text;
}

class RefreshTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs_.Put(path_, first_);
    fs_.Put("root/still/events.out.events.summary.1.0.vm_MS", first_);
    auto group = RunGroup::Open({"root"}, {.file_system = &fs_});
    ASSERT_THAT(group, IsOk());
    group_ = *std::move(group);
  }

  const std::string path_ = "root/run/events.out.events.summary.1.0.vm_MS";
  const std::string first_ =
      testing::MindSporeScalar("loss", 1, 1) + testing::MindSporeScalar("loss", 2, 2);
  testing::MemoryFileSystem fs_;
  RunGroup group_ = RunGroup({});
};

TEST_F(RefreshTest, WithoutChangesTheRunsStayTheSameObjects) {
  const auto run = group_.Find("run");
  EXPECT_EQ(Refreshed(group_), "");
  EXPECT_EQ(group_.Find("run"), run);
}

TEST_F(RefreshTest, GrownFilesAppend) {
  const auto still = group_.Find("still");
  const auto before = group_.Find("run");
  fs_.Put(path_,
          first_ + testing::MindSporeScalar("loss", 3, 3) + testing::MindSporeScalar("acc", 3, 3));
  EXPECT_EQ(Refreshed(group_), "changed run acc+0 loss+2\n");
  EXPECT_EQ(group_.Find("run")->Find(ContentKind::kScalar, "loss")->size(), 3U);
  EXPECT_EQ(before->Find(ContentKind::kScalar, "loss")->size(), 2U);
  EXPECT_EQ(group_.Find("still"), still);
}

TEST_F(RefreshTest, RotatedFilesAppendAndHalfARecordDoesNotCount) {
  const std::string third = testing::MindSporeScalar("loss", 3, 3);
  const std::string rotated = "root/run/events.out.events.summary.2.0.vm_MS";
  fs_.Put(rotated, third.substr(0, third.size() / 2));
  EXPECT_EQ(Refreshed(group_), "changed run\n");
  fs_.Put(rotated, third);
  EXPECT_EQ(Refreshed(group_), "changed run loss+2\n");
  EXPECT_FALSE(group_.Find("run")->damaged());
}

TEST_F(RefreshTest, CutAndRewrittenFilesVoid) {
  fs_.Put(path_, testing::MindSporeScalar("loss", 1, 1));
  EXPECT_EQ(Refreshed(group_), "changed run loss+1!2\n");
  fs_.Put(path_, testing::MindSporeScalar("loss", 0, 7) + testing::MindSporeScalar("loss", 1, 1));
  EXPECT_EQ(Refreshed(group_), "changed run loss+0!0\n");
}

TEST_F(RefreshTest, RunsAppearGoAndAreReplaced) {
  fs_.Put("root/new/events.out.events.summary.1.0.vm_MS", first_);
  ASSERT_THAT(fs_.Remove("root/still/events.out.events.summary.1.0.vm_MS"), IsOk());
  ASSERT_THAT(fs_.Remove(path_), IsOk());
  fs_.Put("root/run/events.out.events.summary.9.0.vm_MS", first_);
  EXPECT_EQ(Refreshed(group_), "appeared new\nreplaced run\ngone still\n");
}

TEST_F(RefreshTest, ACopyAndAChosenGroupAreNotRefreshed) {
  RunGroup copy = group_;
  EXPECT_EQ(copy.runs().size(), 2U);
  EXPECT_EQ(copy.Refresh().error().code(), StatusCode::kFailedPrecondition);
  auto chosen = group_.Where("name == 'run'");
  ASSERT_THAT(chosen, IsOk());
  EXPECT_EQ(chosen->Refresh().error().code(), StatusCode::kFailedPrecondition);
}

TEST_F(RefreshTest, ARootThatDisappearsTakesItsRunsAlong) {
  ASSERT_THAT(fs_.Remove("root/still/events.out.events.summary.1.0.vm_MS"), IsOk());
  testing::FaultyFileSystem files(fs_);
  auto group = RunGroup::Open({"root"}, {.file_system = &files});
  files.FailEvery(testing::FileOperation::kList, "root", StatusCode::kNotFound);
  EXPECT_EQ(Refreshed(*group), "gone run\n");
  files.Heal();
  EXPECT_EQ(Refreshed(*group), "appeared run\n");
}

// Opening a file takes a second.
class SlowFileSystem : public testing::MemoryFileSystem {
 public:
  explicit SlowFileSystem(testing::ManualClock& clock) : clock_(clock) {}
  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    clock_.seconds += 1;
    return MemoryFileSystem::OpenForRead(path);
  }

 private:
  testing::ManualClock& clock_;
};

TEST(RefreshSlowlyTest, ReadsForATenthOfTheTimeWithBackOff) {
  testing::ManualClock clock(1e6);
  SlowFileSystem fs(clock);
  const std::string path = std::string("root/run/") + testing::kMindSporeName;
  fs.Put(path, testing::MindSporeScalar("loss", 1, 1));
  auto group = RunGroup::Open(
      {"root"}, {.file_system = &fs, .clock = &clock, .threads = 1, .back_off = true});
  ASSERT_THAT(group, IsOk());
  const double took = clock.seconds - 1e6;
  ASSERT_GE(took, 1);
  fs.Put(path, fs.Get(path) + testing::MindSporeScalar("loss", 2, 2));
  clock.seconds = 1e6 + 9 * took;
  EXPECT_EQ(Refreshed(*group), "");
  clock.seconds = 1e6 + 20 * took;
  EXPECT_EQ(Refreshed(*group), "changed run loss+1\n");
}

TEST(RefreshSlowlyTest, ARunThatEndedLongBeforeItWasReadIsLookedAtSeldomFromTheStart) {
  testing::ManualClock clock(1e6);
  testing::MemoryFileSystem memory;
  memory.Put(std::string("root/run/") + testing::kMindSporeName,
             testing::MindSporeScalar("loss", 1, 1));
  testing::FaultyFileSystem files(memory);
  auto group = RunGroup::Open({"root"}, {.file_system = &files, .clock = &clock, .back_off = true});
  ASSERT_THAT(group, IsOk());
  const std::uint64_t calls = files.calls();
  clock.seconds += 4;
  EXPECT_EQ(Refreshed(*group), "");
  EXPECT_EQ(files.calls(), calls);
  clock.seconds += 1;
  EXPECT_EQ(Refreshed(*group), "");
  EXPECT_GT(files.calls(), calls);
}

TEST(RefreshRecordedTest, ValuesShowWhileTheyAreInTheJournalOnly) {
  const testing::TempDir dir;
  RecorderOptions options;
  options.writing.flush_interval = std::chrono::hours(1);
  auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  auto group = RunGroup::Open({dir.path()});
  ASSERT_THAT(group, IsOk());
  (*recorder)->AddScalar("loss", 2, 2);
  EXPECT_EQ(Refreshed(*group), "changed . loss+1\n");
  ASSERT_THAT((*recorder)->Close(), IsOk());
  // The values moved from the journal into the files.
  EXPECT_EQ(Refreshed(*group), "changed .\n");
  EXPECT_EQ(group->runs()[0]->State(testing::ManualClock()), RunState::kFinished);
}

}  // namespace
}  // namespace sightline
