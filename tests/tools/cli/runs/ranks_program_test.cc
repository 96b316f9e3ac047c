// What `ls` and `info` say of a run of several ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::RunProgram;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class RanksProgramTest : public ::testing::Test {
 protected:
  std::string FileOf(int rank) const {
    return dir_.File("train/events.out.events.summary.1." + std::to_string(rank) + ".vm_MS");
  }
  void Put(int rank, const std::string& records) const {
    std::filesystem::create_directories(dir_.File("train"));
    testing::WriteFileOrDie(
        FileOf(rank),
        testing::SessionRecord<mindspore::Event>("s" + std::to_string(rank), rank) + records);
  }
  // Of 16 ranks, rank 11 is slow and the loss of rank 4 is NaN from step 3 on.
  void PutSixteen() const {
    for (int rank = 0; rank < 16; ++rank) {
      std::string records;
      for (int step = 1; step <= 4; ++step) {
        records += testing::MindSporeScalar("loss", step, rank == 4 && step > 2 ? kNan : 0.5F) +
                   testing::MindSporeScalar("time", step, rank == 11 ? 0.25F : 0.2F);
      }
      Put(rank, records);
    }
  }
  Ran List(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"ls", dir_.path()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return RunProgram(arguments);
  }
  std::string Info() const { return RunProgram({"info", dir_.path()}).out; }

  testing::TempDir dir_;
};

TEST_F(RanksProgramTest, LsSaysHowTheRanksOfARowDiffer) {
  PutSixteen();
  const Ran ran = List({"--columns", "last(time)", "mean(time, 2)", "last(loss)", "count(loss)"});
  EXPECT_THAT(ran.out, HasSubstr("0.2 (0.2 to 0.25 over 16 ranks, mean 0.203125, worst 11)  "
                                 "0.2 (0.2 to 0.25 over 16 ranks, mean 0.203125, worst 11)  "
                                 "0.5 (0.5 over 15 ranks, NaN in rank 4)            4\n"))
      << ran.out;
}

TEST_F(RanksProgramTest, LsNamesTheRankWithNan) {
  PutSixteen();
  EXPECT_THAT(List().out, HasSubstr("  loss in rank 4\n"));
  EXPECT_THAT(List({"--columns", "first_nan(loss)"}).out, HasSubstr("3 (in rank 4)\n"));
  EXPECT_THAT(List({"--where", "worst(mean(time)) == 11 and spread(mean(time)) > 0.2"}).out,
              HasSubstr("train"));
}

TEST_F(RanksProgramTest, LsCountsSeveralRanksWithNan) {
  for (int rank = 0; rank < 5; ++rank)
    Put(rank, testing::MindSporeScalar("loss", 1, rank < 3 ? kNan : 1));
  EXPECT_THAT(List().out, HasSubstr("  loss in 3 of 5 ranks\n"));
  EXPECT_THAT(List({"--columns", "last(loss)"}).out,
              HasSubstr("nan (1 over 2 ranks, NaN in 3 of 5 ranks)\n"));
  EXPECT_THAT(List({"--columns", "max(loss)"}).out, HasSubstr("  in 2 of 5 ranks\n"));
}

TEST_F(RanksProgramTest, LsPrintsARowARank) {
  PutSixteen();
  const Ran ran = List({"--ranks", "--columns", "mean(time)", "--sort", "mean(time)", "--reverse"});
  EXPECT_THAT(ran.out, ContainsRegex("^name +rank +mean\\(time\\)\ntrain +11 +0\\.25\n"
                                     "train +0 +0\\.2\ntrain +1 +0\\.2\n"));
  const Ran nan = List({"--ranks", "--where", "isnan(last(loss)) or rank == 7"});
  EXPECT_THAT(nan.out, ContainsRegex("\ntrain +4 .* loss\ntrain +7 "));
  EXPECT_THAT(nan.out, Not(ContainsRegex("train +5")));
  EXPECT_THAT(nan.out, Not(HasSubstr("no run has")));
}

