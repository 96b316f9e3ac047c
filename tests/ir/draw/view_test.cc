#include "sightline/ir/draw/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsStatus;
using ::testing::UnorderedElementsAre;

// A subgraph, statement by statement; nodes are called n0, n1, ...
class SubgraphText {
 public:
  explicit SubgraphText(const std::string& head) : text_("subgraph @" + head + " {\n") {}

  SubgraphText& Add(const std::string& callee, const std::string& operands,
                    const std::string& scope = "") {
    const std::string number = std::to_string(count_++);
    text_ += "  %" + number + "(n" + number + ") = " + callee + "(" + operands + ")\n";
    if (!scope.empty()) text_ += "      : () -> ()\n      # Scope: (" + scope + ")\n";
    return *this;
  }
  std::string Return() { return text_ + "  Return(%" + std::to_string(count_ - 1) + ")\n}\n"; }

 private:
  std::string text_;
  int count_ = 0;
};

// A module with the entry @f and its parameters x, an input, and net.w, a weight.
Module Parse(const std::string& subgraphs) {
  Result<Module> module = ParseIr(
      "# IR entry: @f\n\n# Total params: 2\n# Params:\n%para1_x: <Tensor[Float32], (2)>\n"
      "%para2_net.w: <Ref[Tensor[Float32]], (2)>  :  has_default\n\n" +
      subgraphs);
  EXPECT_TRUE(module);
  return *std::move(module);
}

Drawing DrawView(const Module& module, const View& view) {
  Result<Drawing> drawing = Draw(module, Dataflow(module), view);
  EXPECT_THAT(drawing, testing::IsOk());
  return drawing ? *std::move(drawing) : Drawing();
}

std::vector<std::string> Titles(const Drawing& drawing) {
  std::vector<std::string> titles;
  for (const Box& box : drawing.boxes) titles.push_back(box.title);
  return titles;
}

// "Add -> Mul"
std::vector<std::string> Edges(const Drawing& drawing) {
  std::vector<std::string> edges;
  for (const Edge& edge : drawing.edges)
    edges.push_back(drawing.boxes[edge.from].title + " -> " + drawing.boxes[edge.to].title);
  return edges;
}

std::uint32_t NodesOfBoxes(const Drawing& drawing) {
  std::uint32_t nodes = 0;
  for (const Box& box : drawing.boxes) nodes += box.nodes;
  return nodes;
}

const Box& BoxOf(const Drawing& drawing, std::string_view title) {
  const auto found = std::find_if(drawing.boxes.begin(), drawing.boxes.end(),
                                  [&](const Box& box) { return box.title == title; });
  EXPECT_NE(found, drawing.boxes.end()) << title;
  return *found;
}

std::string Chain() {
  return SubgraphText("f()")
      .Add("PrimFunc_Add", "%para1_x, I64(1)", "Default/a")
      .Add("PrimFunc_Mul", "%0, %para2_net.w", "Default/a")
      .Add("PrimFunc_ReLU", "%1", "Default/b")
      .Add("PrimFunc_Sub", "%2, %0", "Default/b")
      .Return();
}

TEST(View, EveryStatementOfASmallGraphIsABox) {
  const Drawing drawing = DrawView(Parse(Chain()), {});
  EXPECT_THAT(Titles(drawing),
              UnorderedElementsAre("Add", "Mul", "ReLU", "Sub", "Return", "inputs"));
  EXPECT_THAT(Edges(drawing), UnorderedElementsAre("inputs -> Add", "Add -> Mul", "Mul -> ReLU",
                                                   "ReLU -> Sub", "Add -> Sub", "Sub -> Return"));
  EXPECT_EQ(NodesOfBoxes(drawing), 5);
}

TEST(View, WeightsAndConstantsStandInTheBoxThatTakesThem) {
  const Drawing drawing = DrawView(Parse(Chain()), {});
  EXPECT_THAT(BoxOf(drawing, "Mul").rows, ElementsAre("net.w"));
  EXPECT_THAT(BoxOf(drawing, "Add").rows, ElementsAre("1"));
  EXPECT_THAT(BoxOf(drawing, "inputs").rows, ElementsAre("x  Float32 (2)"));
}

TEST(View, ScopesAreClusters) {
  const Drawing drawing = DrawView(Parse(Chain()), {});
  const auto cluster = [&](std::string_view title) {
    return drawing.clusters[BoxOf(drawing, title).cluster].title;
  };
  EXPECT_EQ(cluster("Add"), "a");
  EXPECT_EQ(cluster("Sub"), "b");
  EXPECT_EQ(cluster("Return"), "");
}

