// Actor sets as graphs, and as pictures.
#include "sightline/ir/read/actor_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/draw/dot_printer.h"
#include "sightline/ir/draw/view.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/graphviz.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::UnorderedElementsAre;

Module GraphOf(const std::string& text) {
  Result<Module> module = ParseIr(text);
  EXPECT_THAT(module, IsOk());
  return module ? ActorGraph(*std::move(module)) : Module();
}

Module GraphOfCorpus(const std::string& name) {
  return GraphOf(testing::ReadFileOrDie(testing::CorpusPath("ir/mlp_level1/actor_set/" + name)));
}

// "Float32 (2): A -> B" of data, "A => B" of control; a picture without clusters that are closed.
std::vector<std::string> Arrows(const Module& graph) {
  const Result<Drawing> drawing = Draw(graph, Dataflow(graph), {.all = true});
  EXPECT_THAT(drawing, IsOk());
  std::vector<std::string> arrows;
  for (const Edge& edge : drawing->edges) {
    const bool data = edge.kind == EdgeKind::kData;
    arrows.push_back((data && !edge.type.empty() ? edge.type + ": " : "") +
                     drawing->boxes[edge.from].title + (data ? " -> " : " => ") +
                     drawing->boxes[edge.to].title);
  }
  return arrows;
}

std::string ScopeOf(const Module& graph, std::uint32_t node) {
  return std::string(FindScope(graph, graph.nodes[node]).path);
}

TEST(ActorGraph, OfAFinalSetHasItsArrowsWithTheirTypes) {
  const Module graph = GraphOfCorpus("final_actor_set_kernel_graph_0.ir");
  EXPECT_EQ(graph.nodes.size(), 8);
  EXPECT_THAT(Arrows(graph),
              UnorderedElementsAre(
                  "LoopCountActor => DataPrepareActor", "OutputActor => DataPrepareActor",
                  "DataPrepareActor => FusionActor", "FusionActor => HostDSActor",
                  "Float32 (2, 4): inputs -> HostDSActor", "Float32 (2, 4): HostDSActor -> MatMul",
                  "Float32 (2, 3): MatMul -> BiasAdd", "Float32 (2, 3): BiasAdd -> ReLU",
                  "Float32 (2, 3): ReLU -> OutputActor", "ReLU => LoopCountActor",
                  "LoopCountActor => OutputActor"));
}

TEST(ActorGraph, OfAFinalSetHasKernelsWithWeightsAndConstantsInTheirScopes) {
  const Module graph = GraphOfCorpus("final_actor_set_kernel_graph_0.ir");
  EXPECT_EQ(ScopeOf(graph, 3), "Default/f-Dense");
  EXPECT_EQ(ScopeOf(graph, 7), "");
  EXPECT_THAT(FindNodes(graph, "0_Default/f-Dense/MatMul-op0"), ElementsAre(3));
  EXPECT_THAT(FindNodes(graph, "%3"), ElementsAre(3)) << "numbers are those of the file";
  const Result<Drawing> drawing = Draw(graph, Dataflow(graph));
  EXPECT_THAT(drawing->boxes[drawing->node_boxes[3]].rows, ElementsAre("false, true", "f.weight"));
  EXPECT_EQ(drawing->boxes[drawing->node_boxes[3]].operator_kind, OperatorKind::kMatrix);
  EXPECT_EQ(drawing->boxes[drawing->node_boxes[7]].operator_kind, OperatorKind::kControl);
}

TEST(ActorGraph, OfSectionsHasEachArrowOnceThoughBothEndsNameIt) {
  EXPECT_THAT(
      Arrows(GraphOfCorpus("1_actor_set_kernel_graph_0_invalid_data_arrow_elimination.ir")),
      UnorderedElementsAre("LoopCountActor => DataPrepareActor", "OutputActor => DataPrepareActor",
                           "DataPrepareActor => HostDSActor", "HostDSActor -> MatMul",
                           "MatMul -> BiasAdd", "BiasAdd -> ReLU", "ReLU -> OutputActor",
                           "ReLU => LoopCountActor", "LoopCountActor => OutputActor"));
  const Module graph = GraphOfCorpus("0_actor_set_pipeline_kernel_graph_0.ir");
  const std::vector<std::uint32_t> biasadd = FindNodes(graph, "1_Default/f-Dense/BiasAdd-op0");
  ASSERT_EQ(biasadd.size(), 1);
  EXPECT_EQ(graph.nodes[biasadd.front()].operands.size, 1);
}

TEST(ActorGraph, OfSectionsHasFusedActorsInTheScopeOfTheirFusion) {
  const Module graph = GraphOfCorpus("2_actor_set_kernel_graph_0_multi_actor_fusion.ir");
  const auto scope = [&](const char* name) { return ScopeOf(graph, FindNodes(graph, name).at(0)); };
  EXPECT_EQ(scope("0_Default/f-Dense/MatMul-op0"), "1_FusionActor/Default/f-Dense");
  EXPECT_EQ(scope("kernel_graph_0_HostDSActor"), "1_FusionActor");
  EXPECT_EQ(scope("1_FusionActor"), "1_FusionActor");
  EXPECT_EQ(scope("kernel_graph_0_OutputActor"), "");
}

