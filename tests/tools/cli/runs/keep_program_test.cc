// sightline rm, mv and trash: runs kept in order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/keeping/notes_file.h"
#include "sightline/tests/runs/keeping/kept_tree.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;
using testing::TreeOf;
using testing::WriteBelow;

class KeepProgramTest : public ::testing::Test {
 protected:
  std::string Out(const std::string& path = "") const {
    return dir_.File("out") + (path.empty() ? "" : "/" + path);
  }
  // A file that has not grown for a day.
  static void WriteEnded(const std::string& path, const std::string& bytes) {
    WriteBelow(path, bytes);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24));
  }
  // A run of TensorBoard's that ended.
  void Put(const std::string& path, const std::string& tag = "loss") const {
    WriteEnded(Out(path + "/" + testing::kTensorBoardName), testing::TensorBoardScalar(tag, 1, 1));
  }
  // A run of several ranks.
  void PutRanks(const std::string& path) const {
    for (const char* rank : {"rank_0", "rank_1"}) {
      WriteEnded(Out(path + "/" + rank + "/" + testing::kMindSporeName),
                 testing::MindSporeScalar("loss", 1, 1) + testing::MindSporeScalar("loss", 9, 1));
    }
  }
  std::string Names() const {
    std::string names;
    const Ran ran = RunProgram({"ls", "--json", Out()});
    const auto listed = nlohmann::json::parse(ran.out);
    for (const auto& run : listed["runs"]) names += run["name"].get<std::string>() + " ";
    return names;
  }
  static nlohmann::json Json(const Ran& ran) {
    return nlohmann::json::parse(ran.out, nullptr, false);
  }
  nlohmann::json NotesOf(const std::string& root) const { return (*ReadNotes(root))["runs"]; }
  void Note(const std::string& run, const std::string& text) const {
    ASSERT_THAT(ChangeNotes(Out(),
                            [&](auto& all) {
                              all["runs"][run] = {{"note", text}};
                            }),
                IsOk());
  }
  void RestoreIs(const std::map<std::string, std::string>& tree) const {
    const Ran ran = RunProgram({"trash", "restore", "--in", dir_.path()});
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(TreeOf(dir_.path()), tree);
  }

  const testing::TempDir dir_;
};

TEST_F(KeepProgramTest, WithoutYesNothingMoves) {
  Put("lenet");
  Note("lenet", "best");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out("lenet")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("nothing was moved; --yes moves 1 run (1 file, "));
  EXPECT_EQ(RunProgram({"mv", Out("lenet"), Out("other")}).exit_code, 0);
  EXPECT_EQ(TreeOf(dir_.path()), before);
}

TEST_F(KeepProgramTest, ARunGoesToTheTrashWithItsNotesAndComesBack) {
  Put("lenet");
  Put("resnet");
  Note("lenet", "best");
  Note("resnet", "other");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out("lenet"), "--yes"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Names(), "resnet ");
  EXPECT_FALSE(fs::exists(Out("lenet")));
  EXPECT_EQ(NotesOf(Out()), nlohmann::json({{"resnet", {{"note", "other"}}}}));
  EXPECT_THAT(RunProgram({"trash", "list", dir_.path()}).out, HasSubstr("out/lenet"));
  std::smatch command;
  ASSERT_TRUE(std::regex_search(ran.out, command,
                                std::regex("sightline trash restore (\\S+) --in (\\S+)")));
  EXPECT_EQ(RunProgram({"trash", "restore", command[1], "--in", command[2]}).exit_code, 0);
  EXPECT_EQ(TreeOf(dir_.path()), before);
}

TEST_F(KeepProgramTest, WhatAQueryFitsGoesTogetherAndComesBackTogether) {
  Put("a/1", "loss");
  Put("a/2", "other");
  Put("b", "loss");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out(), "--where", "count(loss) > 0", "--yes", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Json(ran)["runs"].size(), 2U);
  EXPECT_EQ(Names(), "a/2 ");
  EXPECT_FALSE(fs::exists(Out("a/.sightline-trash")));  // One trash, in the root.
  RestoreIs(before);
  EXPECT_EQ(RunProgram({"rm", Out(), "--where", "count(nothing) > 0"}).exit_code, 1);
}

TEST_F(KeepProgramTest, RanksGoAsOneRun) {
  PutRanks("train");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out("train"), "--yes", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(Json(ran)["runs"][0]["paths"], ElementsAre("train"));
  EXPECT_FALSE(fs::exists(Out("train")));
  RestoreIs(before);
}

