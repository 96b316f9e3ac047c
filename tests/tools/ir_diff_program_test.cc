// `sightline ir diff`, `blame` and `compare`, run as people run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
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

TEST_F(IrDiffProgram, WhatCannotBeReadOrComparedEndsWithTwo) {
  const std::string a = Write("a.ir", SmallDump("Add ReLU"));
  const Ran missing = RunProgram({"ir", "diff", a, dir_.File("b.ir")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("b.ir"));
  const std::string actors =
      CorpusPath("ir/mlp_level1/actor_set/final_actor_set_kernel_graph_0.ir");
  const Ran ran = RunProgram({"ir", "diff", actors, actors});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("actors are no graph"));
}

TEST_F(IrDiffProgram, DumpsOfAPackAreCompared) {
  std::filesystem::create_directory(dir_.File("graphs"));
  Write("graphs/00_a_0000.ir", SmallDump("Add"));
  Write("graphs/01_b_0001.ir", SmallDump("ReLU"));
  const std::string pack = dir_.File("graphs.irpack");
  ASSERT_EQ(RunProgram({"ir", "pack", dir_.File("graphs"), "-o", pack}).exit_code, 0);
  const Ran ran = RunProgram({"ir", "diff", pack + "/00_a_0000.ir", pack + "/01_b_0001.ir"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("    callee: Add -> ReLU\n"));
}

}  // namespace
}  // namespace sightline