TEST(View, AtADepthScopesAreBoxesThatSayWhatIsInThem) {
  const Drawing drawing = DrawView(Parse(Chain()), {.depth = 1});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("Default", "Return", "inputs"));
  EXPECT_EQ(BoxOf(drawing, "Default").nodes, 4);
  EXPECT_EQ(NodesOfBoxes(drawing), 5);
  EXPECT_THAT(Edges(drawing), UnorderedElementsAre("inputs -> Default", "Default -> Return"));
}

TEST(View, DeeperScopesAreBoxesAtALargerDepth) {
  const Drawing drawing = DrawView(Parse(Chain()), {.depth = 2});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("a", "b", "Return", "inputs"));
  EXPECT_THAT(BoxOf(drawing, "a").rows, ElementsAre("2 nodes", "1 × Add", "1 × Mul"));
  // n1 to n2 and n0 to n3.
  const auto found =
      std::find_if(drawing.edges.begin(), drawing.edges.end(),
                   [&](const Edge& edge) { return drawing.boxes[edge.to].title == "b"; });
  ASSERT_NE(found, drawing.edges.end());
  EXPECT_EQ(found->values, 2);
}

TEST(View, ACollapsedScopeIsABox) {
  const Drawing drawing = DrawView(Parse(Chain()), {.collapse = {"Default/b"}});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("Add", "Mul", "b", "Return", "inputs"));
}

TEST(View, OfAScopeOnlyItsNodesAreShownAndTheOthersCounted) {
  const Drawing drawing = DrawView(Parse(Chain()), {.scope = "Default/b"});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("ReLU", "Sub"));
  EXPECT_EQ(drawing.nodes, 5);
  EXPECT_EQ(drawing.hidden, 3);
}

TEST(View, NearANodeAreItsUsersAndProducers) {
  const Module module = Parse(Chain());
  EXPECT_THAT(Titles(DrawView(module, {.node = "n2"})), UnorderedElementsAre("Mul", "ReLU", "Sub"));
  EXPECT_THAT(Titles(DrawView(module, {.node = "n1", .around = 2})),
              UnorderedElementsAre("Add", "Mul", "ReLU", "Sub", "inputs"));
}

TEST(View, BetweenTwoNodesAreThoseOnAWayFromOneToTheOther) {
  const Module module = Parse(SubgraphText("f()")
                                  .Add("A", "%para1_x")
                                  .Add("B", "%0")
                                  .Add("Aside", "%para1_x")
                                  .Add("C", "%1, %2")
                                  .Add("D", "%3")
                                  .Return());
  EXPECT_THAT(Titles(DrawView(module, {.from = "n0", .to = "n3"})),
              UnorderedElementsAre("A", "B", "C", "inputs"));
  EXPECT_THAT(Titles(DrawView(module, {.from = "n3"})), UnorderedElementsAre("C", "D", "Return"));
  EXPECT_THAT(Titles(DrawView(module, {.to = "n1"})), UnorderedElementsAre("A", "B", "inputs"));
}

// f calls g, which takes what f computes.
std::string Call() {
  return SubgraphText("f()")
             .Add("Before", "%para1_x")
             .Add("call @g", "%0")
             .Add("After", "%1")
             .Return() +
         SubgraphText("g(%para3_y)").Add("Inside", "%para3_y").Return();
}

TEST(View, TheWayOfAValueLeadsThroughACall) {
  const Module module = Parse(Call());
  EXPECT_THAT(Titles(DrawView(module, {.from = "n0", .to = "@g:n0"})),
              UnorderedElementsAre("inputs", "Before", "call @g", "Inside", "parameters"));
  EXPECT_THAT(Titles(DrawView(module, {.from = "@g:n0", .to = "n2"})), Contains("After"));
}

TEST(View, ACallLeadsToTheClusterOfItsSubgraph) {
  const Drawing drawing = DrawView(Parse(Call()), {});
  const auto call = std::find_if(drawing.edges.begin(), drawing.edges.end(),
                                 [](const Edge& edge) { return edge.kind == EdgeKind::kCall; });
  ASSERT_NE(call, drawing.edges.end());
  EXPECT_EQ(drawing.boxes[call->from].title, "call @g");
  ASSERT_NE(call->to_cluster, kNoIndex);
  EXPECT_EQ(drawing.clusters[call->to_cluster].title, "@g");
}

