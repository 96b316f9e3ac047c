// The dumps of `sightline demo --save-graphs`, read back.
#include "sightline/tools/demo/graph_dumps.h"

#include <string>
#include <vector>

#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/tests/support/support.h"
#include "sightline/tools/demo/digits_trainer.h"
#include "sightline/tools/demo/recording.h"

namespace sightline::demo {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

class GraphDumpsTest : public ::testing::Test {
 protected:
  Result<ir::DumperStats> Dump(int level) {
    return DumpGraphs(DescribeNetwork(trainer), level, dir.File("graphs"));
  }
  ir::Folder Read() const {
    return ir::ReadFolder(ir::LocalDumps(), dir.File("graphs"), {}).value();
  }
  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    for (const ir::Dump& dump : Read().dumps) paths.push_back(dump.path);
    return paths;
  }

  const TempDir dir;
  const Digits digits = ReadDigits(EmbeddedDigits()).value();
  DigitsTrainer trainer{digits, {.epochs = 1}};
};

TEST_F(GraphDumpsTest, LevelOneDumpsStagesPassesAndKernelGraphs) {
  ASSERT_THAT(Dump(1), IsOk());
  EXPECT_THAT(Paths(),
              ElementsAre("00_parse_0000.ir", "01_grad_0001.ir", "opt_pass_0_fuse_bias_0002.ir",
                          "02_optimize_0003.ir", "hwopt_final_graph_0_0004.ir"));
}

TEST_F(GraphDumpsTest, LevelTwoAddsTheBackEnd) {
  ASSERT_THAT(Dump(2), IsOk());
  EXPECT_THAT(Paths(), IsSupersetOf({"verbose_ir_files/inplace_conv1.relu_0004.ir",
                                     "hwopt_final_graph_0_0011.ir"}));
}

TEST_F(GraphDumpsTest, LevelThreeAddsEveryStepAndPictures) {
  ASSERT_THAT(Dump(3), IsOk());
  EXPECT_THAT(Paths(),
              IsSupersetOf({"opt.r1.fuse_bias.conv1_0004.ir", "opt.r1.fuse_bias.dense2_0010.ir"}));
  EXPECT_GT(Read().other_files, 0U);  // The .dot files.
}

TEST_F(GraphDumpsTest, DumpsReadBackWithoutAProblem) {
  ASSERT_THAT(Dump(3), IsOk());
  for (const ir::Dump& dump : Read().dumps) {
    EXPECT_THAT(dump.error, IsOk());
    EXPECT_EQ(dump.figures.problem_count, 0U) << dump.path;
    EXPECT_EQ(dump.figures.entry, "DigitsNet");
    const auto module = ir::ReadDump(dir.File("graphs/" + dump.path));
    ASSERT_THAT(module, IsOk());
    EXPECT_EQ(ir::Dataflow(*module).unresolved(), 0U) << dump.path;
  }
}

TEST_F(GraphDumpsTest, EachPassChangesTheGraph) {
  ASSERT_THAT(Dump(1), IsOk());
  const auto dumps = Read().dumps;
  const auto calls = [&](std::size_t dump, const std::string& callee) {
    const auto& callees = dumps[dump].figures.summary.callees;
    const auto found = callees.find(callee);
    return found == callees.end() ? 0U : found->second;
  };
  EXPECT_EQ(calls(0, "ApplyMomentum"), 0U);
  EXPECT_EQ(calls(1, "ApplyMomentum"), 8U);
  EXPECT_EQ(calls(1, "BiasAdd"), 4U);
  EXPECT_EQ(calls(2, "BiasAdd"), 0U);
  EXPECT_FALSE(dumps[3].changed);
}

TEST_F(GraphDumpsTest, AnErrorIsReturned) {
  EXPECT_THAT(Dump(4).error(), IsStatus(StatusCode::kInvalidArgument, "level"));
}

}  // namespace
}  // namespace sightline::demo
