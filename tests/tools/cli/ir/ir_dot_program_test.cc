// `sightline ir dot`, run as people run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/ir/ir_dumps.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using testing::DumpPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using testing::kDump;
using testing::Lines;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

TEST(IrDotProgram, DrawsADump) {
  const Ran ran = RunProgram({"ir", "dot", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("digraph \"20_validate_0542.ir"), HasSubstr("<b>Add</b>")));
}

TEST(IrDotProgram, MakesAPictureByGraphviz) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "dot", "--svg", "-o", dir.File("graph.svg"), DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(ReadFileOrDie(dir.File("graph.svg")), HasSubstr(">Add</text>"));
}

TEST(IrDotProgram, InJsonHasBoxesThatStandForEveryStatement) {
  const std::string dump = DumpPath("transformer_level1/20_validate_0074.ir");
  const json drawing = Lines(RunProgram({"ir", "dot", "--json", "--bookkeeping", dump}).out).at(0);
  EXPECT_GE(drawing["boxes"].size(), 100);
  int nodes = 0;
  for (const json& box : drawing["boxes"]) nodes += box["nodes"].get<int>();
  EXPECT_EQ(nodes, Lines(RunProgram({"ir", "info", "--json", dump}).out).at(0)["statements"]);
}

TEST(IrDotProgram, LeavesOutBookkeepingUnlessItIsAskedFor) {
  const auto titles = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"ir", "dot", "--json"});
    options.push_back(DumpPath("mlp_level1/20_validate_0074.ir"));
    const json drawing = Lines(RunProgram(options).out).at(0);
    std::set<std::string> found;
    for (const json& box : drawing["boxes"]) found.insert(box["title"].get<std::string>());
    return found;
  };
  EXPECT_THAT(titles({}), ElementsAre("BiasAdd", "MatMul", "ReLU", "Return", "inputs"));
  for (const char* option : {"--bookkeeping", "--all"})
    EXPECT_THAT(titles({option}), IsSupersetOf({"Load", "Depend", "UpdateState", "MakeTuple"}));
  EXPECT_THAT(titles({"--node", "Return"}), Contains("Depend"));
}

TEST(IrDotProgram, DrawsWhatIsChosen) {
  const std::string dump = DumpPath("transformer_level1/20_validate_0074.ir");
  const auto shown = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"ir", "dot", "--json", "--bookkeeping", dump});
    const Ran ran = RunProgram(options);
    EXPECT_EQ(ran.exit_code, 0);
    const json drawing = Lines(ran.out).at(0);
    return drawing["nodes"].get<int>() - drawing["hidden"].get<int>();
  };
  const int all = shown({"--all"});
  EXPECT_EQ(shown({"--forward"}) + shown({"--backward"}), all);
  EXPECT_LT(shown({"--scope", "Default/*/0-Block"}), all / 3);
  EXPECT_LT(shown({"--node", "%300", "--around", "2"}), shown({"--node", "%300", "--around", "3"}));
  EXPECT_LT(shown({"--from", "%100", "--to", "%300"}), shown({"--to", "%300"}));
  EXPECT_EQ(shown({"--fold", "--depth", "3", "--collapse", "Gradients"}), all);
}

TEST(IrDotProgram, OfAFolderMakesAFileForEachDump) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "dot", "-o", dir.File("dots"), DumpPath("html")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ReadFileOrDie(dir.File("dots") + "/20_validate_0542.ir.dot"), HasSubstr("digraph"));
  EXPECT_THAT(ReadFileOrDie(dir.File("dots") + "/01_type_inference_0002.ir.dot"),
              HasSubstr("digraph"));
}

TEST(IrDotProgram, KeepsTheFoldersOfDumpsThatHaveOneName) {
  const testing::TempDir dir;
  const std::string text = ReadFileOrDie(DumpPath("mlp_level1/20_validate_0074.ir"));
  for (const char* rank : {"rank_0", "rank_1"}) {
    std::filesystem::create_directories(dir.File("graphs/" + std::string(rank)));
    testing::WriteFileOrDie(dir.File("graphs/" + std::string(rank) + "/20_validate_0074.ir"), text);
  }
  EXPECT_EQ(RunProgram({"ir", "dot", dir.File("graphs"), "-o", dir.File("out")}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(dir.File("out/rank_0/20_validate_0074.ir.dot")));
  EXPECT_TRUE(std::filesystem::exists(dir.File("out/rank_1/20_validate_0074.ir.dot")));

  const Ran ran =
      RunProgram({"ir", "dot", dir.File("graphs/rank_0/20_validate_0074.ir"),
                  dir.File("graphs/rank_1/20_validate_0074.ir"), "-o", dir.File("two")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("rank_1/20_validate_0074.ir has the name of a dump"));
}

TEST(IrDotProgram, WritesAnEventFileForTensorBoard) {
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "dot", "--graphdef", "-o", dir.File("run"), DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran info = RunProgram({"info", dir.File("run")});
  EXPECT_THAT(info.out, HasSubstr("graph"));
}

TEST(IrDotProgram, DrawsTheActorsOfASetAndItsArrows) {
  const std::string set = DumpPath("mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir");
  const json drawing = Lines(RunProgram({"ir", "dot", "--json", set}).out).at(0);
  EXPECT_EQ(drawing["nodes"], 8);
  EXPECT_EQ(drawing["edges"].size(), 11);
  const Ran near =
      RunProgram({"ir", "dot", "--json", "--node", "0_Default/f-Dense/MatMul-op0", set});
  EXPECT_EQ(Lines(near.out).at(0)["hidden"], 5) << "MatMul, what it takes, and who takes that";
}

TEST(IrDotProgram, DrawsNoEmptyPicture) {
  const testing::TempDir dir;
  testing::WriteFileOrDie(dir.File("0_actor_set.ir"), "[Kernel actors:0]\n\n[Copy actors:0]\n");
  const std::string picture = dir.File("picture.dot");
  const Ran ran = RunProgram({"ir", "dot", "-o", picture, dir.File("0_actor_set.ir")});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("0_actor_set.ir: nothing to draw"));
  EXPECT_FALSE(std::filesystem::exists(picture));
}

TEST(IrDotProgram, SaysWhatIsNotThere) {
  const Ran ran = RunProgram({"ir", "dot", "--node", "CNode_none", DumpPath(kDump)});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("no node is named CNode_none"));
  EXPECT_EQ(RunProgram({"ir", "dot", "/nowhere.ir"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "dot", "-o", "/nowhere/x.dot", DumpPath(kDump)}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "dot", "--graphdef", DumpPath(kDump)}).exit_code, 2);
}

// PATH without graphviz: the error says what to do.
TEST(IrDotProgram, WithoutGraphvizSaysWhatToInstall) {
  const char* path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  ASSERT_EQ(setenv("PATH", "/nowhere", 1), 0);
  const testing::TempDir dir;
  const Ran ran = RunProgram({"ir", "dot", "--svg", DumpPath(kDump)});
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("apt-get install graphviz"));
}

}  // namespace
}  // namespace sightline
