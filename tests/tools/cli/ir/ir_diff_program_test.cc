// `sightline ir diff`, `blame` and `compare`, run as people run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;
using testing::SmallDump;
using testing::TempDir;
using testing::WriteFileOrDie;

class IrDiffProgram : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    WriteFileOrDie(dir_.File(name), text);
    return dir_.File(name);
  }
  TempDir dir_;
};

TEST_F(IrDiffProgram, EqualDumpsSayNothingAndEndWithZero) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU"));
  std::string text = SmallDump("Add ReLU");
  text.replace(text.find("0x55d0"), 6, "0x7f00");
  const std::string b = Write("b.ir", text);
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, IsEmpty());
  EXPECT_EQ(json::parse(RunProgram({"ir", "diff", "--json", a, b}).out)["equal"], true);
}

TEST_F(IrDiffProgram, DifferentDumpsAreShownAndEndWithOne) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU"));
  const std::string b = Write("b.ir", SmallDump("Add ReLU Neg"));
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_EQ(ran.exit_code, 1);
  const char* changes = R"(
  1 added, 1 changed

~ @main_1 Return(%1)
    input 0: @main_1 %1(CNode_1) -> @main_1 %2(CNode_2)
+ @main_1 %2(CNode_2) = Neg(%1) -> Float32 (2)
)";
  EXPECT_EQ(ran.out, "- " + a + "\n+ " + b + changes);
}

TEST_F(IrDiffProgram, JsonSaysEveryChange) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU"));
  const std::string b = Write("b.ir", SmallDump("Add ReLU Neg"));
  const json diff = json::parse(RunProgram({"ir", "diff", "--json", a, b}).out);
  EXPECT_EQ(diff["counts"]["added"], 1);
  ASSERT_EQ(diff["changes"].size(), 2);
  const json& changed = diff["changes"][0];
  EXPECT_EQ(changed["change"], "changed");
  EXPECT_EQ(changed["name"], "@main_1 Return");
  const json properties = {{{"property", "input"},
                            {"position", 0},
                            {"before", "@main_1 %1(CNode_1)"},
                            {"after", "@main_1 %2(CNode_2)"}}};
  EXPECT_EQ(changed["properties"], properties);
  const json& added = diff["changes"][1];
  EXPECT_EQ(added["element"], "node");
  EXPECT_EQ(added["statement"], "%2(CNode_2) = Neg(%1)");
  EXPECT_EQ(added["behind"], "@main_1 %1(CNode_1)");
}

TEST_F(IrDiffProgram, WhatIsInARemovedSubgraphIsCountedUnlessAllIsAskedFor) {
  const std::string folder = CorpusPath("ir/mlp_level3/");
  const std::string a = folder + "opt_substep_opt_a_r1_j0_1_switch_simplify_0036.ir";
  const std::string b = folder + "opt_substep_opt_a_r1_j0_3_a_1_0040.ir";
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_THAT(ran.out, HasSubstr("Dense_construct_18 with 1 parameter, 1 statement\n"));
  EXPECT_THAT(ran.out, HasSubstr("    moved to @1___main__"));
  EXPECT_THAT(ran.out,
              Not(HasSubstr("- @10_4↓mindspore_nn_layer_basic_Dense_construct_18 Return")));
  EXPECT_THAT(RunProgram({"ir", "diff", "--all", a, b}).out,
              HasSubstr("- @10_4↓mindspore_nn_layer_basic_Dense_construct_18 Return"));
}

// SmallDump; statements that call these have an attribute.
std::string Checkpointed(const std::string& callees, const std::vector<std::string>& which) {
  std::string text = SmallDump(callees);
  for (const std::string& callee : which) {
    for (std::size_t at = 0; (at = text.find(" = " + callee + "(", at)) != std::string::npos; ++at)
      text.insert(text.find('\n', at), " cnode_attrs: {checkpoint: Bool(1)}");
  }
  return text;
}

