#include "sightline/runs/console/run_console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "sightline/runs/console/console_files.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Optional;
using testing::TempDir;
using testing::WriteFileOrDie;

class RunConsoleTest : public ::testing::Test {
 protected:
  RunConsoleTest() { std::filesystem::create_directory(folder_); }

  // A run whose facts name the folder.
  std::shared_ptr<const sightline::Run> OpenRun(const std::string& records = "") const {
    WriteFileOrDie(dir_.File(testing::kTensorBoardName),
                   testing::SessionRecord<tensorboard::Event>("a", 0) +
                       testing::TensorBoardScalar("loss", 10, 1) + records);
    WriteFileOrDie(dir_.File(".sightline-run-a.json"), R"({"folder": ")" + folder_ + "\"}");
    return *sightline::Run::Open(dir_.path());
  }

  const TempDir dir_;
  const std::string folder_ = dir_.File("of_command");
};

TEST_F(RunConsoleTest, ConsolesAreThoseWithANameOfTheirs) {
  EXPECT_THAT(
      ConsoleRanks({"console-rank10.log", "console-rank2.log", "console.log", "console-rank02.log",
                    "console-rank.log", "other.log", ".console.log.times"}),
      ElementsAre(std::nullopt, Optional(Eq(2)), Optional(Eq(10))));
}

TEST_F(RunConsoleTest, ARunsConsoleIsInTheFolderOfItsCommand) {
  const auto run = OpenRun();
  const auto missing = ConsoleOf(FileSystem::Local(), *run);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(std::string(missing.error().message()), HasSubstr(folder_));
  WriteFileOrDie(folder_ + "/console-rank3.log", "x");
  const auto found = ConsoleOf(FileSystem::Local(), *run);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->folder, folder_);
  EXPECT_THAT(found->ranks, ElementsAre(Optional(Eq(3))));
}

TEST_F(RunConsoleTest, OneInItsOwnDirectoryComesFirst) {
  WriteFileOrDie(folder_ + "/console.log", "x");
  WriteFileOrDie(dir_.File("console.log"), "x");
  EXPECT_EQ(ConsoleOf(FileSystem::Local(), *OpenRun())->folder, dir_.path());
}

TEST_F(RunConsoleTest, WhatWandbKeptIsTheConsoleOfItsRun) {
  std::filesystem::create_directory(dir_.File("files"));
  WriteFileOrDie(dir_.File("files/output.log"), "step 1\n");
  const std::string name = "run-digits01.wandb";
  WriteFileOrDie(dir_.File(name), testing::ReadFileOrDie(testing::CorpusPath("wandb/" + name)));
  const auto run = sightline::Run::Open(dir_.path());
  ASSERT_TRUE(run.has_value());
  const auto found = ConsoleOf(FileSystem::Local(), **run);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->Path(found->ranks.front()), dir_.File("files/output.log"));
  std::filesystem::remove(dir_.File("files/output.log"));
  EXPECT_FALSE(ConsoleOf(FileSystem::Local(), **run).has_value());
}

TEST_F(RunConsoleTest, AFileOfAnotherNameIsNoConsole) {
  std::filesystem::create_directory(dir_.File("files"));
  WriteFileOrDie(dir_.File("files/output.log"), "step 1\n");
  WriteFileOrDie(dir_.File(testing::kTensorBoardName), testing::TensorBoardScalar("loss", 10, 1));
  const auto run = sightline::Run::Open(dir_.path());
  ASSERT_TRUE(run.has_value());
  EXPECT_FALSE(ConsoleOf(FileSystem::Local(), **run).has_value());
}

TEST_F(RunConsoleTest, AStepsTimeIsThatOfItsFirstValue) {
  const auto run = OpenRun(testing::TensorBoardScalar("loss", 20, 1) +
                           testing::TensorBoardScalar("accuracy", 30, 1) +
                           testing::TensorBoardScalar("command/cpu_percent", 5, 1));
  EXPECT_THAT(TimeOfStep(*run, 0), Optional(Eq(testing::TimeOf(10))));
  EXPECT_THAT(TimeOfStep(*run, 11), Optional(Eq(testing::TimeOf(20))));
  EXPECT_THAT(TimeOfStep(*run, 20), Optional(Eq(testing::TimeOf(20))));
  EXPECT_THAT(TimeOfStep(*run, 25), Optional(Eq(testing::TimeOf(30))));
  EXPECT_EQ(TimeOfStep(*run, 31), std::nullopt);
}

}  // namespace
}  // namespace sightline
