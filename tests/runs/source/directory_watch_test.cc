// Groups that look only where something changed (directory_watch.h), on a real disk.
#include "sightline/runs/source/directory_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::FileOperation;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::kTensorBoardName;
using testing::ReadFileOrDie;
using testing::TempDir;
using testing::TensorBoardScalar;
using testing::WriteFileOrDie;

std::string TextOf(const RunGroup& group) {
  std::string text;
  for (const auto& run : group.runs()) text += testing::Text(*run);
  return text;
}

class WatchedGroupTest : public ::testing::Test {
 protected:
  std::string File(const std::string& run) const {
    fs::create_directories(dir_.File(run));
    return dir_.File(run) + "/" + kTensorBoardName;
  }
  void Append(const std::string& run, std::int64_t step) const {
    const std::string path = File(run);
    const std::string before = fs::exists(path) ? ReadFileOrDie(path) : "";
    WriteFileOrDie(path, before + TensorBoardScalar("loss", step, 1));
  }
  RunGroup Watched() {
    auto group = RunGroup::Open({dir_.path()}, {.file_system = &files_, .clock = &clock_});
    EXPECT_THAT(group, IsOk());
    group->Watch();
    EXPECT_THAT(*group->Refresh(), IsEmpty());
    return *std::move(group);
  }
  RunGroup Anew() { return *RunGroup::Open({dir_.path()}); }
  static std::vector<std::string> Names(RunGroup& group) {
    std::vector<std::string> names;
    const auto changes = group.Refresh();
    EXPECT_THAT(changes, IsOk());
    for (const RunChange& change : *changes)
      names.push_back(change.name + (change.run == nullptr ? " gone" : ""));
    return names;
  }

  TempDir dir_;
  testing::FaultyFileSystem files_{FileSystem::Local()};
  testing::ManualClock clock_{Clock::System().WallSeconds()};
};

TEST_F(WatchedGroupTest, DoesNotLookWhereNothingChanged) {
  for (const char* run : {"a", "b", "c"}) Append(run, 1);
  RunGroup group = Watched();
  const std::uint64_t before = files_.calls();
  EXPECT_THAT(Names(group), IsEmpty());
  EXPECT_EQ(files_.calls(), before);
  Append("b", 2);
  const std::uint64_t lists = files_.calls(FileOperation::kList);
  EXPECT_THAT(Names(group), ElementsAre("b"));
  EXPECT_LE(files_.calls(FileOperation::kList) - lists, 3U) << "only of one directory";
}

TEST_F(WatchedGroupTest, LooksOnlyWhereADirectoryAppearedOrWent) {
  for (int run = 0; run < 20; ++run) Append("r" + std::to_string(run), 1);
  RunGroup group = Watched();
  const auto lists = [&] { return files_.calls(FileOperation::kList); };
  std::uint64_t before = lists();
  Append("new", 1);
  EXPECT_THAT(Names(group), ElementsAre("new"));
  EXPECT_LE(lists() - before, 4U);
  before = lists();
  fs::remove_all(dir_.File("r7"));
  EXPECT_THAT(Names(group), ElementsAre("r7 gone"));
  EXPECT_LE(lists() - before, 4U);
}

TEST_F(WatchedGroupTest, RunsAppearGrowAndGo) {
  Append("a", 1);
  fs::create_directories(dir_.File("empty"));
  RunGroup group = Watched();
  Append("empty", 1);
  EXPECT_THAT(Names(group), ElementsAre("empty"));
  Append("new/deep", 1);
  EXPECT_THAT(Names(group), ElementsAre("new/deep"));
  Append("new/deep", 2);
  EXPECT_THAT(Names(group), ElementsAre("new/deep"));
  fs::remove_all(dir_.File("new"));
  EXPECT_THAT(Names(group), ElementsAre("new/deep gone"));
  fs::rename(dir_.File("a"), dir_.File("b"));
  EXPECT_THAT(Names(group), ElementsAre("a gone", "b"));
  fs::remove(File("b"));
  EXPECT_THAT(Names(group), ElementsAre("b gone"));
  EXPECT_EQ(TextOf(group), TextOf(Anew()));
}

// The file is written a moment after the event file.
TEST_F(WatchedGroupTest, SeesWhatARunRanOn) {
  WriteFileOrDie(File("a"), testing::SessionRecord<tensorboard::Event>("x", 0) +
                                TensorBoardScalar("loss", 1, 1));
  RunGroup group = Watched();
  WriteFileOrDie(dir_.File("a/.sightline-run-x.json"), R"({"host": "vm"})");
  EXPECT_THAT(Names(group), ElementsAre("a"));
  EXPECT_EQ(group.runs()[0]->lineage().at("run.host"), LineageValue("vm"));
}