TEST_F(IrDiffProgram, WhatChangedAlikeAtFourPlacesIsSaidOnce) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU Tanh Cast"));
  const std::string b =
      Write("b.ir", Checkpointed("Add ReLU Neg Cast", {"Add", "ReLU", "Neg", "Cast"}));
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr(R"(
  4 changed

~ 4 times: attribute cnode_attrs.checkpoint: nothing -> Bool(1)
    first at @main_1 %0(CNode_0) = Add(%para1_x) -> Float32 (2)
    (--all lists each)
~ @main_1 %2(CNode_2) = Tanh(%1) -> Float32 (2)
    callee: Tanh -> Neg
    and 1 of those above
)"));
  const std::string all = RunProgram({"ir", "diff", "--all", a, b}).out;
  EXPECT_THAT(all, Not(HasSubstr("times")));
  EXPECT_THAT(all, HasSubstr(R"(
~ @main_1 %3(CNode_3) = Cast(%2) -> Float32 (2)
    attribute cnode_attrs.checkpoint: nothing -> Bool(1)
)"));
  const json diff = json::parse(RunProgram({"ir", "diff", "--json", a, b}).out);
  EXPECT_EQ(diff["changes"].size(), 4) << "JSON has each";
}

TEST_F(IrDiffProgram, WhatChangedAlikeAtThreePlacesIsListed) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU Tanh"));
  const std::string b = Write("b.ir", Checkpointed("Add ReLU Tanh", {"Add", "ReLU", "Tanh"}));
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_THAT(ran.out, HasSubstr("~ @main_1 %2(CNode_2) = Tanh(%1)"));
  EXPECT_EQ(ran.out, RunProgram({"ir", "diff", "--all", a, b}).out);
}

TEST_F(IrDiffProgram, TheMostFrequentOfWhatChangedAlikeStandsFirst) {
  const std::string callees = "Add Add Add Add Neg Neg Neg Neg Neg";
  const std::string a = Write("a.ir", Checkpointed(callees, {"Add"}));
  const std::string b = Write("b.ir", Checkpointed(callees, {"Neg"}));
  const std::string out = RunProgram({"ir", "diff", a, b}).out;
  const std::size_t more = out.find("~ 5 times: attribute cnode_attrs.checkpoint: nothing ->");
  const std::size_t less = out.find("~ 4 times: attribute cnode_attrs.checkpoint: Bool(1) ->");
  EXPECT_LT(more, less);
  EXPECT_LT(less, out.size());
  EXPECT_THAT(out, Not(HasSubstr("~ @"))) << "nothing else changed";
}

// All ReLUs of a small dump take the same value, so that nothing distinguishes those that nothing
// takes.
std::string WithTwins(std::string dump) {
  for (const char* input : {"ReLU(%1)", "ReLU(%2)"}) {
    if (const std::size_t at = dump.find(input); at != std::string::npos)
      dump.replace(at, 8, "ReLU(%0)");
  }
  return dump;
}

TEST_F(IrDiffProgram, WhatCannotBeReadOrComparedEndsWithTwo) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU"));
  const Ran missing = RunProgram({"ir", "diff", a, dir_.File("b.ir")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("b.ir"));
  const std::string actors =
      CorpusPath("ir/mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir");
  const Ran ran = RunProgram({"ir", "diff", a, actors});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("a graph and an actor set cannot be compared"));
}

TEST_F(IrDiffProgram, ActorSetsAreCompared) {
  const std::string final =
      ReadFileOrDie(CorpusPath("ir/mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir"));
  const std::string a = Write("a.ir", final);
  std::string text = final;
  text.replace(text.find("(%4[0])"), 7, "(%3[0])");
  const std::string b = Write("b.ir", text + "%8 = kernel_graph_0_SwitchActor(%7[0])\n");
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr(R"(
  1 added, 1 changed

~ 2_Default/r-ReLU/ReLU-op0
    input 0: 1_Default/f-Dense/BiasAdd-op0 -> 0_Default/f-Dense/MatMul-op0
+ kernel_graph_0_SwitchActor
)"));
  const json diff = json::parse(RunProgram({"ir", "diff", "--json", a, b}).out);
  EXPECT_EQ(diff["changes"][1]["element"], "actor");
  EXPECT_EQ(diff["changes"][1]["behind"], "kernel_graph_0_OutputActor");
  EXPECT_FALSE(diff["changes"][1].contains("subgraph"));
  const std::string folder = CorpusPath("ir/mlp_level1/actor_set/");
  const Ran fused = RunProgram(
      {"ir", "diff", folder + "1_actor_set_kernel_graph_0_invalid_data_arrow_elimination.ir",
       folder + "2_actor_set_kernel_graph_0_multi_actor_fusion.ir"});
  EXPECT_THAT(fused.out, HasSubstr("+ 1_FusionActor (Fusion actors)\n"));
}