TEST(ActorGraph, ArrowsOfASectionStandInTheOrderOfInputs) {
  const Module graph = GraphOf(
      "[Kernel actors:3]\n"
      "\tactor_name:0_a/Add-op0\tactor_id:1\n"
      "\t\tinput_data_arrow_actors:3\n"
      "\t\t\tfrom_actor_name:nowhere\tfrom_output_index:0\tto_input_index:2\n"
      "\t\t\tfrom_actor_name:2_a/Exp-op0\tfrom_output_index:0\tto_input_index:1\n"
      " \t\t\tfrom_actor_name:1_a/Log-op0\tfrom_output_index:0\tto_input_index:0\n"
      "\tactor_name:1_a/Log-op0\tactor_id:2\n"
      "\tactor_name:2_a/Exp-op0\tactor_id:3\n"
      "\t\toutput_data_arrows:1\n"
      "\t\t\tfrom_output_index:0\tto_actor_name:nowhere\tto_input_index:0\n");
  EXPECT_THAT(Arrows(graph), ElementsAre("Log -> Add", "Exp -> Add"));
}

TEST(ActorGraph, BlocksOfASetWithControlFlowAreScopes) {
  const Module graph = GraphOf(
      "Base Block : kernel_graph_0\n%0 = kernel_graph0:Add-op0(%1[0])\n\t# AID : 0_a/Add-op0\n\n"
      "Actor for func graph:12_f_3\n%1 = 12_f_3_EntranceActor()\n");
  EXPECT_EQ(ScopeOf(graph, 0), "kernel_graph_0/a");
  EXPECT_EQ(ScopeOf(graph, 1), "12_f_3");
  EXPECT_THAT(Arrows(graph), ElementsAre("EntranceActor -> Add"));
}

TEST(ActorGraph, ActorsOfOneNameStayApart) {
  const Module graph =
      GraphOf("%0 = A()\n\t# AID : x\n%1 = B(%0[0])\n\t# AID : x\n%2 = C(%1[0])\n\t# AID : x\n");
  EXPECT_EQ(Dataflow(graph).ambiguous(), 0);
  EXPECT_THAT(FindNodes(graph, "x"), ElementsAre(0));
  EXPECT_THAT(Dataflow(graph).NodeUsers(1), ElementsAre(2));
}

TEST(ActorGraph, OfAGraphIsTheGraph) {
  const std::string dump =
      testing::ReadFileOrDie(testing::CorpusPath("ir/mlp_level1/20_validate_0074.ir"));
  EXPECT_EQ(PrintIr(GraphOf(dump)), dump);
}

TEST(ActorGraph, OfStrangeTextsIsDrawn) {
  for (const std::string text :
       {"[A:1]\n\t\n\tactor_name\n", "[A:1]\n\tactor_name:\n\t\t:\n\t\t\t\t\n",
        "[A:1]\n\t\t\tto_actor_name:x\n\tactor_name:x\n\t\t\tto_actor_name:x\n",
        "[A:1]\n\tactor_name:x\n\t\t\tto_actor_name:x\tfrom_actor_name:x\n",
        "%0 = A(%0[0], %9[1], %, %param_)\n", "%0 = A() op control(%0, %, %B)\n\t#\n\t# :\n",
        "%0 = /(%0)\n\t# type : < -> <\n\t# shape : > -> >\n\t# AID : 0_\n",
        "%0 = A(x)\n\t# type : <a> <b> -> <c>\n\t# shape : <> -> <()>\n"}) {
    const Module graph = GraphOf(text);
    EXPECT_EQ(graph.nodes.size(), 1) << text;
    EXPECT_EQ(Draw(graph, Dataflow(graph))->boxes.empty(), false) << text;
  }
}

class ActorPictureTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ActorPictureTest, IsLaidOutInTheOrderOfAStep) {
  const Module graph = GraphOfCorpus(GetParam());
  const std::string dot = PrintDot(*Draw(graph, Dataflow(graph)));
  const testing::Layout layout = testing::LayOut(dot);
  EXPECT_EQ(layout.exit_code, 0);
  EXPECT_THAT(layout.messages, IsEmpty());
  EXPECT_THAT(layout.svg, HasSubstr(">MatMul</text>"));
  // An actor that waits for the end of the step is still printed above.
  EXPECT_THAT(dot, HasSubstr("constraint=false"));
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, ActorPictureTest,
    ::testing::Values("final_actor_set_kernel_graph_0.ir", "0_actor_set_pipeline_kernel_graph_0.ir",
                      "1_actor_set_kernel_graph_0_invalid_data_arrow_elimination.ir",
                      "2_actor_set_kernel_graph_0_multi_actor_fusion.ir",
                      "3_actor_set_kernel_graph_0_batch_data_arrow_fusion.ir"));

}  // namespace
}  // namespace sightline::ir
