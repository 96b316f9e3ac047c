#include "sightline/dashboard/store/state_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::IsEmpty;

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(StateFolderTest, KeepsTheToken) {
  const TempDir dir;
  const StateFolder state(dir.File("new/sightline"));
  const auto token = state.Token();
  ASSERT_THAT(token, IsOk());
  EXPECT_EQ(token->size(), 43U);
  EXPECT_EQ(*state.Token(), *token);
  EXPECT_EQ(ModeOf(state.path() + "/token"), 0600U);
  EXPECT_EQ(ModeOf(state.path()), 0700U);
}

TEST(StateFolderTest, MakesATokenAnewThatOthersCouldHaveRead) {
  const TempDir dir;
  const StateFolder state(dir.File("sightline"));
  const std::string first = *state.Token();
  ASSERT_EQ(chmod((state.path() + "/token").c_str(), 0644), 0);
  const std::string second = *state.Token();
  EXPECT_NE(first, second);
  EXPECT_EQ(ModeOf(state.path() + "/token"), 0600U);
  WriteFileOrDie(state.path() + "/token", "short");
  EXPECT_EQ(state.Token()->size(), 43U);
}

TEST(StateFolderTest, FollowsNoLinkToAToken) {
  const TempDir dir;
  const StateFolder state(dir.File("sightline"));
  ASSERT_THAT(state.Token(), IsOk());
  const std::string elsewhere = dir.File("elsewhere");
  WriteFileOrDie(elsewhere, std::string(43, 'a'));
  ASSERT_EQ(chmod(elsewhere.c_str(), 0600), 0);
  unlink((state.path() + "/token").c_str());
  ASSERT_EQ(symlink(elsewhere.c_str(), (state.path() + "/token").c_str()), 0);
  const auto token = state.Token();
  ASSERT_THAT(token, IsOk());
  EXPECT_NE(*token, std::string(43, 'a'));
  EXPECT_EQ(ReadFileOrDie(elsewhere), std::string(43, 'a'));
}

TEST(StateFolderTest, RefusesAFolderThatOthersWrite) {
  const TempDir dir;
  const std::string path = dir.File("sightline");
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  EXPECT_EQ(StateFolder(path).Token().error().code(), StatusCode::kPermissionDenied);
}

TEST(StateFolderTest, ListsServersWhileTheyRun) {
  const TempDir dir;
  const StateFolder state(dir.File("sightline"));
  {
    const auto note = state.Note({8080, "http://127.0.0.1:8080/", true, "output"});
    ASSERT_THAT(note, IsOk());
    EXPECT_EQ(ModeOf(state.path() + "/servers/8080"), 0600U);
    const auto servers = state.Servers();
    ASSERT_EQ(servers->size(), 1U);
    EXPECT_EQ(servers->front().port, 8080);
    EXPECT_EQ(servers->front().directory, "output");
    EXPECT_EQ(state.Note({8080, "", true, ""}).error().code(), StatusCode::kAlreadyExists);
  }
  EXPECT_THAT(*state.Servers(), IsEmpty());
}

TEST(StateFolderTest, WaitsForNoPipe) {
  const TempDir dir;
  const StateFolder state(dir.File("sightline"));
  const std::string note = *state.FileFor("8080");
  ASSERT_EQ(mkfifo(note.c_str(), 0600), 0);
  EXPECT_THAT(*state.Servers(), IsEmpty());
  EXPECT_FALSE(state.Note({.port = 8080, .url = "", .needs_token = true, .directory = ""}));
  ASSERT_EQ(mkfifo((state.path() + "/token").c_str(), 0600), 0);
  EXPECT_EQ(state.Token()->size(), 43U);
}

TEST(StateFolderTest, StopsNoProcessThatDoesNotHoldTheLock) {
  const TempDir dir;
  const StateFolder state(dir.File("sightline"));
  EXPECT_EQ(state.StopServer(8080).code(), StatusCode::kNotFound);
  // What a killed server leaves, whose process number is this one's by now.
  const std::string path = *state.FileFor("8080");
  WriteFileOrDie(path, R"({"port":8080,"url":"","needs_token":true,"directory":"","process":)" +
                           std::to_string(getpid()) + "}");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(state.StopServer(8080).code(), StatusCode::kNotFound);
  EXPECT_THAT(*state.Servers(), IsEmpty());
}

}  // namespace
}  // namespace sightline::dashboard
