#include "sightline/watch/watch_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::watch {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::HasSubstr;

class WatchStateTest : public ::testing::Test {
 protected:
  const TempDir dir_;
  const std::string path_ = dir_.File("deep/er/state.json");
};

TEST_F(WatchStateTest, WhatWasSavedIsReadByTheNext) {
  {
    const auto state = *WatchState::Open(path_);
    EXPECT_TRUE(state->is_new());
    state->open[{"/runs/a", "nan", "rank 3"}] = {"loss is nan", 12.5};
    state->growing = {"/runs/a", "/runs/b"};
    state->outbox.push_back({{"id", "1"}});
    EXPECT_THAT(state->Save(), IsOk());
  }
  const auto state = *WatchState::Open(path_);
  EXPECT_FALSE(state->is_new());
  ASSERT_EQ(state->open.size(), 1U);
  EXPECT_EQ(state->open.begin()->first.cause, "rank 3");
  EXPECT_EQ(state->open.begin()->second.text, "loss is nan");
  EXPECT_EQ(state->open.begin()->second.since, 12.5);
  EXPECT_EQ(state->growing.size(), 2U);
  EXPECT_EQ(state->outbox.size(), 1U);
}

TEST_F(WatchStateTest, OneProcessHoldsItAndTheNextIsToldWhich) {
  const auto state = *WatchState::Open(path_);
  state->growing = {"/runs/a"};
  ASSERT_THAT(state->Save(), IsOk());  // Which replaces the file.
  const auto second = WatchState::Open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(second.error().message()),
              HasSubstr("process " + std::to_string(getpid()) + " watches these already"));
}

TEST_F(WatchStateTest, OnlyTheUserCanReadIt) {
  const auto state = *WatchState::Open(path_);
  struct stat info {};
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST_F(WatchStateTest, AFileThatIsNoStateIsReplaced) {
  for (const char* text : {"", "{", "[]", R"({"version": 2})", R"({"version": 1, "open": [3]})",
                           R"({"version": 1, "open": [], "growing": "x", "outbox": []})"}) {
    SCOPED_TRACE(text);
    const std::string path = dir_.File("state.json");
    WriteFileOrDie(path, text);
    const auto state = WatchState::Open(path);
    ASSERT_THAT(state, IsOk());
    EXPECT_TRUE((*state)->is_new());
    EXPECT_TRUE((*state)->open.empty());
    EXPECT_THAT(ReadFileOrDie(path), HasSubstr(R"("version":1)"));
  }
}

// It would lead to somebody's file.
TEST_F(WatchStateTest, ALinkIsRefused) {
  WriteFileOrDie(dir_.File("mine"), "precious");
  ASSERT_EQ(symlink(dir_.File("mine").c_str(), dir_.File("state.json").c_str()), 0);
  EXPECT_FALSE(WatchState::Open(dir_.File("state.json")));
  EXPECT_EQ(ReadFileOrDie(dir_.File("mine")), "precious");
}

TEST_F(WatchStateTest, AFolderThatCannotBeMadeIsNamed) {
  WriteFileOrDie(dir_.File("file"), "");
  const auto state = WatchState::Open(dir_.File("file/state.json"));
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error(), IsStatus(state.error().code(), dir_.File("file/state.json")));
}

TEST_F(WatchStateTest, TheDefaultPlaceIsThatOfTheRootsInAnyOrder) {
  setenv("XDG_STATE_HOME", dir_.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  const std::string path = *DefaultStatePath({"/runs/a", "/runs/b"});
  EXPECT_THAT(path, HasSubstr(dir_.path() + "/sightline/watch/"));
  EXPECT_EQ(path, *DefaultStatePath({"/runs/b", "/runs/a"}));
  EXPECT_NE(path, *DefaultStatePath({"/runs/a"}));
}

}  // namespace
}  // namespace sightline::watch
