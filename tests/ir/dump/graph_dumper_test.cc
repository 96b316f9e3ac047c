#include "sightline/ir/dump/graph_dumper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_dumper_fixture.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::FrameworkGraph;
using testing::GraphDumperTest;
using testing::GraphMeaning;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::SizeIs;
using testing::TempDir;

TEST_F(GraphDumperTest, StagesPrintWholeNamesAndPassesScopes) {
  Written(1);
  EXPECT_THAT(memory_.Get("graphs/00_bootstrap_0000.ir"),
              HasSubstr("# Fullname with scope: (Default/net/Add-op0)"));
  EXPECT_THAT(memory_.Get("graphs/opt_pass_0_inline_0001.ir"), HasSubstr("# Scope: (Default/net)"));
}

TEST_F(GraphDumperTest, ASecondCompilationBeginsItsStagesAgain) {
  GraphDumper dumper(At(1, memory_));
  Compile(dumper);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_TRUE(memory_.Exists("graphs/00_bootstrap_0003.ir"));
}

TEST_F(GraphDumperTest, EqualDumpsAreHardLinks) {
  const TempDir dir;
  GraphDumper dumper(At(1, FileSystem::Local(), dir.File("graphs")));
  for (const char* stage : {"parse", "inline", "validate"}) {
    const auto graph = FrameworkGraph::Small({"Add"});  // At another address each time.
    dumper.Dump(DumpPoint::Stage(stage), graph.Visitor());
  }
  const auto other = FrameworkGraph::Small({"Sub"});
  dumper.Dump(DumpPoint::Stage("execute"), other.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("graphs/00_parse_0000.ir")), 3);
  EXPECT_TRUE(std::filesystem::equivalent(dir.File("graphs/00_parse_0000.ir"),
                                          dir.File("graphs/02_validate_0002.ir")));
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("graphs/03_execute_0003.ir")), 1);
  EXPECT_EQ(dumper.Stats().links, 2);
  EXPECT_EQ(dumper.Stats().files, 2);
}

TEST_F(GraphDumperTest, TheFolderIsReadWithItsUnchangedDumpsCollapsed) {
  const TempDir dir;
  GraphDumper dumper(At(2, FileSystem::Local(), dir.path()));
  Compile(dumper);
  const auto graph = FrameworkGraph::Small({"Add"});
  for (const char* pass : {"a", "b", "c"}) dumper.Dump(DumpPoint::Pass(pass), graph.Visitor());
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto folder = ReadFolder(LocalDumps(), dir.path(), {});
  ASSERT_THAT(folder, IsOk());
  ASSERT_THAT(folder->runs, SizeIs(1));
  ASSERT_THAT(folder->runs[0].compilations, SizeIs(2));
  EXPECT_THAT(folder->runs[0].compilations[0].kernel_sets, SizeIs(1));
  std::vector<std::string> changed;
  for (const Dump& dump : folder->dumps) {
    EXPECT_THAT(dump.error, IsOk());
    EXPECT_EQ(dump.figures.problem_count, 0) << dump.path;
    if (dump.changed && dump.before) changed.push_back(dump.path);
  }
  EXPECT_THAT(changed, ElementsAre("opt_pass_0_inline_0001.ir", "opt_pass_1_a_0004.ir",
                                   "opt_pass_0_inline_0008.ir"));
}

// With control flow, symbolic shapes, and behind kernel selection.
TEST_F(GraphDumperTest, TheTextIsTheGraphThatWasVisited) {
  for (const char* name :
       {"control_flow_grad/20_validate_0077.ir", "dyn/20_validate_0074.ir",
        "dyn/hwopt_common_final_graph_0_0121.ir", "mlp_level1/graph_build_0_0090.ir"}) {
    const auto module = ReadIr(FileSystem::Local(), testing::CorpusPath("ir/" + std::string(name)));
    ASSERT_THAT(module, IsOk());
    const FrameworkGraph graph = FrameworkGraph::Of(*module);
    for (const bool sorted : {false, true}) {
      DumpOptions options = At(1, memory_);
      options.sorted = sorted;
      GraphDumper dumper(options);
      dumper.Dump(DumpPoint::Stage("validate"), graph.Visitor());
      EXPECT_THAT(dumper.Close(), IsOk());
      const std::string text = memory_.Get("graphs/00_validate_0000.ir");
      const auto read = ParseIr(text);
      ASSERT_THAT(read, IsOk());
      EXPECT_EQ(read->problem_count, 0);
      using enum GraphMeaning::Detail;
      EXPECT_TRUE(GraphMeaning(*read, kGraph).results() == GraphMeaning(*module, kGraph).results())
          << name;
      EXPECT_EQ(text.find("# Total subgraph: ") != std::string::npos, sorted);
    }
  }
}

TEST_F(GraphDumperTest, ARankHasAFolder) {
  DumpOptions options = At(1, memory_);
  options.rank = 3;
  GraphDumper dumper(options);
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/rank_3/00_parse_0000.ir"));
  const auto folder = ReadFolder(memory_, "graphs", {});
  ASSERT_THAT(folder, IsOk());
  EXPECT_EQ(folder->runs[0].rank, 3);
}

TEST_F(GraphDumperTest, WithoutAPathItIsTheCurrentFolder) {
  GraphDumper dumper(At(1, memory_, ""));
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("00_parse_0000.ir"));
}

TEST_F(GraphDumperTest, CompressedDumpsAreReadAsOthersAre) {
  const TempDir dir;
  DumpOptions options = At(1, FileSystem::Local(), dir.path());
  options.compress = true;
  GraphDumper dumper(options);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto module = ReadIr(LocalDumps(), dir.File("00_bootstrap_0000.ir.gz"));
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->nodes.size(), 2);
  const auto folder = ReadFolder(LocalDumps(), dir.path(), {});
  ASSERT_THAT(folder, IsOk());
  EXPECT_THAT(folder->dumps, SizeIs(3));
}

}  // namespace
}  // namespace sightline::ir
