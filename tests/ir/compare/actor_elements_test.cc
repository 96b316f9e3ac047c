// Actor sets compared actor by actor.
#include "sightline/ir/compare/actor_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/reported_changes.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::Changes;
using testing::Compared;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsStatus;
using ::testing::UnorderedElementsAre;

std::string Corpus(const std::string& name) {
  return testing::ReadFileOrDie(testing::CorpusPath("ir/mlp_level1/actor_set/" + name));
}

const char* const kFinal = "final_actor_set_kernel_graph_0.ir";
const char* const kUnfused = "1_actor_set_kernel_graph_0_invalid_data_arrow_elimination.ir";
const char* const kFused = "2_actor_set_kernel_graph_0_multi_actor_fusion.ir";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(ActorSets, AreEqualWhenOnlyGraphNumbersIdsAndAddressesChanged) {
  for (const std::string name :
       {kFinal, kUnfused, kFused, "0_actor_set_pipeline_kernel_graph_0.ir"}) {
    std::string other = Replaced(Corpus(name), "kernel_graph_0", "kernel_graph_7");
    if (name != kFinal) other = Replaced(other, "actor_id:1", "actor_id:91");
    if (name.starts_with("0_")) other = Replaced(other, "0x559f", "0x7f00");
    EXPECT_THAT(Changes(Compared(Corpus(name), other)), IsEmpty()) << name;
  }
  EXPECT_THAT(Changes(Compared(Corpus(kFused),
                               Corpus("3_actor_set_kernel_graph_0_batch_data_arrow_fusion.ir"))),
              IsEmpty());
}

TEST(ActorSets, SayWhatTheFusionOfActorsDid) {
  const Diff diff = Compared(Corpus(kUnfused), Corpus(kFused));
  const auto changes = Changes(diff);
  std::vector<std::string> added;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(added),
               [](const std::string& text) { return text.starts_with("added"); });
  EXPECT_THAT(added, ElementsAre("added #_FusionActor"));
  EXPECT_THAT(changes,
              ::testing::Contains("changed #_Default/f-Dense/MatMul-op0: attribute nothing -> "
                                  "#_FusionActor"));
}

// A final set of three actors, the last of which the first waits for.
const char* const kSmall =
    "%0 = kernel_graph_0_DataPrepareActor() op control(%kernel_graph_0_OutputActor)\n"
    "%1 = kernel_graph0:MatMul-op0(param_x, %param_w) op control(%0)\n"
    "\t# device context: CPU_0 \n"
    "\t# shape : <(2, 4)> <(3, 4)> -> <(2, 3)> \n"
    "\t# device address : 0x12\n"
    "\t# AID : 0_Default/f-Dense/MatMul-op0\n"
    "%2 = kernel_graph0:ReLU-op0(%1[0])\n"
    "\t# AID : 1_Default/r-ReLU/ReLU-op0\n"
    "%3 = kernel_graph_0_OutputActor(%2[0]) op control(%2)\n";

TEST(ActorSets, SayWhichActorIsGoneAndWhatTakesWhatItTook) {
  std::string other = kSmall;
  other.erase(other.find("%2 ="), other.find("%3 =") - other.find("%2 ="));
  other =
      Replaced(Replaced(other, "(%2[0]) op control(%2)", "(%1[0]) op control(%1)"), "%3 =", "%2 =");
  EXPECT_THAT(
      Changes(Compared(kSmall, other)),
      UnorderedElementsAre(
          "removed #_Default/r-ReLU/ReLU-op0",
          "changed kernel_graph_#_OutputActor: input #_Default/r-ReLU/ReLU-op0 -> "
          "#_Default/f-Dense/MatMul-op0",
          "changed kernel_graph_#_OutputActor: waits for #_Default/r-ReLU/ReLU-op0 -> nothing",
          "changed kernel_graph_#_OutputActor: waits for nothing -> #_Default/f-Dense/MatMul-op0"));
}

TEST(ActorSets, SayWhichOutputIsTakenAndWhichKernelRuns) {
  EXPECT_THAT(Changes(Compared(kSmall, Replaced(kSmall, "ReLU-op0(%1[0])", "ReLU-op0(%1[1])"))),
              ElementsAre("changed #_Default/r-ReLU/ReLU-op0: attribute [0] -> [1]"));
  EXPECT_THAT(
      Changes(Compared(kSmall, Replaced(kSmall, "kernel_graph0:ReLU-op0", "kernel_graph0:GeLU"))),
      ElementsAre("changed #_Default/r-ReLU/ReLU-op0: callee kernel_graph0:ReLU-op0 -> "
                  "kernel_graph0:GeLU"));
  EXPECT_THAT(Changes(Compared(kSmall, Replaced(kSmall, "CPU_0", "CPU_1"))),
              ElementsAre("changed #_Default/f-Dense/MatMul-op0: attribute CPU_0 -> CPU_1"));
}

TEST(ActorSets, OneMoreArrowChangesNoOther) {
  const std::string sections =
      "[Kernel actors:1]\n"
      "\tactor_name:0_MatMul\tactor_id:3\n"
      "\t\toutput_control_arrows:1\n"
      " \t\t\tto_actor_name:kernel_graph_0_LoopCountActor\tflag:0\n";
  const std::string more =
      Replaced(sections, "arrows:1\n", "arrows:2\n \t\t\tto_actor_name:A\tflag:8\n");
  EXPECT_THAT(Changes(Compared(sections, more)),
              ElementsAre("changed #_MatMul: attribute nothing -> flag:8"));
}

TEST(ActorSets, SayWhichBlockAnActorIsIn) {
  const std::string a = "Base Block : kernel_graph_0\n%0 = A()\n";
  const std::string b = "Actor for func graph:12_f_3\n%0 = A()\n";
  EXPECT_THAT(Changes(Compared(a, b)),
              ElementsAre("changed A: part of the set Base Block : kernel_graph_# -> "
                          "Actor for func graph:#_f_#"));
}

TEST(ActorSets, AreComparedWithTheirOwnFormOnly) {
  const auto module = [](const std::string& text) { return *ParseIr(text); };
  const Module graph =
      module(testing::ReadFileOrDie(testing::CorpusPath("ir/mlp_level1/20_validate_0074.ir")));
  EXPECT_THAT(Compare(module(Corpus(kFinal)), graph).error(),
              IsStatus(StatusCode::kInvalidArgument, "a graph and an actor set"));
  EXPECT_THAT(Compare(module(Corpus(kFinal)), module(Corpus(kFused))).error(),
              IsStatus(StatusCode::kInvalidArgument, "final_actor_set"));
}

TEST(ActorSets, OfStrangeTextsAreCompared) {
  for (const std::string text :
       {"[A:1]\n\t\n\tactor_name\n", "[A:1]\n\tactor_name:\n\t\t:\n\t\t\t\t\n",
        "%0 = A(%0[0], %9[1], %)\n", "%0 = A() op control(%0, %, %B)\n\t#\n\t# :\n",
        "[A:1]\n\tactor_name:x\n\t\t\tto_actor_name:x\n"}) {
    const auto module = ParseIr(text);
    ASSERT_TRUE(module);
    EXPECT_TRUE(Compare(*module, *module)->equal()) << text;
  }
}

}  // namespace
}  // namespace sightline::ir
