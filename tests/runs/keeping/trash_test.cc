#include "sightline/runs/keeping/trash.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>

#include "sightline/base/descriptor.h"
#include "sightline/runs/keeping/notes_file.h"
#include "sightline/tests/runs/keeping/kept_tree.h"
#include "sightline/tests/support/forked_child.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::TreeOf;
using testing::WriteBelow;

class TrashTest : public ::testing::Test {
 protected:
  // A run of two folders, beside a file that stays, with notes in two served directories.
  TrashTest() {
    WriteBelow(In("llama/rank_0/events"), "zero");
    WriteBelow(In("llama/rank_1/events"), "one");
    WriteBelow(In("llama/train.py"), "mine");
    WriteBelow(In("other/events"), "other");
    WriteNotes(dir_.path(), {{"out/llama", {{"note", "best"}}}, {"out/other", {{"note", "o"}}}});
    WriteNotes(In(""), {{"llama/rank_1", {{"color", 3}}}});
  }

  std::string In(const std::string& path) const {
    return dir_.File("out") + (path.empty() ? "" : "/" + path);
  }
  static void WriteNotes(const std::string& root, const nlohmann::json& runs) {
    ASSERT_THAT(ChangeNotes(root, [&](nlohmann::json& all) { all["runs"] = runs; }), IsOk());
  }
  nlohmann::json Notes(const std::string& root) const { return (*ReadNotes(root))["runs"]; }

  TrashRecord Llama() const {
    TrashRecord record;
    record.id = "a.1";
    record.time = 1000;
    record.run = "llama";
    record.paths = {"llama/rank_0", "llama/rank_1"};
    record.notes = {{1, "out/llama", {{"note", "best"}}}, {0, "llama/rank_1", {{"color", 3}}}};
    record.files = 2;
    record.bytes = 7;
    return record;
  }
  Status Put() const {
    auto trash = Trash::Open(In(""));
    return trash ? (*trash)->Put(Llama()) : trash.error();
  }
  Status Restore() const {
    auto trash = Trash::Open(In(""));
    return trash ? (*trash)->Restore("a.1") : trash.error();
  }
  std::map<std::string, std::string> Tree() const { return TreeOf(dir_.path()); }

  // Ends a process with SIGKILL before its first change of the disk, before its second and so on,
  // and calls `check` after each. Returns how many changes there are.
  int KillAtEachChange(const std::function<void(const TrashOptions&)>& act,
                       const std::function<void(int)>& check) const {
    for (int changes = 0;; ++changes) {
      const int status = testing::InForkedChild([&] {
        int left = changes;
        TrashOptions options;
        options.before_change = [&] {
          if (left-- == 0) kill(getpid(), SIGKILL);
        };
        act(options);
      });
      check(changes);
      if (::testing::Test::HasFailure() || !WIFSIGNALED(status)) return changes;
    }
  }

  const testing::TempDir dir_;
};

TEST_F(TrashTest, RestoresWhatItTookByteForByte) {
  const auto before = Tree();
  ASSERT_THAT(Put(), IsOk());
  EXPECT_FALSE(fs::exists(In("llama/rank_0")));
  EXPECT_TRUE(fs::exists(In("llama/train.py")));
  EXPECT_EQ(Notes(dir_.path()), nlohmann::json({{"out/other", {{"note", "o"}}}}));
  EXPECT_THAT(Notes(In("")), IsEmpty());
  ASSERT_THAT(Restore(), IsOk());
  EXPECT_EQ(Tree(), before);
}

TEST_F(TrashTest, ListsWhatItHolds) {
  EXPECT_THAT(Trash::List(In("")), IsEmpty());
  ASSERT_THAT(Put(), IsOk());
  const auto all = Trash::List(In(""));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].id, "a.1");
  EXPECT_EQ(all[0].run, "llama");
  EXPECT_EQ(all[0].bytes, 7U);
  EXPECT_EQ(all[0].notes.size(), 2U);
  EXPECT_THAT(Trash::Find(dir_.path()), ElementsAre(In("")));
}

