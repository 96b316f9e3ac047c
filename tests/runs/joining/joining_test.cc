// Which directories are one training, and which stay runs of their own (docs/ranks.md).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/joining/part_evidence.h"
#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;

constexpr char kTorchName[] = "events.out.tfevents.1.vm.77.0";

struct Steps {
  std::int64_t first = 0;
  std::int64_t last = 3;
};

// Event times follow from the steps (testing::TimeOf).
std::string Scalars(const std::string& tag, Steps steps = {}, float value = 1) {
  std::string bytes;
  for (std::int64_t step = steps.first; step <= steps.last; ++step)
    bytes += testing::TensorBoardScalar(tag, step, value);
  return bytes;
}

std::string OfSession(std::int32_t rank, std::int32_t world_size, const std::string& id = "") {
  tensorboard::Event event;
  event.set_wall_time(testing::TimeOf(0));
  event.mutable_session()->set_session_id(id.empty() ? "session" + std::to_string(rank) : id);
  event.mutable_session()->set_rank(rank);
  event.mutable_session()->set_world_size(world_size);
  return testing::FrameRecord(event.SerializeAsString()) + Scalars("loss");
}

class JoiningTest : public ::testing::Test {
 protected:
  void Put(const std::string& directory, const std::string& bytes,
           const std::string& name = testing::kTensorBoardName) {
    fs_.Put("root/" + directory + "/" + name, bytes);
  }
  void PutRanks(const std::string& folder, std::int32_t first, std::int32_t last) {
    for (std::int32_t rank = first; rank <= last; ++rank)
      Put(fmt::format("{}/rank_{}", folder, rank), Scalars("loss", {}, static_cast<float>(rank)));
  }