TEST_F(KeepProgramTest, RunsOfEveryKindComeBack) {
  fs::create_directories(Out());
  for (const char* corpus : {"mindspore/lenet", "mindspore/lenet_landscape", "swanlab/run7"})
    fs::copy(CorpusPath(corpus), Out(fs::path(corpus).filename()), fs::copy_options::recursive);
  fs::create_directories(Out("wandb/offline-run-1/files"));
  fs::copy(CorpusPath("wandb/run-digits01.wandb"), Out("wandb/offline-run-1/run-1.wandb"));
  testing::WriteFileOrDie(Out("wandb/offline-run-1/files/config.yaml"), "lr: 1\n");
  fs::create_directory_symlink("offline-run-1", Out("wandb/latest-run"));
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out(), "--where", "true", "--yes", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(Json(ran)["runs"].size(), 4U);
  EXPECT_EQ(Names(), "");
  EXPECT_FALSE(fs::exists(Out("wandb/offline-run-1")));
  RestoreIs(before);
}

TEST_F(KeepProgramTest, FilesOfOthersStayAndAreNamed) {
  Put("run");
  WriteBelow(Out("run/train.py"), "mine");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"rm", Out("run"), "--yes"});
  EXPECT_THAT(ran.out, HasSubstr("stays: run/train.py (--whole"));
  EXPECT_THAT(TreeOf(Out("run")), ElementsAre(::testing::Pair("train.py", "mine")));
  RestoreIs(before);
  EXPECT_EQ(RunProgram({"rm", Out("run"), "--whole", "--yes"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(Out("run")));
  RestoreIs(before);
}

TEST_F(KeepProgramTest, ARunBelowStaysUnlessItIsChosen) {
  Put("run");
  Put("run/eval", "accuracy");
  const auto before = TreeOf(dir_.path());
  EXPECT_EQ(RunProgram({"rm", Out("run"), "--whole", "--yes"}).exit_code, 0);
  EXPECT_EQ(Names(), "run/eval ");
  RestoreIs(before);
  const Ran ran = RunProgram({"rm", Out("run"), Out("run/eval"), "--yes", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Json(ran)["runs"][1]["within"], Out("run"));
  EXPECT_FALSE(fs::exists(Out("run")));
  RestoreIs(before);
}

TEST_F(KeepProgramTest, ARunThatIsBeingRecordedIsRefusedAndNamed) {
  Put("done");
  auto recorder = Recorder::Open(Out("live"), {});
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  ASSERT_THAT((*recorder)->Flush(), IsOk());
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"rm", Out("live"), "--yes"}, {"mv", Out("live"), Out("new"), "--yes"}}) {
    const Ran ran = RunProgram(call);
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("refused: "), HasSubstr("live is being recorded"),
                               HasSubstr("nothing was moved\n")));
    EXPECT_TRUE(fs::exists(Out("live")));
  }
  const Ran ran = RunProgram({"rm", Out(), "--where", "true", "--yes"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(Names(), "live ");
  ASSERT_THAT((*recorder)->Close(), IsOk());
  EXPECT_EQ(RunProgram({"rm", Out("live"), "--yes"}).exit_code, 0);
}

// The state of the run of all ranks is then "killed", which must not hide the live one.
TEST_F(KeepProgramTest, ALiveRankBesideAKilledOneIsSeen) {
  const auto open = [&](int rank) {
    RecorderOptions options;
    options.writing.rank = rank;
    options.writing.world_size = 2;
    auto recorder = Recorder::Open(Out("train/rank_" + std::to_string(rank)), options);
    EXPECT_THAT(recorder, IsOk());
    (*recorder)->AddScalar("loss", 1, 1);
    EXPECT_THAT((*recorder)->Flush(), IsOk());
    return recorder;
  };
  const auto live = open(1);
  testing::InForkedChild([&] {
    const auto killed = open(0);
    kill(getpid(), SIGKILL);
  });
  (*live)->AddScalar("loss", 2, 1);
  ASSERT_THAT((*live)->Flush(), IsOk());
  EXPECT_THAT(RunProgram({"ls", Out()}).out, HasSubstr("killed"));
  const Ran ran = RunProgram({"rm", Out("train"), "--yes"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("rank_1 is being recorded"));
  EXPECT_TRUE(fs::exists(Out("train/rank_0")));
}

TEST_F(KeepProgramTest, ARunOfAnotherProgramThatGrowsIsRefused) {
  tensorboard::Event event;
  event.set_wall_time(Clock::System().WallSeconds());
  event.mutable_summary()->add_value()->set_tag("loss");
  event.mutable_summary()->mutable_value(0)->set_simple_value(1);
  WriteBelow(Out("grows/") + testing::kTensorBoardName,
             testing::FrameRecord(event.SerializeAsString()));
  EXPECT_THAT(RunProgram({"rm", Out("grows")}).out, HasSubstr("(it is running)"));
}

TEST_F(KeepProgramTest, AKilledRunComesBackWithItsJournal) {
  testing::InForkedChild([&] {
    auto recorder = Recorder::Open(Out("killed"), {});
    (*recorder)->AddScalar("loss", 1, 1);
    kill(getpid(), SIGKILL);
  });
  const auto before = TreeOf(dir_.path());
  EXPECT_EQ(RunProgram({"rm", Out("killed"), "--yes"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(Out("killed")));
  RestoreIs(before);
}

TEST_F(KeepProgramTest, NamesMayBeAnything) {
  for (const std::string name : {"two words", "line\nbreak", "quo\"te", "$(touch x)", "-rf"}) {
    Put(name);
    const auto before = TreeOf(dir_.path());
    const Ran ran = RunProgram({"rm", Out(name), "--yes"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_FALSE(fs::exists(Out(name)));
    RestoreIs(before);
    EXPECT_EQ(RunProgram({"mv", Out(name), Out("plain"), "--yes"}).exit_code, 0);
    EXPECT_EQ(RunProgram({"mv", Out("plain"), Out(name), "--yes"}).exit_code, 0);
    EXPECT_EQ(TreeOf(dir_.path()), before);
    fs::remove_all(Out(name));
  }
}

TEST_F(KeepProgramTest, MovesIntoAFolderAndRenames) {
  Put("a");
  PutRanks("b");
  Note("a", "first");
  Note("b/rank_1", "second");
  fs::create_directory(Out("archive"));
  EXPECT_EQ(RunProgram({"mv", Out("a"), Out("b"), Out("archive"), "--yes"}).exit_code, 0);
  EXPECT_EQ(Names(), "archive/a archive/b ");
  EXPECT_EQ(NotesOf(Out()), nlohmann::json({{"archive/a", {{"note", "first"}}},
                                            {"archive/b/rank_1", {{"note", "second"}}}}));
  const Ran ran = RunProgram({"mv", Out("archive/a"), Out("baseline"), "--yes", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Json(ran)["runs"][0]["to"], fs::canonical(Out("baseline")).string());
  EXPECT_EQ(NotesOf(Out())["baseline"]["note"], "first");
  EXPECT_FALSE(fs::exists(Out("archive/.sightline-trash")));
}

TEST_F(KeepProgramTest, NotesFollowARunOutOfTheServedDirectory) {
  Put("a");
  Note("a", "first");
  fs::create_directory(dir_.File("archive"));
  EXPECT_EQ(RunProgram({"mv", Out("a"), dir_.File("archive"), "--yes"}).exit_code, 0);
  EXPECT_THAT(NotesOf(Out()), IsEmpty());
  EXPECT_EQ(NotesOf(dir_.File("archive"))["a"]["note"], "first");
}

TEST_F(KeepProgramTest, MovesOverNothing) {
  Put("a");
  Put("b/a");
  const auto before = TreeOf(dir_.path());
  const Ran exists = RunProgram({"mv", Out("a"), Out("b"), "--yes"});
  EXPECT_EQ(exists.exit_code, 1);
  EXPECT_THAT(exists.out, HasSubstr("b/a exists"));
  EXPECT_THAT(RunProgram({"mv", Out("a"), Out("b/a"), Out("c"), "--yes"}).err,
              HasSubstr("is not a folder that exists; 2 runs need one"));
  fs::create_directory(Out("c"));
  EXPECT_THAT(RunProgram({"mv", Out("a"), Out("b/a"), Out("c")}).out,
              HasSubstr("another of these runs would be"));
  EXPECT_THAT(RunProgram({"mv", Out("a"), Out("a/inner"), "--yes"}).out,
              HasSubstr("within the run itself"));
  fs::remove(Out("c"));
  EXPECT_EQ(TreeOf(dir_.path()), before);
}

TEST_F(KeepProgramTest, AnotherFileSystemIsRefused) {
  const std::string other = "/dev/shm";
  Put("a");
  std::error_code error;
  const fs::space_info here = fs::space(dir_.path(), error);
  if (fs::space(other, error).capacity == here.capacity) return;  // The same one.
  const Ran ran = RunProgram({"mv", Out("a"), other, "--yes"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("/dev/shm is on another file system"));
  EXPECT_TRUE(fs::exists(Out("a")));
}

TEST_F(KeepProgramTest, AFolderOfRunsIsNotOneRun) {
  Put("a");
  Put("b");
  const Ran ran = RunProgram({"rm", Out(), "--yes"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("is not a run, but holds 2 runs; name the runs"));
  EXPECT_EQ(RunProgram({"rm", Out("missing"), "--yes"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"rm", Out("a"), Out("missing"), "--yes"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"rm", Out(), "--where", "lr >", "--yes"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"mv", Out("a")}).exit_code, 2);
  EXPECT_EQ(Names(), "a b ");
}

TEST_F(KeepProgramTest, LinksAreNotFollowed) {
  Put("real");
  fs::create_directory(dir_.File("roots"));
  fs::create_directory_symlink(Out("real"), dir_.File("roots/link"));
  const Ran named = RunProgram({"rm", dir_.File("roots/link"), "--yes"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, HasSubstr("is a link; name the directory that it leads to"));
  const Ran found = RunProgram({"rm", dir_.File("roots"), "--where", "true", "--yes"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, HasSubstr("is reached through a link"));
  EXPECT_TRUE(fs::exists(Out("real")));
}

TEST_F(KeepProgramTest, RestoresOverNothing) {
  Put("a");
  EXPECT_EQ(RunProgram({"rm", Out("a"), "--yes"}).exit_code, 0);
  Put("a", "newer");
  const auto before = TreeOf(dir_.path());
  const Ran ran = RunProgram({"trash", "restore", "--in", Out()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("out/a exists again"));
  EXPECT_EQ(TreeOf(dir_.path()), before);
}

TEST_F(KeepProgramTest, TheTrashIsListedAndEmptied) {
  EXPECT_EQ(RunProgram({"trash", "list", dir_.path()}).out, "the trash is empty\n");
  EXPECT_EQ(RunProgram({"trash", "restore", "--in", dir_.path()}).exit_code, 1);
  Put("a");
  Put("b");
  RunProgram({"rm", Out("a"), "--yes"});
  RunProgram({"rm", Out("b"), "--yes"});
  const auto listed = Json(RunProgram({"trash", "list", "--json", dir_.path()}));
  ASSERT_EQ(listed["runs"].size(), 2U);
  EXPECT_EQ(listed["runs"][0]["files"], 1);
  const auto before = TreeOf(dir_.path());
  EXPECT_THAT(RunProgram({"trash", "empty", Out()}).out,
              HasSubstr("nothing was deleted; --yes deletes 2 runs"));
  EXPECT_THAT(RunProgram({"trash", "empty", Out(), "--older-than", "1d", "--yes"}).out,
              HasSubstr("there is nothing to delete"));
  EXPECT_EQ(RunProgram({"trash", "empty", Out(), "--older-than", "soon"}).exit_code, 2);
  EXPECT_EQ(TreeOf(dir_.path()), before);
  EXPECT_EQ(RunProgram({"trash", "empty", Out(), "--yes"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(Out(".sightline-trash")));
  EXPECT_EQ(RunProgram({"trash", "restore", "x", "--in", Out()}).exit_code, 2);
}

TEST_F(KeepProgramTest, ReadersDoNotLookIntoTheTrash) {
  Put("a");
  Put("b");
  RunProgram({"rm", Out("a"), "--yes"});
  EXPECT_THAT(RunProgram({"info", dir_.path()}).out, Not(HasSubstr("trash")));
  EXPECT_THAT(RunProgram({"verify", dir_.path()}).out, Not(HasSubstr("trash")));
  // Unless somebody asks for it.
  const auto listed =
      nlohmann::json::parse(RunProgram({"ls", "--json", Out(".sightline-trash")}).out);
  EXPECT_EQ(listed["runs"].size(), 1U);
  EXPECT_THAT(RunProgram({"rm", Out(".sightline-trash"), "--where", "true", "--yes"}).out,
              HasSubstr("is in a trash"));
}

// The commands of the page's blocks, one after the other.
TEST_F(KeepProgramTest, ThePageWorksAsItIsTyped) {
  const std::string output = dir_.File("output");
  testing::InForkedChild([&] {
    auto recorder = Recorder::Open(output + "/try-17", {});
    (*recorder)->AddScalar("loss", 1, 1);
    kill(getpid(), SIGKILL);
  });
  for (const char* name : {"lenet", "resnet", "vgg"}) {
    WriteEnded(output + "/" + name + "/" + testing::kTensorBoardName,
               testing::TensorBoardScalar("loss", 1, 1));
  }
  fs::create_directory(dir_.File("archive"));
  const std::string page =
      testing::ReadFileOrDie(fs::path(CorpusPath("")) / "../../docs/keeping.md");
  int typed = 0;
  bool block = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line == "```") block = !block;
    if (!block || !line.starts_with("sightline ")) continue;
    const std::string command = "cd '" + dir_.path() + "' && XDG_CACHE_HOME=cache '" +
                                SIGHTLINE_PROGRAM "'" + line.substr(9) + " >>said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << line << "\n"
                                               << testing::ReadFileOrDie(dir_.File("said"));
    ++typed;
  }
  EXPECT_EQ(typed, 9);
  EXPECT_TRUE(fs::exists(dir_.File("archive/vgg-baseline")));
  EXPECT_THAT(TreeOf(output + "/try-17"), Not(IsEmpty()));
  EXPECT_FALSE(fs::exists(output + "/lenet"));
}

}  // namespace
}  // namespace sightline