TEST_F(RanksProgramTest, JsonOfRanksHasTheSeriesOfEach) {
  PutSixteen();
  const auto rows = nlohmann::json::parse(
      List({"--ranks", "--json", "--columns", "last(loss)", "rank"}).out)["runs"];
  ASSERT_EQ(rows.size(), 16U);
  EXPECT_EQ(rows[4]["name"], "train");
  EXPECT_EQ(rows[4]["rank"], 4);
  EXPECT_EQ(rows[4]["columns"]["last(loss)"], "nan");
  EXPECT_EQ(rows[4]["columns"]["rank"], 4);
  EXPECT_EQ(rows[4]["files"], 1);
  ASSERT_EQ(rows[4]["series"].size(), 2U);
  EXPECT_EQ(rows[4]["series"][0]["rank"], 4);
  EXPECT_EQ(nlohmann::json::parse(List({"--json"}).out)["runs"][0]["series"].size(), 32U);
}

TEST_F(RanksProgramTest, RanksAreNotGrouped) {
  PutSixteen();
  EXPECT_EQ(List({"--ranks", "--group-by", "state"}).exit_code, 2);
  EXPECT_THAT(List({"--columns", "rank"}).out,
              HasSubstr("no run has rank; --ranks lists a row a rank\n"));
}

TEST_F(RanksProgramTest, GroupsSayThatAnotherRankIsNan) {
  PutSixteen();
  EXPECT_THAT(List({"--group-by", "state", "--columns", "last(loss)"}).out,
              HasSubstr("0.5 (0.5 to 0.5), NaN or infinite in a rank of 1 run\n"));
}

TEST_F(RanksProgramTest, InfoNamesTheRanksWithNan) {
  PutSixteen();
  EXPECT_THAT(Info(), HasSubstr("\n  ranks 0 to 15\n\n"));
  EXPECT_THAT(Info(), ContainsRegex("loss +scalar .* 2 NaN since step 3 in rank 4\n"));
  Put(2, testing::MindSporeScalar("loss", 1, 1) + testing::MindSporeScalar("loss", 2, kNan));
  EXPECT_THAT(Info(), HasSubstr("NaN or infinite in ranks 2, 4, the first at step 2 in rank 2\n"));
}

TEST_F(RanksProgramTest, InfoNamesWhatARankLacks) {
  for (int rank = 0; rank < 4; ++rank) {
    std::string records;
    for (int step = 1; step <= (rank == 2 ? 7 : 10); ++step) {
      if (rank != 1 || step != 5) records += testing::MindSporeScalar("loss", step, 1);
      records += testing::MindSporeScalar("time", step, 1);
    }
    if (rank == 0) records += testing::MindSporeScalar("eval", 20, 1);  // Only in this rank.
    Put(rank, records);
  }
  EXPECT_THAT(Info(), HasSubstr("\n  ranks 0 to 3\n"
                                "    rank 2 ends at step 7, the others at step 10\n"
                                "    rank 1 has 9 values, the others 10: loss\n\n"));
}

TEST_F(RanksProgramTest, InfoNamesTheFirstAndLastEndIfMostRanksDiffer) {
  for (const int rank : {0, 1}) Put(rank, testing::MindSporeScalar("loss", rank == 0 ? 9 : 10, 1));
  EXPECT_THAT(Info(), HasSubstr("    the ranks end at steps 9 (rank 0) to 10 (rank 1)\n"));
}

TEST_F(RanksProgramTest, InfoNamesDamagedRanks) {
  for (int rank = 0; rank < 3; ++rank)
    Put(rank, testing::MindSporeScalar("loss", 1, 1) + (rank == 1 ? "torn" : ""));
  EXPECT_THAT(Info(), HasSubstr("\n  ranks 0 to 2\n    damage in rank 1\n"));
}