  RunGroup Open(bool join = true) {
    auto group = RunGroup::Open({"root"}, {.file_system = &fs_, .join = join});
    EXPECT_THAT(group, IsOk());
    return *std::move(group);
  }
  static std::vector<std::string> Names(const RunGroup& group) {
    std::vector<std::string> names;
    for (const auto& run : group.runs()) names.push_back(run->name());
    return names;
  }
  std::vector<std::string> Names() { return Names(Open()); }
  // "tag rank" of each series.
  static std::vector<std::string> SeriesOf(const sightline::Run& run) {
    std::vector<std::string> series;
    for (const auto& one : run.series())
      series.push_back(one->key().tag + " " + std::to_string(one->key().rank));
    return series;
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(JoiningTest, RanksOfOneFolderAreOneRunNamedAfterTheFolder) {
  PutRanks("out", 0, 11);
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  const sightline::Run& run = *group.runs()[0];
  EXPECT_EQ(run.directory(), "root/out");
  EXPECT_EQ(run.series().size(), 12U);
  const Series* eleventh = run.Find(ContentKind::kScalar, "loss", 11);
  ASSERT_NE(eleventh, nullptr);  // Numbers are compared as numbers, not by the alphabet.
  EXPECT_THAT(eleventh->values(), ElementsAre(11, 11, 11, 11));
  EXPECT_EQ(run.files()[11].rank, 11);
  EXPECT_EQ(run.files()[11].path, std::string("root/out/rank_11/") + testing::kTensorBoardName);
}

TEST_F(JoiningTest, RanksInTheRootAreTheRunOfTheRoot) {
  PutRanks(".", 0, 1);
  EXPECT_THAT(Names(), ElementsAre("."));
}

TEST_F(JoiningTest, FoldersAreCalledRankInThreeWays) {
  EXPECT_EQ(RankOfFolder("rank_12"), 12);
  EXPECT_EQ(RankOfFolder("rank12"), 12);
  EXPECT_EQ(RankOfFolder("rank-12"), 12);
  for (const char* name : {"rank", "rank_", "rank_x", "frank_3", "run_rank_3", "rank_3.bak",
                           "rank_3_1", "rank_99999999999"})
    EXPECT_EQ(RankOfFolder(name), std::nullopt) << name;
}

TEST_F(JoiningTest, WithoutJoiningEachDirectoryIsARun) {
  PutRanks("out", 0, 1);
  EXPECT_THAT(Names(Open(false)), ElementsAre("out/rank_0", "out/rank_1"));
}

TEST_F(JoiningTest, SessionsTellTheRankWhateverTheFoldersAreCalled) {
  Put("out/worker-b", OfSession(1, 2));
  Put("out/worker-a", OfSession(0, 2));
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_THAT(SeriesOf(*group.runs()[0]), ElementsAre("loss 0", "loss 1"));
}

TEST_F(JoiningTest, ASessionOfOneRankDoesNotOverruleTheFolder) {
  for (const int rank : {0, 1, 2}) Put(fmt::format("out/rank_{}", rank), OfSession(0, 1));
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_THAT(SeriesOf(*group.runs()[0]), ElementsAre("loss 0", "loss 1", "loss 2"));
  EXPECT_EQ(group.runs()[0]->sessions()[2].session.rank, 2);
}

TEST_F(JoiningTest, RanksOfOneNodeAloneAreARunWithThoseRanks) {
  PutRanks("node1", 8, 15);
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("node1"));
  EXPECT_EQ(group.runs()[0]->series()[0]->key().rank, 8);
}

TEST_F(JoiningTest, SweepsOverARankWithGapsStayRuns) {
  for (const int rank : {4, 8, 16}) Put(fmt::format("lora/rank_{}", rank), Scalars("loss"));
  EXPECT_THAT(Names(), ElementsAre("lora/rank_4", "lora/rank_8", "lora/rank_16"));
}

TEST_F(JoiningTest, TrainingsOneAfterAnotherStayRuns) {
  for (const int rank : {1, 2, 3})
    Put(fmt::format("lora/rank_{}", rank), Scalars("loss", {rank * 100, rank * 100 + 50}));
  EXPECT_THAT(Names(), ElementsAre("lora/rank_1", "lora/rank_2", "lora/rank_3"));
}

TEST_F(JoiningTest, ATrainingOfMoreRanksAfterOneOfFewerStaysRuns) {
  PutRanks("out", 0, 1);
  for (const int rank : {0, 1, 2, 3})
    Put(fmt::format("out/rank_{}", rank), Scalars("loss", {100, 103}), "events.out.tfevents.2.vm");
  EXPECT_EQ(Names().size(), 4U);
}

TEST_F(JoiningTest, SessionsOfDifferentSizesStayRuns) {
  Put("out/rank_0", OfSession(0, 8));
  Put("out/rank_1", OfSession(1, 16));
  EXPECT_EQ(Names().size(), 2U);
}

TEST_F(JoiningTest, TheSameRankTwiceStaysRuns) {
  Put("out/a", OfSession(0, 2));
  Put("out/b", OfSession(0, 2));
  Put("out/c", OfSession(1, 2));
  EXPECT_EQ(Names().size(), 3U);
}

TEST_F(JoiningTest, AFolderWithAnEventFileOfItsOwnStaysARunBesideItsRanks) {
  PutRanks("out", 0, 1);
  Put("out", Scalars("accuracy"));
  EXPECT_THAT(Names(), ElementsAre("out", "out/rank_0", "out/rank_1"));
}

TEST_F(JoiningTest, ARestartOfAllRanksAndARankThatEndsEarlyStayOneRun) {
  PutRanks("out", 0, 3);
  for (const int rank : {0, 1, 2})
    Put(fmt::format("out/rank_{}", rank), Scalars("loss", {50, 60}), "events.out.tfevents.2.vm");
  EXPECT_THAT(Names(), ElementsAre("out"));
}

TEST_F(JoiningTest, CurvesOfTensorboardXBelongToTheirRun) {
  Put("run", Scalars("loss"));
  Put("run/load/expert/0", Scalars("load/expert"));
  Put("run/load/expert/1", Scalars("load/expert"));
  Put("run/moe/load expert/ep/3", Scalars("moe/load_expert"));
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("run"));
  EXPECT_THAT(SeriesOf(*group.runs()[0]), ElementsAre("load/expert/0 0", "load/expert/1 0",
                                                      "loss 0", "moe/load_expert/ep/3 0"));
}

TEST_F(JoiningTest, RunsWhoseNamesDifferInZerosOnlyHaveTheirOwnCurves) {
  for (const char* run : {"lr_0.1", "lr_0.01"}) {
    Put(run, Scalars("accuracy"));
    for (const char* curve : {"/loss/train", "/loss/valid"})
      Put(std::string(run) + curve, Scalars("loss"));
  }
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("lr_0.01", "lr_0.1"));
  for (const auto& run : group.runs())
    EXPECT_THAT(SeriesOf(*run), ElementsAre("accuracy 0", "loss/train 0", "loss/valid 0"));
}

TEST_F(JoiningTest, CurvesOfTorchBelongToTheRunOfTheirProcess) {
  Put("run", Scalars("loss"), kTorchName);
  Put("run/losses_eval_a/b", Scalars("losses/eval"), "events.out.tfevents.9.vm.77.1");
  Put("run/loss_a", Scalars("loss"), "events.out.tfevents.9.vm.78.1");  // Another process.
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("run", "run/loss_a"));
  EXPECT_THAT(SeriesOf(*group.runs()[0]), ElementsAre("loss 0", "losses/eval/a/b 0"));
}