TEST_F(IrDiffProgram, WhereItMightBeAnotherStatementItIsSaid) {
  const std::string a = Write("a.ir", WithTwins(SmallDump("Add ReLU ReLU ReLU Neg")));
  const std::string names = "CNode_";
  std::string text = WithTwins(SmallDump("Add ReLU ReLU Neg"));
  for (std::size_t at = 0; (at = text.find(names, at)) != std::string::npos; at += 8)
    text.replace(at, names.size(), "CNode_7");
  const std::string b = Write("b.ir", text);
  const Ran ran = RunProgram({"ir", "diff", a, b});
  EXPECT_THAT(ran.out, HasSubstr("  1 removed, 1 ambiguous\n"));
  EXPECT_THAT(ran.out,
              HasSubstr(" = ReLU(%0) -> Float32 (2)  (ambiguous: another one would do as well)\n"));
  const json diff = json::parse(RunProgram({"ir", "diff", "--json", a, b}).out);
  for (const json& change : diff["changes"])
    EXPECT_EQ(change["ambiguous"], change["change"] == "removed");
}

TEST_F(IrDiffProgram, BlameNamesThePass) {
  const std::string folder = CorpusPath("ir/mlp_level3");
  const Ran ran =
      RunProgram({"ir", "blame", "--op", "MakeTuple", "--subgraph", "1___main*", folder});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("introduced  opt_substep_opt_a_r1_j0_8_updatestate_loads_elimin"));
  const Ran lines = RunProgram({"ir", "blame", "--json", "--node", "x", folder});
  const json event = json::parse(lines.out.substr(0, lines.out.find('\n')));
  EXPECT_EQ(event["event"], "introduced");
  EXPECT_EQ(event["dump"], "01_type_inference_0002.ir");
  EXPECT_EQ(event["name"], "x");
}

TEST_F(IrDiffProgram, BlameOfNothingEndsWithOneAndOfNoFolderWithTwo) {
  const std::string folder = CorpusPath("ir/mlp_level3");
  const Ran nothing = RunProgram({"ir", "blame", "--op", "Nothing", folder});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_THAT(nothing.out, IsEmpty());
  EXPECT_EQ(RunProgram({"ir", "blame", "--op", "Add", dir_.File("missing")}).exit_code, 2);
  EXPECT_EQ(RunProgram({"ir", "blame", folder}).exit_code, 2) << "nothing is asked for";
}

TEST_F(IrDiffProgram, BlameSaysWhereNothingIsFound) {
  const Ran ran = RunProgram({"ir", "blame", "--op", "Nothing", CorpusPath("ir/html")});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("html has such a node"));
}

TEST_F(IrDiffProgram, CompareNamesTheFirstPassThatDiffers) {
  std::filesystem::create_directory(dir_.File("a"));
  std::filesystem::create_directory(dir_.File("b"));
  for (const std::string folder : {"a/", "b/"}) {
    Write(folder + "00_bootstrap_0000.ir", SmallDump("Add"));
    Write(folder + "opt_pass_0_cse_0001.ir", SmallDump(folder == "a/" ? "Add ReLU" : "Add Neg"));
  }
  const std::vector<std::string> arguments = {"ir", "compare", dir_.File("a"), dir_.File("b")};
  const Ran ran = RunProgram(arguments);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("1 changed  <- the first\n"));
  EXPECT_THAT(ran.out, HasSubstr("sightline ir diff " + dir_.File("a/opt_pass_0_cse_0001.ir")));
  const Ran lines = RunProgram({"ir", "compare", "--json", dir_.File("a"), dir_.File("b")});
  const json row = json::parse(lines.out.substr(lines.out.find('\n')));
  EXPECT_EQ(row["a"], "opt_pass_0_cse_0001.ir");
  EXPECT_EQ(row["outcome"], "different");
  EXPECT_EQ(row["first"], true);
  EXPECT_EQ(row["counts"]["changed"], 1);
  EXPECT_EQ(RunProgram({"ir", "compare", dir_.File("a"), dir_.File("a")}).exit_code, 0);
  EXPECT_EQ(RunProgram({"ir", "compare", dir_.File("a"), dir_.File("c")}).exit_code, 2);
}