TEST(View, GradientsAndUpdatesAreTheBackwardPass) {
  const Module module = Parse(SubgraphText("f()")
                                  .Add("MatMul", "%para1_x", "Default/a")
                                  .Add("MatMulGrad", "%0", "Gradients/Default/a")
                                  .Add("Momentum", "%1", "Default/optimizer-Momentum")
                                  .Return());
  EXPECT_THAT(Titles(DrawView(module, {.pass = Pass::kForward})),
              UnorderedElementsAre("MatMul", "Return", "inputs"));
  EXPECT_THAT(Titles(DrawView(module, {.pass = Pass::kBackward})),
              UnorderedElementsAre("MatMulGrad", "Momentum"));
}

// Blocks of a network: in each MatMul, then ReLU.
SubgraphText Blocks(std::size_t count) {
  SubgraphText text("f()");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string scope = "Default/" + std::to_string(i) + "-Block";
    text.Add("MatMul", i == 0 ? "%para1_x" : "%" + std::to_string(2 * i - 1), scope);
    text.Add("ReLU", "%" + std::to_string(2 * i), scope);
  }
  return text;
}

TEST(View, RepeatedBlocksAreFoldedIntoOne) {
  const Drawing drawing = DrawView(Parse(Blocks(12).Return()), {.fold = true});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("MatMul", "ReLU", "Return", "inputs"));
  EXPECT_EQ(BoxOf(drawing, "MatMul").copies, 12);
  EXPECT_EQ(BoxOf(drawing, "MatMul").nodes, 12);
  EXPECT_EQ(NodesOfBoxes(drawing), 25);
  const Cluster& cluster = drawing.clusters[BoxOf(drawing, "ReLU").cluster];
  EXPECT_EQ(cluster.copies, 12);
  EXPECT_EQ(cluster.title, "Default/*-Block");
  EXPECT_THAT(Edges(drawing), UnorderedElementsAre("inputs -> MatMul", "MatMul -> ReLU",
                                                   "ReLU -> MatMul", "ReLU -> Return"));
}

TEST(View, BlocksOfOtherOperatorsAreNotFolded) {
  const Module module = Parse(SubgraphText("f()")
                                  .Add("MatMul", "%para1_x", "Default/0-Block")
                                  .Add("ReLU", "%0", "Default/0-Block")
                                  .Add("MatMul", "%1", "Default/1-Block")
                                  .Add("Tanh", "%2", "Default/1-Block")
                                  .Return());
  EXPECT_EQ(DrawView(module, {.fold = true}).boxes.size(), 6);
}

TEST(View, FoldedSubgraphsAreCalledTogether) {
  const Module module =
      Parse(SubgraphText("f()").Add("call @g_1", "%para1_x").Add("call @g_2", "%0").Return() +
            SubgraphText("g_1(%para3_y)").Add("Tanh", "%para3_y").Return() +
            SubgraphText("g_2(%para4_y)").Add("Tanh", "%para4_y").Return());
  const Drawing drawing = DrawView(module, {.fold = true});
  EXPECT_EQ(BoxOf(drawing, "Tanh").nodes, 2);
  EXPECT_THAT(Edges(drawing), Contains("call @g_1 -> Tanh"));
  EXPECT_THAT(Edges(drawing), Contains("call @g_2 -> Tanh"));
}

std::size_t BoxesOfNodes(const Drawing& drawing) {
  return static_cast<std::size_t>(std::count_if(drawing.boxes.begin(), drawing.boxes.end(),
                                                [](const Box& box) { return box.nodes > 0; }));
}

TEST(View, AGraphThatCanBeReadIsDrawnWhole) {
  EXPECT_EQ(BoxesOfNodes(DrawView(Parse(Blocks(70).Return()), {})), 141);
}

TEST(View, OfALargeGraphAtLeastAHundredBoxesAreShown) {
  const Drawing drawing = DrawView(Parse(Blocks(400).Return()), {});
  EXPECT_GE(BoxesOfNodes(drawing), 100);
  EXPECT_LE(BoxesOfNodes(drawing), 150);
  EXPECT_EQ(NodesOfBoxes(drawing), 801);
}

TEST(View, AGraphWithoutScopesIsCutIntoRuns) {
  SubgraphText text("f()");
  text.Add("Add", "%para1_x");
  for (int i = 1; i < 2000; ++i) text.Add("Add", "%" + std::to_string(i - 1));
  const Drawing drawing = DrawView(Parse(text.Return()), {});
  EXPECT_GE(BoxesOfNodes(drawing), 100);
  EXPECT_LE(BoxesOfNodes(drawing), 150);
  EXPECT_EQ(NodesOfBoxes(drawing), 2001);
}

