// The index (run_index.h), as a RunGroup uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/index/indexed_runs.h"
#include "sightline/tests/runs/mischief.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using testing::IsOk;
using testing::ManyScalars;
using testing::MindSporeScalar;
using testing::ReadFileOrDie;
using testing::TempDir;
using testing::TensorBoardScalar;
using testing::Text;
using testing::TextOf;
using testing::WriteFileOrDie;

using RunIndexTest = testing::IndexedRuns;

TEST_F(RunIndexTest, AWarmOpeningReadsUnderOnePercentOfTheBytes) {
  Append(ManyScalars(0, 1000));
  fs_.Put(std::string("root/b/") + testing::kMindSporeName, MindSporeScalar("acc", 1, 1));
  const std::string anew = Anew();
  Use();
  const std::uint64_t bytes = fs_.Get(path_).size();
  fs_.TakeBytesRead();
  const RunGroup warm = Open();
  EXPECT_LT(fs_.TakeBytesRead(), bytes / 100);
  EXPECT_EQ(TextOf(warm), anew);
  EXPECT_LT(fs_.TakeBytesRead(), bytes / 100) << "points come from the index as well";
}

TEST_F(RunIndexTest, AListDoesNotNeedThePoints) {
  Append(ManyScalars(0, 1000));
  Use();
  const RunGroup warm = Open();
  std::filesystem::remove(File());  // And its points cannot come from there.
  fs_.TakeBytesRead();
  const Series& series = *warm.runs()[0]->series()[0];
  EXPECT_EQ(series.size(), 1000U);
  EXPECT_EQ(series.first_step(), 0);
  EXPECT_EQ(series.last_step(), 999);
  EXPECT_EQ(series.last_value(), 333);
  EXPECT_EQ(series.ExtremesOf(0, 1000).max, 333);
  EXPECT_EQ(
      warm.Where("last('loss') == 333 and min('loss') == 0 and last_step == 999")->runs().size(),
      1U);
  EXPECT_EQ(fs_.TakeBytesRead(), 0U);
}

TEST_F(RunIndexTest, ReadsOnlyTheNewPartOfARunThatGrew) {
  Append(ManyScalars(0, 1000));
  Use();
  const std::string more = ManyScalars(1000, 5);
  Append(more);
  const std::string anew = Anew();
  fs_.TakeBytesRead();
  RunGroup warm = Open();
  EXPECT_LT(fs_.TakeBytesRead(), 64 * 8 + 4 * more.size());
  EXPECT_EQ(TextOf(warm), anew);
  warm.WriteIndex();
  EXPECT_LT(BytesOfOpening(), 100U) << "and that once";
}

TEST_F(RunIndexTest, AnOpenGroupFollowsARunThatCameFromTheIndex) {
  Append(ManyScalars(0, 100));
  Use();
  RunGroup warm = Open();
  Append(ManyScalars(100, 5));
  const auto changes = warm.Refresh();
  ASSERT_THAT(changes, IsOk());
  ASSERT_EQ(changes->size(), 1U);
  const auto series = SeriesChanges(*(*changes)[0].before, *(*changes)[0].run);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].appended_from, 100U);
  EXPECT_EQ(series[0].void_from, std::nullopt);
  EXPECT_EQ(TextOf(warm), Anew());
}

// They are written once, a moment after the event file.
TEST_F(RunIndexTest, WhatARunRanOnIsReadWhenItAppearsAndNeverAgain) {
  Append(testing::SessionRecord<tensorboard::Event>("x", 0) + ManyScalars(0, 10));
  Use();
  const std::string facts = path_.substr(0, path_.rfind('/')) + "/.sightline-run-x.json";
  fs_.Put(facts, R"({"host": "vm"})");
  EXPECT_EQ(Open().runs()[0]->lineage().at("run.host"), LineageValue("vm"));
  EXPECT_EQ(TextOf(Open()), Anew());
  Use();
  fs_.Put(facts, R"({"host": "another"})");
  EXPECT_EQ(Open().runs()[0]->lineage().at("run.host"), LineageValue("vm"));
}

TEST_F(RunIndexTest, AFileThatWasChangedInPlaceIsReadAnew) {
  const std::string end = ManyScalars(50, 50);
  Append(TensorBoardScalar("loss", 1, 1) + end);
  Use();
  fs_.Put(path_, TensorBoardScalar("loss", 1, 2) + end);
  EXPECT_EQ(Open().runs()[0]->series()[0]->values()[0], 2);
  EXPECT_EQ(TextOf(Open()), Anew());
}

