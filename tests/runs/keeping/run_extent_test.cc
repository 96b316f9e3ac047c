#include "sightline/runs/keeping/run_extent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/tests/runs/keeping/kept_tree.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::WriteBelow;

class RunExtentTest : public ::testing::Test {
 protected:
  RunExtentTest() {
    request_.folder = dir_.path();
    request_.run = "run";
    request_.own = {"run"};
    request_.recorded = {"run/events.out.tfevents.1.vm"};
    Write({"run/events.out.tfevents.1.vm"});
  }
  void Write(const std::vector<std::string>& paths) const {
    for (const std::string& path : paths) WriteBelow(dir_.File(path), "12345");
  }
  RunExtent Find() const {
    auto extent = FindExtent(request_);
    EXPECT_THAT(extent, IsOk());
    return extent ? *extent : RunExtent();
  }

  const testing::TempDir dir_;
  ExtentRequest request_;
};

TEST_F(RunExtentTest, AFolderThatHoldsOnlyTheRunGoes) {
  Write({"run/.sightline-journal-1", "run/.sightline-run-1.json", "run/console.log",
         "run/.console.log.times", "run/console-rank3.log", "run/.landscape_1_3_PCA.points",
         "run/net-1_10.ckpt", "run/landscape_result.svg", "run/hparams.yaml",
         "run/ckpt_dir/train_metadata.json", "run/checkpoint-500/config.json",
         "run/export_1/tensor/loss_1.npy"});
  const RunExtent extent = Find();
  EXPECT_THAT(extent.paths, ElementsAre("run"));
  EXPECT_THAT(extent.left, IsEmpty());
  EXPECT_EQ(extent.files, 13U);
  EXPECT_EQ(extent.bytes, 65U);
}

TEST_F(RunExtentTest, WhatNoRecorderWroteStays) {
  Write({"run/train.py", "run/data/1.bin", "run/net.ckpt"});
  const RunExtent extent = Find();
  EXPECT_THAT(extent.paths, ElementsAre("run/events.out.tfevents.1.vm", "run/net.ckpt"));
  EXPECT_THAT(extent.left, ElementsAre("run/data", "run/train.py"));
  EXPECT_EQ(extent.files, 2U);
}

TEST_F(RunExtentTest, WholeTakesIt) {
  Write({"run/train.py", "run/data/1.bin"});
  request_.whole = true;
  EXPECT_THAT(Find().paths, ElementsAre("run"));
  EXPECT_EQ(Find().files, 3U);
}

TEST_F(RunExtentTest, AnotherRunStaysEvenThen) {
  Write({"run/a/eval/events", "run/train.py"});
  request_.whole = true;
  request_.others = {"run/a/eval"};
  const RunExtent extent = Find();
  EXPECT_THAT(extent.paths, ElementsAre("run/events.out.tfevents.1.vm", "run/train.py"));
  EXPECT_THAT(extent.left, ElementsAre("run/a"));
}

TEST_F(RunExtentTest, TheFolderOfTheRanksGoesWithThem) {
  request_.own = {"run", "run/rank_0", "run/rank_1"};
  request_.recorded = {"run/rank_0/events", "run/rank_1/events"};
  fs::remove(dir_.File("run/events.out.tfevents.1.vm"));
  Write({"run/rank_0/events", "run/rank_1/events"});
  EXPECT_THAT(Find().paths, ElementsAre("run"));
  Write({"run/rank_1/note.txt"});
  EXPECT_THAT(Find().paths, ElementsAre("run/rank_0", "run/rank_1/events"));
}

TEST_F(RunExtentTest, AFolderOfAnotherRecorderGoesWhole) {
  request_.made = {"run"};
  Write({"run/files/wandb-metadata.json", "run/logs/debug.log", "run/run-1.wandb"});
  EXPECT_THAT(Find().paths, ElementsAre("run"));
}

TEST_F(RunExtentTest, NotesAndTrashGoWithTheWholeFolderOnly) {
  Write({"run/.sightline-notes.json", "run/.sightline-trash/a.1/move.json"});
  EXPECT_THAT(Find().paths, ElementsAre("run"));
  Write({"run/train.py"});
  EXPECT_THAT(Find().paths, ElementsAre("run/events.out.tfevents.1.vm"));
  EXPECT_THAT(Find().left, ElementsAre("run/train.py"));
}

TEST_F(RunExtentTest, ALinkIsNotFollowed) {
  Write({"elsewhere/big"});
  fs::create_directory_symlink(dir_.File("elsewhere"), dir_.File("run/ckpt"));
  EXPECT_THAT(Find().left, ElementsAre("run/ckpt"));
  request_.whole = true;
  const RunExtent extent = Find();
  EXPECT_THAT(extent.paths, ElementsAre("run"));
  EXPECT_EQ(extent.files, 2U);
  fs::rename(dir_.File("run"), dir_.File("real"));
  fs::create_directory_symlink(dir_.File("real"), dir_.File("run"));
  EXPECT_FALSE(FindExtent(request_));
}

}  // namespace
}  // namespace sightline
