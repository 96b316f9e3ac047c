// Which dumps a GraphDumper writes: levels, passes, intervals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/tests/ir/graph_dumper_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::AllOf;
using testing::At;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::IsSupersetOf;
using ::testing::UnorderedElementsAre;

class GraphDumperSelectionTest : public testing::GraphDumperTest {};

TEST_F(GraphDumperSelectionTest, Level0LooksAtNoGraph) {
  GraphDumper dumper(At(0, memory_));
  EXPECT_FALSE(dumper.Wants(DumpPoint::Stage("validate")));
  dumper.Dump(DumpPoint::Stage("validate"), [](GraphVisitor&) { ADD_FAILURE(); });
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperSelectionTest, Level1IsStagesPassesAndKernelGraphs) {
  EXPECT_THAT(Written(1), ElementsAre("00_bootstrap_0000.ir", "hwopt_common_final_graph_0_0002.ir",
                                      "opt_pass_0_inline_0001.ir"));
}

TEST_F(GraphDumperSelectionTest, Level2AddsDetailOfTheBackEnd) {
  EXPECT_THAT(Written(2), UnorderedElementsAre("00_bootstrap_0000.ir", "opt_pass_0_inline_0001.ir",
                                               "hwopt_common_final_graph_0_0002.ir",
                                               "verbose_ir_files/expand_Add_0003.ir"));
}

TEST_F(GraphDumperSelectionTest, Level3AddsStepsSubstitutionsAndPictures) {
  EXPECT_THAT(Written(3),
              UnorderedElementsAre(
                  "00_bootstrap_0000.ir", "00_bootstrap_0001.dot", "opt_pass_0_inline_0002.ir",
                  "opt_pass_0_inline_0003.dot", "opt_substep_opt_a_r1_j0_0_a_1_0004.ir",
                  "opt_substep_opt_a_r1_j0_0_a_1_0005.dot", "opt_a.r1.a_1.cse_0006.ir",
                  "opt_a.r1.a_1.cse_0007.dot", "hwopt_common_final_graph_0_0008.ir",
                  "verbose_ir_files/expand_Add_0009.ir"));
  EXPECT_THAT(memory_.Get("graphs/00_bootstrap_0001.dot"),
              AllOf(HasSubstr("digraph"), HasSubstr("Add")));
}

TEST_F(GraphDumperSelectionTest, PassesSelectByNameAndBringInSteps) {
  options_.passes = {"bootstrap", "opt_a"};
  EXPECT_THAT(Written(1),
              UnorderedElementsAre("00_bootstrap_0000.ir", "opt_substep_opt_a_r1_j0_0_a_1_0002.ir",
                                   "opt_a.r1.a_1.cse_0003.ir"));
}

TEST_F(GraphDumperSelectionTest, PassesAtLevel0DumpNothing) {
  options_.passes = {"_"};
  EXPECT_THAT(Written(0), IsEmpty());
}

// So that a dump has the name that it would have without.
TEST_F(GraphDumperSelectionTest, NumbersOfDumpsThatAreLeftOutStayFree) {
  const std::vector<std::string> all = Written(3);
  options_.passes = {"cse", "expand"};
  EXPECT_THAT(Written(3),
              UnorderedElementsAre("opt_a.r1.a_1.cse_0006.ir", "opt_a.r1.a_1.cse_0007.dot",
                                   "verbose_ir_files/expand_Add_0009.ir"));
  EXPECT_THAT(all,
              IsSupersetOf({"opt_a.r1.a_1.cse_0007.dot", "verbose_ir_files/expand_Add_0009.ir"}));
}

TEST_F(GraphDumperSelectionTest, OfEachIntervalOneDumpIsWritten) {
  options_.interval = 3;
  EXPECT_THAT(Written(2), UnorderedElementsAre("hwopt_common_final_graph_0_0002.ir"));
}

TEST_F(GraphDumperSelectionTest, WhatIsLeftOutIsNotLookedAt) {
  DumpOptions options = At(1, memory_);
  options.passes = {"validate"};
  GraphDumper dumper(options);
  dumper.Dump(DumpPoint::Stage("parse"), [](GraphVisitor&) { ADD_FAILURE(); });
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_EQ(dumper.Stats().dumps, 0);
}

}  // namespace
}  // namespace sightline::ir