// A file system on which nothing shows that a file was written to but its size.
class Timeless : public testing::MemoryFileSystem {
 public:
  Result<FileInfo> Stat(const std::string& path) override {
    auto info = MemoryFileSystem::Stat(path);
    if (info) info->modified_seconds = 1;
    return info;
  }
};

TEST_F(RunIndexTest, WhereTimesProveNothingTheLastRecordHasToBeTheSame) {
  Timeless fs;
  const auto open = [&] {
    return *RunGroup::Open({"root"},
                           {.file_system = &fs, .threads = 1, .index_folder = index_.path()});
  };
  fs.Put(path_, TensorBoardScalar("loss", 1, 1));
  open().WriteIndex();
  fs.Put(path_, TensorBoardScalar("loss", 1, 2));
  EXPECT_EQ(open().runs()[0]->series()[0]->values()[0], 2);
}

TEST_F(RunIndexTest, DoesNotOpenFilesThatDidNotChangeForLong) {
  testing::FaultyFileSystem files(FileSystem::Local());
  const auto open = [&] {
    return *RunGroup::Open({CorpusPath("tensorboard")},
                           {.file_system = &files, .index_folder = index_.path()});
  };
  RunGroup cold = open();
  const std::string anew = TextOf(cold);
  cold.WriteIndex();
  files.FailEvery(testing::FileOperation::kOpenForRead, "", StatusCode::kPermissionDenied);
  EXPECT_EQ(TextOf(open()), anew);
  EXPECT_EQ(files.fired(), 0U);
}

TEST_F(RunIndexTest, RunsThatAreGoneAreForgotten) {
  Append(ManyScalars(0, 10));
  const std::string other = std::string("root/b/") + testing::kTensorBoardName;
  fs_.Put(other, ManyScalars(0, 10'000));
  Use();
  ASSERT_THAT(fs_.Remove(other), IsOk());
  Append(ManyScalars(10, 1));
  Use();
  Execute("VACUUM");
  EXPECT_LT(std::filesystem::file_size(File()), 40'000U);
}

TEST_F(RunIndexTest, RemovesIndexesThatWereNotUsedForLong) {
  namespace fs = std::filesystem;
  Append(ManyScalars(0, 10));
  Use();
  const std::string file = File();
  const auto now = fs::file_time_type::clock::now();
  const auto put = [&](const std::string& name, int days) {
    WriteFileOrDie(index_.File(name), "");
    fs::last_write_time(index_.File(name), now - std::chrono::hours(24 * days));
    return index_.File(name);
  };
  const std::string old = put("0123456789abcdef.sqlite", 31);
  const std::string notes = put("notes.txt", 31);
  const std::string results = put("results.sqlite", 31);
  const std::string recent = put("fedcba9876543210.sqlite", 29);
  Use();
  EXPECT_TRUE(fs::exists(old)) << "it looks once a day";
  fs::last_write_time(file, now - std::chrono::hours(24 * 60));
  Use();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(notes));
  EXPECT_TRUE(fs::exists(results)) << "that is another program's";
  EXPECT_TRUE(fs::exists(recent));
  EXPECT_TRUE(fs::exists(file)) << "it is used now";
  EXPECT_LT(BytesOfOpening(), 100U);
}

TEST_F(RunIndexTest, AVisitShowsTheSameRuns) {
  for (int i = 0; i < 1500; ++i) {
    fs_.Put("root/run" + std::to_string(i) + "/" + testing::kTensorBoardName,
            TensorBoardScalar("loss", i, 1));
  }
  const std::string anew = Anew();
  for (int i = 0; i < 2; ++i) {
    std::string text;
    std::weak_ptr<const sightline::Run> first;
    auto visited = RunGroup::Visit({"root"}, {.file_system = &fs_, .index_folder = index_.path()},
                                   [&](const auto& run) {
                                     if (text.empty()) first = run;
                                     text += Text(*run);
                                   });
    ASSERT_THAT(visited, IsOk());
    EXPECT_TRUE(visited->runs().empty());
    visited->WriteIndex();
    EXPECT_TRUE(first.expired());
    EXPECT_EQ(text, anew);
  }
  EXPECT_LT(BytesOfOpening(), 1500U * 65);
}

TEST_F(RunIndexTest, EachRootHasItsOwnAndTwoThatOverlapAgree) {
  Append(ManyScalars(0, 10));
  for (int i = 0; i < 2; ++i) {
    auto group =
        RunGroup::Open({"root", "root/a"}, {.file_system = &fs_, .index_folder = index_.path()});
    ASSERT_THAT(group, IsOk());
    ASSERT_EQ(group->runs().size(), 1U);
    EXPECT_EQ(group->runs()[0]->name(), "root/a");
    group->WriteIndex();
  }
  auto inner = RunGroup::Open({"root/a"}, {.file_system = &fs_, .index_folder = index_.path()});
  EXPECT_EQ(inner->runs()[0]->name(), ".");
  EXPECT_EQ(inner->runs()[0]->series()[0]->steps().size(), 10U);
}

TEST_F(RunIndexTest, AnIndexOfAnotherVersionOrOfOtherFilesIsThrownAway) {
  Append(ManyScalars(0, 1000));
  const std::string anew = Anew();
  for (const char* sql :
       {"PRAGMA user_version=4711", "UPDATE about SET root='/other'", "DELETE FROM about",
        "DROP TABLE runs", "DROP TABLE about; CREATE TABLE about(x)", "DELETE FROM contents",
        "UPDATE runs SET run=CAST('elsewhere' AS BLOB)", "UPDATE runs SET summary=zeroblob(9)",
        "UPDATE contents SET file=7", "UPDATE contents SET bytes=zeroblob(50)",
        "DROP TABLE runs; CREATE TABLE runs(run, summary); INSERT INTO runs VALUES(7, 'x')"}) {
    Use();
    Execute(sql);
    EXPECT_EQ(TextOf(Open()), anew) << sql;
    Use();
    Use();
    EXPECT_EQ(TextOf(Open()), anew) << sql;
  }
}

TEST_F(RunIndexTest, ADamagedIndexIsRebuiltWithANote) {
  Append(ManyScalars(0, 1000));
  const std::string anew = Anew();
  Use();
  const std::string sound = ReadFileOrDie(File());
  WriteFileOrDie(File(), sound.substr(0, 100) + std::string(sound.size() - 100, 'x'));
  const auto notes = Use();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], ::testing::HasSubstr(File()));
  EXPECT_THAT(Use(), ::testing::IsEmpty());
  EXPECT_LT(BytesOfOpening(), 100U) << "and made anew";
  EXPECT_EQ(TextOf(Open()), anew);
}