TEST_F(TrashTest, AKillWhileItTakesLosesNothing) {
  const auto before = Tree();
  const int changes = KillAtEachChange(
      [&](const TrashOptions& options) { (void)(*Trash::Open(In(""), options))->Put(Llama()); },
      [&](int change) {
        SCOPED_TRACE(change);
        ASSERT_THAT(Trash::Open(In("")), IsOk());  // Completes what the killed process left.
        if (!Trash::List(In("")).empty()) {
          ASSERT_THAT(Restore(), IsOk());
        }
        EXPECT_EQ(Tree(), before);
      });
  EXPECT_GE(changes, 7);
}

TEST_F(TrashTest, AKillWhileItRestoresLosesNothing) {
  const auto before = Tree();
  ASSERT_THAT(Put(), IsOk());
  const int changes = KillAtEachChange(
      [&](const TrashOptions& options) {
        auto trash = Trash::Open(In(""), {.make = false, .before_change = options.before_change});
        if (trash) (void)(*trash)->Restore("a.1");
      },
      [&](int change) {
        SCOPED_TRACE(change);
        ASSERT_THAT(Trash::Open(In("")), IsOk());
        if (!Trash::List(In("")).empty()) {
          ASSERT_THAT(Restore(), IsOk());
        }
        EXPECT_EQ(Tree(), before);
        ASSERT_THAT(Put(), IsOk());
      });
  EXPECT_GE(changes, 5);
}

TEST_F(TrashTest, AKillWhileARunMovesOutLeavesItAtOneOfBothPlaces) {
  const auto before = Tree();
  const std::string to = dir_.File("archive");
  int moved = 0;
  KillAtEachChange(
      [&](const TrashOptions& options) {
        auto trash = Trash::Open(In(""), options);
        if ((*trash)->Put(Llama()).ok()) (void)(*trash)->MoveOut("a.1", to);
      },
      [&](int change) {
        SCOPED_TRACE(change);
        ASSERT_THAT(Trash::Open(In("")), IsOk());
        if (!Trash::List(In("")).empty()) {
          ASSERT_THAT(Restore(), IsOk());
        }
        EXPECT_FALSE(fs::exists(In(".sightline-trash")));
        if (fs::exists(to)) {
          ++moved;
          EXPECT_THAT(TreeOf(to), ElementsAre(::testing::Pair("rank_0/events", "zero"),
                                              ::testing::Pair("rank_1/events", "one")));
          EXPECT_EQ(Notes(dir_.path())["archive"]["note"], "best");
          fs::rename(to + "/rank_0", In("llama/rank_0"));
          fs::rename(to + "/rank_1", In("llama/rank_1"));
          fs::remove(to);
        } else {
          EXPECT_EQ(Notes(dir_.path())["out/llama"]["note"], "best");
        }
        WriteNotes(dir_.path(),
                   {{"out/llama", {{"note", "best"}}}, {"out/other", {{"note", "o"}}}});
        WriteNotes(In(""), {{"llama/rank_1", {{"color", 3}}}});
        EXPECT_EQ(Tree(), before);
      });
  EXPECT_GE(moved, 2);
}

TEST_F(TrashTest, MovesARunOutWithItsNotes) {
  fs::create_directory(dir_.File("archive"));
  ASSERT_THAT(Put(), IsOk());
  ASSERT_THAT((*Trash::Open(In("")))->MoveOut("a.1", dir_.File("archive/l")), IsOk());
  EXPECT_EQ(TreeOf(dir_.File("archive/l"))["rank_1/events"], "one");
  EXPECT_EQ(Notes(dir_.path()), nlohmann::json({{"out/other", {{"note", "o"}}},
                                                {"archive/l", {{"note", "best"}}},
                                                {"archive/l/rank_1", {{"color", 3}}}}));
  EXPECT_FALSE(fs::exists(In(".sightline-trash")));
}

