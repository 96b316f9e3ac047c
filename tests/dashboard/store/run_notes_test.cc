#include "sightline/dashboard/store/run_notes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "sightline/base/descriptor.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::IsOk;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;

class RunNotesTest : public ::testing::Test {
 protected:
  RunNotesTest() {
    std::filesystem::create_directories(dir_.File("a"));
    std::filesystem::create_directories(dir_.File("b"));
  }
  RunNotes Of(const std::vector<std::string>& roots,
              RunNotes::Access access = RunNotes::Access::kWrite) const {
    std::vector<std::string> paths;
    for (const std::string& root : roots) paths.push_back(dir_.File(root));
    return {paths, access};
  }
  std::string FileOf(const std::string& root) const {
    return dir_.File(root + "/.sightline-notes.json");
  }
  static bool Refuses(RunNotes& notes, const json& patch) {
    const auto merged = notes.Merge(patch);
    return !merged && merged.error().code() == StatusCode::kInvalidArgument;
  }

  TempDir dir_;
};

TEST_F(RunNotesTest, StoresNotesFromOneStartToTheNext) {
  RunNotes notes = Of({"a"});
  EXPECT_EQ(notes.Read()["runs"], json::object());
  ASSERT_THAT(notes.Merge({{"runs", {{"x/1", {{"note", "best"}, {"tags", {"good"}}}}}},
                           {"layouts", {{"Losses", "#/scalars?f=loss"}}}}),
              IsOk());
  const json kept = Of({"a"}, RunNotes::Access::kRead).Read();
  EXPECT_EQ(kept["runs"], json({{"x/1", {{"note", "best"}, {"tags", {"good"}}}}}));
  EXPECT_EQ(kept["layouts"], json({{"Losses", "#/scalars?f=loss"}}));
  EXPECT_EQ(kept["writable"], false);
}

TEST_F(RunNotesTest, LeavesOutWhatSaysNothing) {
  WriteFileOrDie(FileOf("a"), R"({"sightline_notes": 1, "runs": {"x": null, "y": {"note": null,
      "name": "n"}, "z": {}}, "layouts": {"Losses": null}})");
  RunNotes notes = Of({"a"});
  EXPECT_EQ(notes.Read()["runs"], json({{"y", {{"name", "n"}}}, {"z", json::object()}}));
  EXPECT_EQ(notes.Read()["layouts"], json::object());
  const json erase = {{"runs", {{"x", {{"note", nullptr}}}}}, {"layouts", {{"Losses", nullptr}}}};
  EXPECT_THAT(notes.Merge(erase), IsOk());
  EXPECT_THAT(notes.Merge({{"runs", {{"x", {{"note", "best"}}}}}}), IsOk());
  EXPECT_EQ(notes.Read()["runs"]["x"]["note"], "best");
}

TEST_F(RunNotesTest, ChangesOnlyTheNamedFields) {
  RunNotes notes = Of({"a"});
  ASSERT_THAT(
      notes.Merge({{"runs", {{"x", {{"note", "n"}, {"hidden", true}}}, {"y", {{"color", 3}}}}}}),
      IsOk());
  const auto merged =
      notes.Merge({{"runs", {{"x", {{"note", ""}, {"name", "new"}}}, {"y", nullptr}}}});
  ASSERT_THAT(merged, IsOk());
  EXPECT_EQ((*merged)["runs"], json({{"x", {{"hidden", true}, {"name", "new"}}}}));
  EXPECT_EQ((*notes.Merge({{"runs", {{"x", {{"hidden", false}, {"name", nullptr}}}}}}))["runs"],
            json::object());
}

TEST_F(RunNotesTest, HasAnotherVersionForEachContent) {
  RunNotes notes = Of({"a"});
  const json before = notes.Read();
  EXPECT_EQ(before["version"], notes.Read()["version"]);
  EXPECT_NE(before["version"], (*notes.Merge({{"runs", {{"x", {{"note", "n"}}}}}}))["version"]);
}

TEST_F(RunNotesTest, PutsEachRootsRunsIntoItsOwnFile) {
  RunNotes both = Of({"a", "b"});
  ASSERT_THAT(both.Merge({{"runs", {{"0:x", {{"note", "of a"}}}, {"1:x", {{"note", "of b"}}}}}}),
              IsOk());
  EXPECT_EQ(Of({"b"}).Read()["runs"], json({{"x", {{"note", "of b"}}}}));
  EXPECT_EQ(both.Read()["runs"]["0:x"]["note"], "of a");
}

TEST_F(RunNotesTest, WritesOnlyWhereThatWasAllowed) {
  RunNotes notes = Of({"a"}, RunNotes::Access::kRead);
  EXPECT_EQ(notes.Merge({{"runs", json::object()}}).error().code(), StatusCode::kPermissionDenied);
  EXPECT_FALSE(notes.Any());
  EXPECT_TRUE(Of({"a"}).Any());
}