TEST_F(RunIndexTest, WithoutAPlaceForTheIndexEverythingIsRead) {
  Append(ManyScalars(0, 10));
  const std::string anew = Anew();
  WriteFileOrDie(index_.File("file"), "");
  RunGroup in_a_file = OpenWith(index_.File("file"));
  EXPECT_EQ(TextOf(in_a_file), anew);
  EXPECT_EQ(in_a_file.WriteIndex().size(), 1U);
  RunGroup nowhere = OpenWith("/proc/none/index");
  EXPECT_EQ(TextOf(nowhere), anew);
  EXPECT_EQ(nowhere.WriteIndex().size(), 1U);
}

TEST_F(RunIndexTest, WhileAnotherProcessWritesEverythingIsRead) {
  Append(ManyScalars(0, 10));
  const std::string anew = Anew();
  Use();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(File().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  RunGroup group = Open();
  EXPECT_EQ(TextOf(group), anew);
  group.WriteIndex();
  sqlite3_close(other);
  EXPECT_EQ(TextOf(Open()), anew);
}

TEST_F(RunIndexTest, IsRightWhereverItIsCutOrHasAFlippedByte) {
  Append(ManyScalars(0, 30));
  fs_.Put(std::string("root/b/") + testing::kMindSporeName, MindSporeScalar("acc", 1, 1));
  const std::string anew = Anew();
  Use();
  const std::string file = File();
  const std::string sound = ReadFileOrDie(file);
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = sound;
    if (i % 4 == 0) {
      damaged.resize(random() % sound.size());
    } else {
      // Most bytes are zero: change another one.
      std::size_t at = random() % sound.size();
      while (sound[at] == 0) at = random() % sound.size();
      damaged[at] = static_cast<char>(random());
    }
    WriteFileOrDie(file, damaged);
    RunGroup group = Open();
    ASSERT_EQ(TextOf(group), anew) << i;
    group.WriteIndex();
    ASSERT_EQ(TextOf(Open()), anew) << i;
  }
}