TEST_F(IrDiffProgram, CompareCountsPassesThatOneFolderDoesNotHave) {
  std::filesystem::create_directory(dir_.File("a"));
  std::filesystem::create_directory(dir_.File("b"));
  for (const std::string folder : {"a/", "b/"}) {
    Write(folder + "00_bootstrap_0000.ir", SmallDump("Add"));
    Write(folder + "12_optimize_0009.ir", SmallDump(folder == "a/" ? "Add ReLU" : "Add Neg"));
  }
  for (const std::string step : {"0_cse_0001", "1_dce_0002", "2_inline_0003"})
    Write("b/opt_substep_opt_a_r1_j0_" + step + ".ir", SmallDump("Add"));
  const std::vector<std::string> arguments = {"ir", "compare", dir_.File("a"), dir_.File("b")};
  const Ran ran = RunProgram(arguments);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("... 3, up to opt_substep_opt_a_r1_j0_2_inline_0003.ir"));
  EXPECT_THAT(ran.out, HasSubstr("  not in the other folder\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("1_dce")));
  std::vector<std::string> all = arguments;
  all.emplace_back("--all");
  EXPECT_THAT(RunProgram(all).out, HasSubstr("1_dce"));
  all.back() = "--json";
  EXPECT_THAT(RunProgram(all).out, HasSubstr("1_dce"));
}

// The worked example of docs/ir.md: its commands print what the page says.
TEST_F(IrDiffProgram, TheExampleOnThePageIsTrue) {
  // The page's folders: some dumps of a real compilation, and the same in which a pass put another
  // operator in the place of the ReLU.
  for (const std::string name : {"00_bootstrap_0000.ir", "01_type_inference_0002.ir",
                                 "02_auto_monad_0004.ir", "07_pre_auto_parallel_0020.ir",
                                 "opt_pass_18_add_recomputation_0438.ir", "22_task_emit_0595.ir"}) {
    std::string text = ReadFileOrDie(CorpusPath("ir/mlp_level3/" + name));
    std::filesystem::create_directories(dir_.File("good"));
    std::filesystem::create_directories(dir_.File("bad"));
    Write("good/" + name, text);
    const std::size_t relu = text.find("PrimFunc_ReLU(");
    if (name >= "10" && relu != std::string::npos) text.replace(relu, 13, "PrimFunc_GeLU");
    Write("bad/" + name, text);
  }
  setenv("XDG_CACHE_HOME", dir_.path().c_str(), 1);
  const std::string page = ReadFileOrDie(CorpusPath("../../docs/ir.md"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  int commands = 0;
  const std::string prompt = "    $ sightline ";
  for (std::size_t at = page.find(prompt); at != std::string::npos; at = page.find(prompt, at)) {
    at += prompt.size();
    std::istringstream lines(page.substr(at));
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    std::string said;
    std::string blank;
    while (std::getline(lines, line) && !line.starts_with("    $") &&
           (line.empty() || line.starts_with("    "))) {
      if (line.empty()) {
        blank += "\n";
      } else {
        said += std::exchange(blank, "") + line.substr(4) + "\n";
      }
    }
    std::string out = RunProgram(arguments).out;
    while (out.ends_with("\n\n")) out.pop_back();
    EXPECT_EQ(out, said) << page.substr(at, 60);
    ++commands;
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(commands, 3);
}

}  // namespace
}  // namespace sightline