TEST_F(TrashTest, ARunThatCannotMoveOutIsBack) {
  const auto before = Tree();
  ASSERT_THAT(Put(), IsOk());
  EXPECT_THAT((*Trash::Open(In("")))->MoveOut("a.1", In("other")),
              IsStatus(StatusCode::kAlreadyExists, "other exists"));
  EXPECT_EQ(Tree(), before);
}

TEST_F(TrashTest, RestoresOverNothing) {
  ASSERT_THAT(Put(), IsOk());
  WriteBelow(In("llama/rank_1/events"), "new");
  const auto before = Tree();
  EXPECT_THAT(Restore(), IsStatus(StatusCode::kAlreadyExists, "llama/rank_1 exists again"));
  EXPECT_EQ(Tree(), before);
  fs::create_directories(In("llama/rank_0"));  // An empty folder is not replaced, either.
  fs::remove_all(In("llama/rank_1"));
  EXPECT_THAT(Restore(), IsStatus(StatusCode::kAlreadyExists, "llama/rank_0 exists again"));
}

TEST_F(TrashTest, WhatSomebodyWroteInTheMeantimeStays) {
  ASSERT_THAT(Put(), IsOk());
  WriteNotes(dir_.path(), {{"out/llama", {{"note", "newer"}}}});
  WriteNotes(In(""), {{"llama/rank_1", {{"name", "n"}}}});
  ASSERT_THAT(Restore(), IsOk());
  EXPECT_EQ(Notes(dir_.path())["out/llama"]["note"], "newer");
  EXPECT_EQ(Notes(In(""))["llama/rank_1"], nlohmann::json({{"name", "n"}, {"color", 3}}));
}

TEST_F(TrashTest, ARunThatCannotBeTakenWholeIsBack) {
  const auto before = Tree();
  TrashRecord record = Llama();
  record.paths.emplace_back("llama/missing");
  EXPECT_FALSE((*Trash::Open(In("")))->Put(record).ok());
  EXPECT_EQ(Tree(), before);
}

TEST_F(TrashTest, OneProcessAtATimeMovesRuns) {
  const auto held = Trash::Open(In(""));
  ASSERT_THAT(held, IsOk());
  const auto second = Trash::Open(In(""));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), IsStatus(StatusCode::kUnavailable, "another process"));
}

TEST_F(TrashTest, DeletesForGood) {
  ASSERT_THAT(Put(), IsOk());
  fs::create_directory_symlink(In("other"), In(".sightline-trash/a.1/run/llama/link"));
  ASSERT_THAT((*Trash::Open(In("")))->Delete("a.1"), IsOk());
  EXPECT_FALSE(fs::exists(In(".sightline-trash")));
  EXPECT_EQ(testing::ReadFileOrDie(In("other/events")), "other");
}

TEST_F(TrashTest, AKillWhileItDeletesIsFinishedByTheNextDeletion) {
  const auto before = Tree();
  KillAtEachChange(
      [&](const TrashOptions& options) {
        auto trash = Trash::Open(In(""), options);
        if ((*trash)->Put(Llama()).ok()) (void)(*trash)->Delete("a.1");
      },
      [&](int change) {
        SCOPED_TRACE(change);
        ASSERT_THAT((*Trash::Open(In("")))->DeleteRest(), IsOk());
        const bool kept = !Trash::List(In("")).empty();
        if (kept) {
          ASSERT_THAT(Restore(), IsOk());
        }
        EXPECT_FALSE(fs::exists(In(".sightline-trash")));
        const bool gone = !fs::exists(In("llama/rank_0"));
        EXPECT_EQ(gone, !fs::exists(In("llama/rank_1")));
        if (!gone) {
          EXPECT_EQ(Tree(), before);
        }
        WriteBelow(In("llama/rank_0/events"), "zero");
        WriteBelow(In("llama/rank_1/events"), "one");
        WriteNotes(dir_.path(),
                   {{"out/llama", {{"note", "best"}}}, {"out/other", {{"note", "o"}}}});
        WriteNotes(In(""), {{"llama/rank_1", {{"color", 3}}}});
      });
}

