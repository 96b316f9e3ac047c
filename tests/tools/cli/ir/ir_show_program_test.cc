// `sightline ir show`, `grep`, `calls` and `fail`, run as people run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/cli/ir/ir_dumps.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::Damaged;
using testing::DumpPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kDump;
using testing::Lines;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

TEST(IrShowProgram, ShowPrintsTheDumpWhereNoNodeIsAskedFor) {
  EXPECT_EQ(RunProgram({"ir", "show", DumpPath(kDump)}).out, ReadFileOrDie(DumpPath(kDump)));
}

TEST(IrShowProgram, ShowRawPrintsWhatWasRead) {
  const Ran ran = RunProgram({"ir", "show", "--raw", DumpPath("const/20_validate_0074.ir")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_TRUE(ran.out == ReadFileOrDie(DumpPath("const/20_validate_0074.ir")));
}

TEST(IrShowProgram, ShowRawSortedPrintsTheSortedForm) {
  const std::string dump = DumpPath("control_flow_grad_sorted/20_validate_0077.ir");
  EXPECT_EQ(RunProgram({"ir", "show", "--raw", "--sorted", dump}).out, ReadFileOrDie(dump));
  const Ran ran = RunProgram(
      {"ir", "show", "--raw", "--sorted", DumpPath("compile_error/rank_0/om/analyze_fail.ir")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("analyze_fail.ir: only dumps of graphs have a sorted form"));
  EXPECT_NE(RunProgram({"ir", "show", "--sorted", "--node", "%1", dump}).exit_code, 0);
}

TEST(IrShowProgram, ShowRawPrintsDamageToo) {
  const testing::TempDir dir;
  const std::string path = Damaged(dir);
  const Ran ran = RunProgram({"ir", "show", "--raw", path});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("damaged.ir: line 39, column "));
  EXPECT_TRUE(ran.out == ReadFileOrDie(path));
}

TEST(IrShowProgram, ShowsANodeWithWhatItTakesAndWhoUsesIt) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const Ran ran =
      RunProgram({"ir", "show", "--node", "%1", "--path-map", "/home/user=/tmp/project", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("result    Float32 (2, 3)"),
                             HasSubstr("scope     Default/f-Dense/MatMul-op0"),
                             HasSubstr("takes     %para1_x of @13_1_"), HasSubstr("used by"),
                             HasSubstr("cnode_attrs\n    checkpoint: Bool(1)"),
                             HasSubstr("source    /tmp/project/nets.py:147  def construct")));
  const json card = Lines(RunProgram({"ir", "show", "--json", "--node", "%1", dump}).out).at(0);
  EXPECT_EQ(card["operands"].size(), 4);
  EXPECT_EQ(card["users"].size(), 1);
  EXPECT_EQ(card["source"].back()["line"], 742);
  EXPECT_EQ(RunProgram({"ir", "show", "--node", "nobody", dump}).exit_code, 1);
}

TEST(IrShowProgram, GrepFindsNodesByEveryCondition) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const auto names = [&](std::vector<std::string> conditions) {
    conditions.insert(conditions.begin(), {"ir", "grep", "--json", dump});
    std::vector<std::string> found;
    for (const json& line : Lines(RunProgram(conditions).out)) {
      found.push_back(line["callee"].get<std::string>() + " " +
                      std::to_string(line["line"].get<std::size_t>()));
    }
    return found;
  };
  EXPECT_THAT(names({"--op", "MatMul"}), ElementsAre("PrimFunc_MatMul 37"));
  EXPECT_THAT(names({"--name", "CNode_6?", "--op", "PrimFunc_*"}), ElementsAre(HasSubstr("ReLU")));
  EXPECT_THAT(names({"--param", "f.bias"}), ElementsAre(HasSubstr("Load")));
  EXPECT_THAT(names({"--scope", "Default/f-Dense", "--op", "*Add"}),
              ElementsAre(HasSubstr("PrimFunc_BiasAdd")));
  EXPECT_THAT(names({"--attr", "side_effect_propagate=I64(1)"}), ElementsAre(HasSubstr("Depend")));
  EXPECT_THAT(names({"--source", "basic.py:743", "--op", "*Add"}),
              ElementsAre(HasSubstr("BiasAdd")));
  EXPECT_EQ(RunProgram({"ir", "grep", "--op", "Conv2D", dump}).exit_code, 1);
  EXPECT_EQ(RunProgram({"ir", "grep", "--op", "Conv2D", "nowhere.ir"}).exit_code, 2);
}

TEST(IrShowProgram, GrepNamesTheLineOfTheFile) {
  const std::string dump = DumpPath("mlp_level1/20_validate_0074.ir");
  const Ran ran = RunProgram({"ir", "grep", "--op", "MatMul", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr(dump + ":37: @13_1_"),
                             HasSubstr("%1(x) = PrimFunc_MatMul(%para1_x, %0, Bool(0), Bool(1)) -> "
                                       "Float32 (2, 3)\n")));
  std::istringstream lines(ReadFileOrDie(dump));
  std::string line;
  for (int i = 0; i < 37; ++i) std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr("%1(x) = PrimFunc_MatMul"));
  EXPECT_EQ(RunProgram({"ir", "grep", "--count", "--op", "Load", dump}).out, dump + ":2\n");
}

TEST(IrShowProgram, CallsShowsWhoCallsWhomAndWhatIsFree) {
  const std::string dump = DumpPath("control_flow_grad/01_type_inference_0001.ir");
  const Ran ran = RunProgram({"ir", "calls", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("  uses     %para11_n of @5___main___CtlNet_construct_42\n"));
  std::size_t entries = 0;
  const auto lines = Lines(RunProgram({"ir", "calls", "--json", dump}).out);
  EXPECT_EQ(lines.size(), 81);
  for (const json& line : lines) entries += line["entry"].get<bool>() ? 1U : 0U;
  EXPECT_EQ(entries, 1);
}

TEST(IrShowProgram, FailFindsTheCompileErrorsOfAFolder) {
  const std::string file = DumpPath("compile_error/rank_0/om/analyze_fail.ir");
  const Ran ran = RunProgram({"ir", "fail", DumpPath("compile_error")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, RunProgram({"ir", "fail", file}).out);
  const Ran none = RunProgram({"ir", "fail", DumpPath("html")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("html has no analyze_fail.ir"));
}

TEST(IrShowProgram, FailTellsTheWayToTheStatementThatFailed) {
  const std::string dump = DumpPath("compile_error/rank_0/om/analyze_fail.ir");
  const Ran ran = RunProgram({"ir", "fail", dump});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("but got 3 and 4"), HasSubstr("  4  @matmul_ext_10\n"),
                             HasSubstr("%1(CNode_28) = %0(%para0_input, %para0_other)   <- failed"),
                             HasSubstr("with  Float32 (2, 3), Float32 (4, 5)"),
                             HasSubstr("gen_ops_def.py:9192")));
  const json story = Lines(RunProgram({"ir", "fail", "--json", dump}).out).at(0);
  EXPECT_EQ(story["failing"], "CNode_28");
  ASSERT_EQ(story["stack"].size(), 5);
  EXPECT_EQ(story["stack"][0]["subgraph"], story["stack"][1]["subgraph"]);
  EXPECT_NE(story["stack"][0]["instance"], story["stack"][1]["instance"]);
  const Ran other = RunProgram({"ir", "fail", DumpPath(kDump)});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("does not describe a failure"));
}

}  // namespace
}  // namespace sightline