TEST_F(JoiningTest, CurvesOfARankBelongToTheRank) {
  for (const int rank : {0, 1}) {
    Put(fmt::format("out/rank_{}", rank), Scalars("loss"));
    Put(fmt::format("out/rank_{}/load/0", rank), Scalars("load"));
  }
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_THAT(SeriesOf(*group.runs()[0]), ElementsAre("load/0 0", "load/0 1", "loss 0", "loss 1"));
}

TEST_F(JoiningTest, ACurveThatItsRunHasAlreadyStaysARun) {
  Put("run", Scalars("loss/a"));
  Put("run/loss/a", Scalars("loss"));
  EXPECT_THAT(Names(), ElementsAre("run", "run/loss/a"));
}

TEST_F(JoiningTest, DirectoriesOfOtherNamesAndOfSeveralTagsStayRuns) {
  Put("run", Scalars("loss"));
  Put("run/1700000000.5", Scalars("hparam/accuracy"));                  // add_hparams
  Put("run/train", Scalars("epoch_loss") + Scalars("epoch_accuracy"));  // Keras
  Put("run/loss/a", Scalars("loss") + Scalars("accuracy"));
  Put("run/loss/b", Scalars("loss"), "events.out.tfevents.1.otherhost");
  EXPECT_EQ(Names().size(), 5U);
}

TEST_F(JoiningTest, PartsAreFoundByTheirOwnNames) {
  PutRanks("out", 0, 1);
  Put("out/rank_1/load/0", Scalars("load"));
  const RunGroup group = Open();
  const auto rank = group.Find("out/rank_1");
  ASSERT_NE(rank, nullptr);
  EXPECT_EQ(rank->name(), "out/rank_1");
  EXPECT_THAT(SeriesOf(*rank), ElementsAre("loss 0"));
  EXPECT_NE(group.Find("out/rank_1/load/0"), nullptr);
  EXPECT_EQ(group.Find("out/rank_2"), nullptr);
}

TEST_F(JoiningTest, TheLineageIsThatOfTheLowestRankAndNamesWhatDiffers) {
  for (const int rank : {0, 1}) {
    Put(fmt::format("out/rank_{}", rank), Scalars("loss"));
    fs_.Put(fmt::format("root/out/rank_{}/{}", rank, testing::kLineageName),
            testing::Lineage(rank == 0 ? "Lenet" : "Resnet", 1));
  }
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_EQ(group.runs()[0]->lineage().at("network"), LineageValue("Lenet"));
  EXPECT_THAT(group.runs()[0]->lineage_differs(), ElementsAre("network"));
}

TEST_F(JoiningTest, TheEnvironmentOfEachRankIsNoDifference) {
  for (const int rank : {0, 1}) {
    Put(fmt::format("out/rank_{}", rank), OfSession(rank, 2));
    fs_.Put(fmt::format("root/out/rank_{0}/.sightline-run-session{0}.json", rank),
            fmt::format(R"({{"host": "vm{0}", "env": {{"RANK": "{0}"}}}})", rank));
  }
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_EQ(group.runs()[0]->lineage().at("run.env.RANK"), LineageValue("0"));
  EXPECT_THAT(group.runs()[0]->lineage_differs(), ElementsAre("run.host"));
}

TEST_F(JoiningTest, TheStateIsTheWorstOfTheRanks) {
  Put("out/rank_0", OfSession(0, 1));
  Put("out/rank_1", Scalars("loss"));  // Another program's.
  Put("out/rank_2", OfSession(2, 1));
  const testing::ManualClock later(4e9);
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_EQ(group.Find("out/rank_0")->State(later), RunState::kFinished);
  EXPECT_EQ(group.Find("out/rank_1")->State(later), RunState::kEnded);
  EXPECT_EQ(group.runs()[0]->State(later), RunState::kEnded);
}

TEST_F(JoiningTest, DamageOfARankIsDamageOfTheRun) {
  PutRanks("out", 0, 1);
  std::string bytes = Scalars("loss");
  bytes[20] ^= 1;
  Put("out/rank_1", bytes);
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  EXPECT_TRUE(group.runs()[0]->damaged());
}