TEST(View, EverythingIsDrawnWhereItIsAskedFor) {
  EXPECT_EQ(BoxesOfNodes(DrawView(Parse(Blocks(400).Return()), {.all = true})), 801);
  const Module module = Parse(Blocks(400).Return());
  EXPECT_EQ(BoxesOfNodes(DrawAll(module, Dataflow(module))), 801);
}

TEST(View, ADeepScopeIsFollowedOnlySoFar) {
  std::string scope = "Default";
  for (int i = 0; i < 100'000; ++i) scope += "/a";
  const Module module =
      Parse(SubgraphText("f()").Add("Add", "%para1_x", scope).Add("Mul", "%0", scope).Return());
  EXPECT_THAT(Titles(DrawView(module, {.all = true})), Contains("Mul"));
}

TEST(View, WhatIsNotThereIsNamed) {
  const Module module = Parse(Chain());
  const Dataflow flow(module);
  const auto error = [&](const View& view) {
    const Result<Drawing> drawing = Draw(module, flow, view);
    return drawing ? Status() : drawing.error();
  };
  EXPECT_THAT(error({.node = "n77"}), IsStatus(StatusCode::kNotFound, "n77"));
  EXPECT_THAT(error({.from = "n78"}), IsStatus(StatusCode::kNotFound, "n78"));
  EXPECT_THAT(error({.to = "n79"}), IsStatus(StatusCode::kNotFound, "n79"));
  EXPECT_THAT(error({.scope = "Other"}), IsStatus(StatusCode::kNotFound, "Other"));
  EXPECT_THAT(error({.from = "n3", .to = "n0"}), IsStatus(StatusCode::kNotFound, "conditions"));
}

TEST(View, AModuleWithoutNodesIsAnEmptyDrawing) {
  const Result<Module> module = ParseIr("");
  ASSERT_THAT(module, testing::IsOk());
  EXPECT_THAT(DrawView(*module, {}).boxes, IsEmpty());
}

TEST(View, BookkeepingIsLeftOutAndValuesGoThroughIt) {
  const Module module = Parse(SubgraphText("f(%para1_x, %para2_net.w)")
                                  .Add("Load", "%para2_net.w, UMonad[U]")
                                  .Add("MatMul", "%para1_x, %0")
                                  .Add("MakeTuple", "%0")
                                  .Add("UpdateState", "UMonad[U], %2")
                                  .Add("Depend", "%1, %3")
                                  .Add("ReLU", "%4")
                                  .Return());
  const Drawing drawing = DrawView(module, {.without_bookkeeping = true});
  EXPECT_THAT(Titles(drawing), UnorderedElementsAre("inputs", "MatMul", "ReLU", "Return"));
  EXPECT_THAT(Edges(drawing),
              UnorderedElementsAre("inputs -> MatMul", "MatMul -> ReLU", "ReLU -> Return"));
  const auto matmul = std::find_if(drawing.boxes.begin(), drawing.boxes.end(),
                                   [](const Box& box) { return box.title == "MatMul"; });
  EXPECT_THAT(matmul->rows, Contains("net.w"));
}

TEST(View, ATupleThatIsUsedIsNoBookkeeping) {
  const Module module =
      Parse(SubgraphText("f(%para1_x)").Add("MakeTuple", "%para1_x").Add("ReLU", "%0").Return());
  EXPECT_THAT(Titles(DrawView(module, {.without_bookkeeping = true})), Contains("MakeTuple"));
}

TEST(View, BookkeepingThatTakesItselfEnds) {
  const Module module =
      Parse(SubgraphText("f(%para1_x)").Add("Depend", "$(@g:n0)").Add("ReLU", "%0").Return() +
            SubgraphText("g()").Add("Depend", "$(@f:n0)").Return());
  EXPECT_THAT(Titles(DrawView(module, {.without_bookkeeping = true})), Contains("ReLU"));
}

TEST(View, BookkeepingAloneIsDrawn) {
  const Module module =
      Parse(SubgraphText("f(%para2_net.w)").Add("Load", "%para2_net.w, UMonad[U]", "a").Return());
  EXPECT_THAT(Titles(DrawView(module, {.scope = "a", .without_bookkeeping = true})),
              Contains("Load"));
}

}  // namespace
}  // namespace sightline::ir