TEST_F(RunIndexTest, GivesTheCorpus) {
  for (const char* root : {"mindspore", "tensorboard"}) {
    const auto open = [&](const std::optional<std::string>& folder) {
      return RunGroup::Open({CorpusPath(root)}, {.index_folder = folder});
    };
    auto cold = open(index_.path());
    ASSERT_THAT(cold, IsOk());
    const std::string anew = TextOf(*cold);
    cold->WriteIndex();
    EXPECT_EQ(TextOf(*open(index_.path())), anew);
  }
}

TEST(RunIndexPropertyTest, GivesWhatReadingAgainGives) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const TempDir index;
    testing::MemoryFileSystem fs;
    ASSERT_THAT(fs.CreateDirectories("run"), IsOk());
    testing::Mischief mischief(fs, seed);
    for (int i = 0; i < 40; ++i) {
      mischief.Act();
      auto warm =
          RunGroup::Open({"run"}, {.file_system = &fs, .threads = 1, .index_folder = index.path()});
      const auto anew = RunGroup::Open({"run"}, {.file_system = &fs, .threads = 1});
      ASSERT_EQ(TextOf(*warm), TextOf(*anew)) << "seed " << seed << ", act " << i;
      if (i % 3 != 0) warm->WriteIndex();
    }
  }
}

// Its values come from the journal first, and from its files later.
TEST(RunIndexRecordedTest, GivesWhatALivingRecorderHasSoFar) {
  const TempDir dir;
  const TempDir index;
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  auto recorder = Recorder::Open(dir.path(), options);
  ASSERT_THAT(recorder, IsOk());
  for (int step = 1; step <= 12; ++step) {
    (*recorder)->AddScalar("loss", step, 0.5);
    if (step % 3 == 0) {
      ASSERT_THAT((*recorder)->Flush(), IsOk());
    }
    if (step == 12) {
      ASSERT_THAT((*recorder)->Close(), IsOk());
    }
    auto warm = RunGroup::Open({dir.path()}, {.index_folder = index.path()});
    ASSERT_THAT(warm, IsOk());
    ASSERT_EQ(warm->runs()[0]->series()[0]->steps().size(), static_cast<std::size_t>(step));
    EXPECT_EQ(warm->runs()[0]->State(testing::ManualClock()),
              step == 12 ? RunState::kFinished : RunState::kRunning);
    warm->WriteIndex();
  }
}

// SIGKILL at any moment of an opening that writes, again and again in one index. Each child is
// killed after a while of its own; SIGHTLINE_KILL_RUNS says how many there are.
TEST(RunIndexKillTest, IsSoundAfterKillsAtAnyMoment) {
  const char* const wanted = std::getenv("SIGHTLINE_KILL_RUNS");
  const int kills = wanted == nullptr ? 25 : std::atoi(wanted);
  const TempDir dir;
  const TempDir index;
  std::mt19937_64 random(1);
  const auto grow = [&](int i) {
    const std::string run = dir.File("run" + std::to_string(i % 40));
    std::filesystem::create_directories(run);
    const std::string path = run + "/" + testing::kTensorBoardName;
    const std::string before = std::filesystem::exists(path) ? ReadFileOrDie(path) : "";
    WriteFileOrDie(path, before + ManyScalars(i * 100, 100));
  };
  const auto open = [&](const std::optional<std::string>& folder) {
    return RunGroup::Open({dir.path()}, {.threads = 1, .index_folder = folder});
  };
  for (int i = 0; i < kills; ++i) {
    for (int run = 0; run < 20; ++run) grow(i * 20 + run);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      (void)!write(ready[1], "x", 1);
      auto group = open(index.path());
      group->WriteIndex();
      _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    // Another process at work beside it for a while, which is the time until the kill.
    for (std::uint64_t rounds = random() % 4; rounds > 0; --rounds)
      open(index.path())->WriteIndex();
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
    const auto warm = open(index.path());
    ASSERT_THAT(warm, IsOk());
    ASSERT_EQ(TextOf(*warm), TextOf(*open(std::nullopt)));
  }
}

}  // namespace
}  // namespace sightline