// --- What somebody may have planted ---

TEST_F(TrashTest, ATrashThatIsALinkIsRefused) {
  fs::create_directory(dir_.File("elsewhere"));
  fs::create_directory_symlink(dir_.File("elsewhere"), In(".sightline-trash"));
  EXPECT_THAT(Put(), IsStatus(StatusCode::kFailedPrecondition, "is a link"));
  EXPECT_TRUE(fs::is_empty(dir_.File("elsewhere")));
  EXPECT_THAT(Trash::List(In("")), IsEmpty());
  EXPECT_THAT(Trash::Find(dir_.path()), IsEmpty());
}

TEST_F(TrashTest, ALinkOnTheWayIsNotFollowed) {
  fs::rename(In("llama"), dir_.File("elsewhere"));
  fs::create_directory_symlink(dir_.File("elsewhere"), In("llama"));
  EXPECT_FALSE(Put().ok());
  EXPECT_TRUE(fs::exists(dir_.File("elsewhere/rank_0/events")));
}

TEST_F(TrashTest, NothingIsRestoredThroughALink) {
  ASSERT_THAT(Put(), IsOk());
  fs::rename(In("llama"), dir_.File("elsewhere"));
  fs::create_directory_symlink(dir_.File("elsewhere"), In("llama"));
  EXPECT_FALSE(Restore().ok());
  EXPECT_FALSE(fs::exists(dir_.File("elsewhere/rank_0")));
  fs::remove(In("llama"));
  ASSERT_THAT(Restore(), IsOk());
  EXPECT_TRUE(fs::exists(In("llama/rank_0/events")));
}

TEST_F(TrashTest, ARecordThatLeadsElsewhereMovesNothing) {
  for (const char* path : {"../secret", "/etc", "a/../../secret", "", ".", "a//b", "a/"}) {
    SCOPED_TRACE(path);
    fs::create_directories(In(".sightline-trash/x.1/run"));
    const nlohmann::json record = {{"sightline_trash", 1},
                                   {"state", "moving"},
                                   {"time", 1},
                                   {"run", "secret"},
                                   {"paths", {path}},
                                   {"files", 1},
                                   {"bytes", 1},
                                   {"notes", nlohmann::json::array()}};
    testing::WriteFileOrDie(In(".sightline-trash/x.1/move.json"), record.dump());
    WriteBelow(In(".sightline-trash/x.1/secret"), "planted");
    EXPECT_THAT(Trash::Open(In("")), IsOk());
    EXPECT_FALSE(fs::exists(dir_.File("secret")));
    std::vector<std::string> notes;
    EXPECT_THAT(Trash::List(In(""), &notes), IsEmpty());
    EXPECT_THAT(notes, ElementsAre(HasSubstr("move.json is damaged")));
  }
}

TEST_F(TrashTest, NamesMayHaveAnyBytes) {
  for (const std::string name :
       {"two words", "line\nbreak", "quo'te\"s", "100%", "%FF", "\xFF%41", "-rf", "\u00e9"}) {
    SCOPED_TRACE(name);
    WriteBelow(In(name + "/events"), name);
    const auto before = Tree();
    TrashRecord record;
    record.id = "n.1";
    record.run = name;
    record.paths = {name};
    ASSERT_THAT((*Trash::Open(In("")))->Put(record), IsOk());
    EXPECT_FALSE(fs::exists(In(name)));
    ASSERT_EQ(Trash::List(In("")).size(), 1U);
    EXPECT_EQ(Trash::List(In(""))[0].run, name);
    ASSERT_THAT((*Trash::Open(In("")))->Restore("n.1"), IsOk());
    EXPECT_EQ(Tree(), before);
  }
}

}  // namespace
}  // namespace sightline