TEST_F(JoiningTest, ValuesOfPartsAreReadFromTheirFiles) {
  for (const int rank : {0, 1}) {
    Put(fmt::format("out/rank_{}", rank), testing::Tensor("w", 1) + testing::Tensor("w", 2),
        testing::kMindSporeName);
  }
  const RunGroup group = Open();
  ASSERT_THAT(Names(group), ElementsAre("out"));
  const sightline::Run& run = *group.runs()[0];
  const Series* of_one = run.Find(ContentKind::kTensor, "w1", 1);
  ASSERT_NE(of_one, nullptr);
  EXPECT_EQ(of_one->point(0).file, 1U);
  EXPECT_THAT(run.Read(of_one->point(1)), IsOk());
}

TEST_F(JoiningTest, ARunWithRanksIsFollowed) {
  PutRanks("out", 0, 1);
  RunGroup group = Open();
  Put("out/rank_2", Scalars("loss"));
  auto changes = group.Refresh();
  ASSERT_THAT(changes, IsOk());
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ((*changes)[0].name, "out");
  EXPECT_EQ((*changes)[0].kind, RunChange::Kind::kChanged);
  EXPECT_EQ(group.runs()[0]->series().size(), 3U);
  const auto series = SeriesChanges(*(*changes)[0].before, *(*changes)[0].run);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].key.rank, 2);
  changes = group.Refresh();
  ASSERT_THAT(changes, IsOk());
  EXPECT_THAT(*changes, IsEmpty());
}

// The root is a run, so that both trainings might be joined with it.
TEST_F(JoiningTest, ATrainingBesideOneThatGrewStaysTheSameObject) {
  Put(".", Scalars("accuracy"));
  PutRanks("a", 0, 1);
  PutRanks("b", 0, 1);
  RunGroup group = Open();
  const auto before = group.Find("b");
  Put("a/rank_1", Scalars("loss", {0, 9}));
  const auto changes = group.Refresh();
  ASSERT_THAT(changes, IsOk());
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ((*changes)[0].name, "a");
  EXPECT_EQ(group.Find("b"), before);
}

TEST_F(JoiningTest, ASecondRankMakesOneRunOfTwo) {
  PutRanks("out", 0, 0);
  RunGroup group = Open();
  EXPECT_THAT(Names(group), ElementsAre("out/rank_0"));
  PutRanks("out", 1, 1);
  const auto changes = group.Refresh();
  ASSERT_THAT(changes, IsOk());
  ASSERT_EQ(changes->size(), 2U);
  EXPECT_EQ((*changes)[0].name, "out");
  EXPECT_EQ((*changes)[0].kind, RunChange::Kind::kAppeared);
  EXPECT_EQ((*changes)[1].name, "out/rank_0");
  EXPECT_EQ((*changes)[1].kind, RunChange::Kind::kGone);
  EXPECT_THAT(Names(group), ElementsAre("out"));
}

TEST_F(JoiningTest, EachRunIsVisitedOnceWhole) {
  PutRanks("a", 0, 99);  // More than are read together.
  Put("b", Scalars("loss"));
  std::vector<std::string> seen;
  const auto group = RunGroup::Visit({"root"}, {.file_system = &fs_}, [&](const auto& run) {
    seen.push_back(fmt::format("{} {}", run->name(), run->series().size()));
  });
  ASSERT_THAT(group, IsOk());
  EXPECT_THAT(seen, ElementsAre("a 100", "b 1"));
}

// The points of the index are those of the files.
TEST(JoiningIndexTest, RanksFromTheIndexHaveTheirPoints) {
  const testing::TempDir root, index;
  auto& fs = FileSystem::Local();
  for (const int rank : {0, 1, 2}) {
    const std::string folder = root.path() + fmt::format("/out/rank_{}", rank);
    ASSERT_THAT(fs.CreateDirectories(folder), IsOk());
    testing::WriteFileOrDie(folder + "/" + testing::kTensorBoardName,
                            Scalars("loss", {}, static_cast<float>(rank)));
  }
  for (int opening = 0; opening < 2; ++opening) {
    auto group = RunGroup::Open({root.path()}, {.index_folder = index.path()});
    ASSERT_THAT(group, IsOk());
    ASSERT_EQ(group->runs().size(), 1U);
    const sightline::Run& run = *group->runs()[0];
    EXPECT_EQ(run.series()[0]->source() != nullptr, opening == 1);
    EXPECT_EQ(run.Find(ContentKind::kScalar, "loss", 2)->last_value(), 2);
    EXPECT_THAT(run.Find(ContentKind::kScalar, "loss", 2)->values(), ElementsAre(2, 2, 2, 2));
    EXPECT_THAT(group->WriteIndex(), IsEmpty());
  }
}

}  // namespace
}  // namespace sightline