TEST_F(RunNotesTest, RefusesInvalidAndTooLongNotes) {
  RunNotes notes = Of({"a"});
  const auto of_run = [](json fields) { return json{{"runs", {{"x", std::move(fields)}}}}; };
  EXPECT_TRUE(Refuses(notes, {{"other", json::object()}}));
  EXPECT_TRUE(Refuses(notes, {{"runs", 1}}));
  EXPECT_TRUE(Refuses(notes, {{"runs", {{"x", "text"}}}}));
  EXPECT_TRUE(Refuses(notes, of_run({{"unknown", 1}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"note", std::string(65'537, 'x')}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"name", 7}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"tags", {"a", 1}}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"color", -1}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"hidden", "yes"}})));
  EXPECT_TRUE(Refuses(notes, of_run({{"pinned", 1}})));
  EXPECT_TRUE(Refuses(notes, {{"layouts", {{"l", json::array()}}}}));
  EXPECT_FALSE(std::filesystem::exists(FileOf("a")));
}

TEST_F(RunNotesTest, NeverWritesOverAnotherProgramsFile) {
  for (const std::string& text :
       {std::string("{}"), std::string("notes"), std::string(),
        std::string(R"({"sightline_notes": 2, "runs": {}, "layouts": {}})"),
        // Nested so deep that a copy of it would end the stack.
        R"({"sightline_notes": 1, "layouts": {}, "runs": {"x": {"tags": )" +
            std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}}"}) {
    WriteFileOrDie(FileOf("a"), text);
    RunNotes notes = Of({"a"});
    EXPECT_EQ(notes.Read()["runs"], json::object());
    EXPECT_EQ(notes.Merge({{"runs", {{"x", {{"note", "n"}}}}}}).error().code(),
              StatusCode::kFailedPrecondition);
    EXPECT_EQ(ReadFileOrDie(FileOf("a")), text);
  }
}

TEST_F(RunNotesTest, FollowsNoLink) {
  WriteFileOrDie(dir_.File("secret"),
                 R"({"sightline_notes": 1, "runs": {"s": {"note": "s"}}, "layouts": {}})");
  ASSERT_EQ(symlink(dir_.File("secret").c_str(), FileOf("a").c_str()), 0);
  RunNotes notes = Of({"a"});
  EXPECT_EQ(notes.Read()["runs"], json::object());
  EXPECT_FALSE(notes.Merge({{"runs", {{"x", {{"note", "n"}}}}}}).has_value());
  EXPECT_EQ(ReadFileOrDie(dir_.File("secret")).find("\"x\""), std::string::npos);
}

TEST_F(RunNotesTest, LosesNothingOfTwoServersThatWriteAtOnce) {
  constexpr int kEach = 10;
  const auto write = [&](const std::string& name) {
    RunNotes notes = Of({"a"});
    for (int i = 0; i < kEach; ++i)
      ASSERT_THAT(notes.Merge({{"runs", {{name + std::to_string(i), {{"note", "n"}}}}}}), IsOk());
  };
  std::thread other(write, "other");
  write("own");
  other.join();
  EXPECT_EQ(Of({"a"}).Read()["runs"].size(), 2U * kEach);
}

// Anybody who may read a directory may lock it, for any time.
TEST_F(RunNotesTest, IsNotHeldBackByALockOfSomebodyElse) {
  const Descriptor neighbour(open(dir_.File("a").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(flock(neighbour.get(), LOCK_EX), 0);
  RunNotes notes = Of({"a"});
  const auto merged = notes.Merge({{"runs", {{"x", {{"note", "n"}}}}}});
  ASSERT_FALSE(merged.has_value());
  EXPECT_EQ(merged.error().code(), StatusCode::kUnavailable);
  EXPECT_THAT(std::string(merged.error().message()), ::testing::HasSubstr("has locked"));
  flock(neighbour.get(), LOCK_UN);
  EXPECT_THAT(notes.Merge({{"runs", {{"x", {{"note", "n"}}}}}}), IsOk());
}

TEST_F(RunNotesTest, NamesWhatStandsInTheWayOfItsFile) {
  std::filesystem::create_directories(FileOf("a") + ".new");
  const auto merged = Of({"a"}).Merge({{"runs", {{"x", {{"note", "n"}}}}}});
  ASSERT_FALSE(merged.has_value());
  EXPECT_THAT(std::string(merged.error().message()),
              ::testing::HasSubstr("cannot write .sightline-notes.json.new"));
}

TEST_F(RunNotesTest, ReportsEachChangeOnce) {
  RunNotes notes = Of({"a"});
  notes.ChangedSinceAsked();
  EXPECT_FALSE(notes.ChangedSinceAsked());
  ASSERT_THAT(Of({"a"}).Merge({{"runs", {{"x", {{"note", "n"}}}}}}), IsOk());
  EXPECT_TRUE(notes.ChangedSinceAsked());
  EXPECT_FALSE(notes.ChangedSinceAsked());
}

}  // namespace
}  // namespace sightline::dashboard