TEST_F(RanksProgramTest, InfoOfAThousandRanksIsShort) {
  for (int rank = 0; rank < 1024; ++rank) {
    const int last = rank % 2 == 0 || rank > 800 ? 50 : rank;
    Put(rank, testing::MindSporeScalar("loss", last, rank % 3 == 0 ? kNan : 1) +
                  (rank % 4 == 0 ? "torn" : ""));
  }
  const std::string info = Info();
  EXPECT_LT(std::count(info.begin(), info.end(), '\n'), 60) << info;
  EXPECT_THAT(info, HasSubstr("damage in ranks 0, 4, 8, 12, 16, 20 and 250 more\n"));
  EXPECT_THAT(info, HasSubstr("ranks 1, 3, 5, 7, 9, 11 and 394 more end at step 1 to 799, the "
                              "others at step 50\n"));
  EXPECT_THAT(info, HasSubstr("and 224 more files like these\n  and 768 more sound files\n"));
}

// The questions of docs/ranks.md ("In a terminal"), asked of folders that tensorboardX would write:
// rank 11 is slow, the loss of rank 4 is NaN from step 3 on, and each rank has a curve.
TEST_F(RanksProgramTest, FoldersOfSixteenRanksTellWhichIsSlowAndWhichWentBad) {
  const auto put = [&](const std::string& folder, const std::string& records) {
    std::filesystem::create_directories(dir_.File(folder));
    testing::WriteFileOrDie(dir_.File(folder) + "/" + testing::kTensorBoardName, records);
  };
  for (int rank = 0; rank < 16; ++rank) {
    const std::string folder = "out/rank_" + std::to_string(rank);
    std::string records;
    std::string curve;
    for (int step = 1; step <= 4; ++step) {
      records += testing::TensorBoardScalar("loss", step, rank == 4 && step > 2 ? kNan : 0.5F) +
                 testing::TensorBoardScalar("iteration-time", step, rank == 11 ? 0.25F : 0.2F);
      curve += testing::TensorBoardScalar("norm", step, 1);
    }
    put(folder, records);
    put(folder + "/norm/layer0", curve);
  }
  EXPECT_THAT(List({"--columns", "mean(\"iteration-time\")"}).out,
              HasSubstr("out   0.2 (0.2 to 0.25 over 16 ranks, mean 0.203125, worst 11)\n"));
  EXPECT_THAT(List({"--ranks", "--columns", "mean(\"iteration-time\")", "--sort",
                    "mean(\"iteration-time\")", "--reverse"})
                  .out,
              ContainsRegex("^name +rank +mean.*\nout +11 +0\\.25\n"));
  EXPECT_THAT(List({"--where", "spread(mean(\"iteration-time\")) > 0.1"}).out,
              HasSubstr("  loss in rank 4\n"));
  EXPECT_THAT(List({"--columns", "first_nan(loss)"}).out, HasSubstr("3 (in rank 4)\n"));
  EXPECT_THAT(Info(), ContainsRegex("loss +scalar .* 2 NaN since step 3 in rank 4\n"));
  EXPECT_THAT(Info(), ContainsRegex("norm/layer0 +scalar +64 "));
}

// Each rank has a directory, as MindFormers' ranks do.
TEST_F(RanksProgramTest, DirectoriesOfRanksAreOneRow) {
  for (int rank = 0; rank < 3; ++rank) {
    const std::string folder = dir_.File("out/rank_" + std::to_string(rank));
    std::filesystem::create_directories(folder);
    std::string records;
    for (int step = 1; step <= 3; ++step)
      records += testing::TensorBoardScalar("loss", step, static_cast<float>(rank));
    testing::WriteFileOrDie(folder + "/" + testing::kTensorBoardName, records);
  }
  const Ran joined = List({"--columns", "last(loss)"});
  EXPECT_THAT(joined.out, HasSubstr("out")) << joined.out;
  EXPECT_THAT(joined.out, HasSubstr("over 3 ranks"));
  EXPECT_THAT(joined.out, Not(HasSubstr("rank_1")));
  EXPECT_THAT(List({"--no-join"}).out, HasSubstr("out/rank_1 "));
  EXPECT_THAT(Info(), HasSubstr("\n  joined of 3 directories\n"));
  EXPECT_THAT(Info(), HasSubstr(std::string("  rank_1/") + testing::kTensorBoardName));
  EXPECT_THAT(RunProgram({"info", dir_.path(), "--no-join"}).out, HasSubstr("out/rank_2  "));
}

}  // namespace
}  // namespace sightline