TEST_F(WatchedGroupTest, TheDescriptorIsReadableAfterAWrite) {
  Append("a", 1);
  RunGroup group = Watched();
  const auto readable = [&] {
    int bytes = 0;
    EXPECT_EQ(ioctl(group.news_descriptor(), FIONREAD, &bytes), 0);
    return bytes != 0;
  };
  EXPECT_FALSE(readable());
  Append("a", 2);
  EXPECT_TRUE(readable());
  EXPECT_THAT(Names(group), ElementsAre("a"));
  EXPECT_FALSE(readable());
}

TEST_F(WatchedGroupTest, SeesChangesOfTheTargetsOfLinks) {
  Append("elsewhere/a", 1);
  fs::create_directories(dir_.File("root/a"));
  fs::create_symlink(File("elsewhere/a"), dir_.File("root/a/") + kTensorBoardName);
  fs::create_directory_symlink(dir_.File("elsewhere"), dir_.File("root/linked"));
  auto group = RunGroup::Open({dir_.File("root")}, {.file_system = &files_});
  group->Watch();
  EXPECT_THAT(Names(*group), IsEmpty());
  Append("elsewhere/a", 2);
  EXPECT_THAT(Names(*group), ElementsAre("a", "linked/a"));
}

TEST_F(WatchedGroupTest, SeesValuesInAJournal) {
  auto recorder = Recorder::Open(dir_.File("live"), {});
  ASSERT_THAT(recorder, IsOk());
  RunGroup group = Watched();
  for (int step = 1; step < 4; ++step) {
    (*recorder)->AddScalar("loss", step, 0.5);
    EXPECT_THAT(Names(group), ElementsAre("live"));
  }
  ASSERT_THAT((*recorder)->Close(), IsOk());
  (void)group.Refresh();
  EXPECT_EQ(TextOf(group), TextOf(Anew()));
}

// All of the user's inotify instances are in use, so nothing can be watched.
TEST_F(WatchedGroupTest, WithoutWatchesItLooksAtEverything) {
  std::vector<int> taken;
  const auto take_all = [&] {
    for (int fd = 0; (fd = inotify_init1(IN_CLOEXEC)) >= 0;) taken.push_back(fd);
  };
  take_all();
  Append("a", 1);
  RunGroup group = Watched();
  // The limit is the user's: another process may have given one back meanwhile.
  for (int tries = 0; tries < 100 && group.news_descriptor() != -1; ++tries) {
    take_all();
    group = Watched();
  }
  EXPECT_EQ(group.news_descriptor(), -1);
  for (const int fd : taken) close(fd);
  Append("a", 2);
  EXPECT_THAT(Names(group), ElementsAre("a"));
  Append("b", 1);
  clock_.seconds += 5;  // A directory that is not a run is looked at every five seconds.
  EXPECT_THAT(Names(group), ElementsAre("b"));
}

TEST_F(WatchedGroupTest, GivesWhatOpeningAgainGives) {
  std::mt19937_64 random(1);
  RunGroup group = Watched();
  for (int act = 0; act < 300; ++act) {
    const std::string run = std::string("r") + static_cast<char>('0' + random() % 4);
    const std::string other = std::string("r") + static_cast<char>('0' + random() % 4);
    const std::string below = random() % 2 == 0 ? run : run + "/below";
    switch (random() % 6) {
      case 0:
        fs::remove_all(dir_.File(below));
        break;
      case 1:
        if (fs::exists(dir_.File(run)) && !fs::exists(dir_.File(other)))
          fs::rename(dir_.File(run), dir_.File(other));
        break;
      case 2:
        WriteFileOrDie(File(below), TensorBoardScalar("loss", act, 2));
        break;
      case 3:
        fs::create_directories(dir_.File(below));
        break;
      default:
        Append(below, act);
    }
    if (random() % 3 == 0) continue;  // Several at once.
    ASSERT_THAT(group.Refresh(), IsOk());
    ASSERT_EQ(TextOf(group), TextOf(Anew())) << act;
  }
}

TEST(DirectoryWatchTest, AddFailsBeyondTheLimit) {
  const TempDir dir;
  for (const char* name : {"a", "b", "c"}) fs::create_directories(dir.File(name));
  DirectoryWatch watch(2);
  EXPECT_TRUE(watch.Add(dir.File("a")));
  EXPECT_TRUE(watch.Add(dir.File("b")));
  EXPECT_FALSE(watch.Add(dir.File("c")));
  EXPECT_TRUE(watch.Add(dir.File("a"))) << "already";
  EXPECT_FALSE(watch.Add("/proc/none"));
  WriteFileOrDie(dir.File("a/notes.txt"), "");
  EXPECT_THAT(watch.Take().changed, IsEmpty()) << "of no run";
  WriteFileOrDie(dir.File("a/") + kTensorBoardName, "");
  EXPECT_THAT(watch.Take().changed, ElementsAre(dir.File("a")));
}

}  // namespace
}  // namespace sightline
