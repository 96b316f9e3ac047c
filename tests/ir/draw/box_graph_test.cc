#include "sightline/ir/draw/box_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/draw/drawing_builder.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;

Module Read(const std::string& file) {
  Result<Module> module =
      ReadIr(FileSystem::Local(), testing::CorpusPath("ir/control_flow_grad/" + file));
  EXPECT_THAT(module, testing::IsOk());
  return *std::move(module);
}

ScopeTree TreeOf(const Module& module, const Dataflow& flow) {
  return MakeScopeTree(module, flow, std::vector<bool>(module.nodes.size(), true));
}

// Of a dump with subgraphs, scopes, calls and parameters.
TEST(BoxGraph, CountsWhatIsDrawnWithEachGroupThatIsOpened) {
  const Module module = Read("01_type_inference_0001.ir");
  const Dataflow flow(module);
  const ScopeTree tree = TreeOf(module, flow);
  BoxGraph graph(module, flow, tree);
  EXPECT_EQ(graph.boxes(), 1);
  EXPECT_EQ(graph.edges(), 0);
  std::vector<bool> open(tree.groups.size(), false);
  for (std::uint32_t group = 0; group < tree.groups.size(); ++group) {  // Behind their parents.
    if (tree.groups[group].items.empty()) continue;
    graph.Open(group);
    open[group] = true;
    const Drawing drawing = BuildDrawing(module, flow, tree, open);
    std::uint32_t boxes = 0;
    for (const Box& box : drawing.boxes) boxes += box.nodes > 0 ? 1 : 0;
    EXPECT_EQ(graph.boxes(), boxes) << group;
    EXPECT_EQ(graph.edges(), drawing.edges.size()) << group;
  }
  EXPECT_GT(graph.edges(), 200);
}

TEST(BoxGraph, AGroupThatIsClosedAgainCountsAsBefore) {
  const Module module = Read("01_type_inference_0001.ir");
  const Dataflow flow(module);
  const ScopeTree tree = TreeOf(module, flow);
  BoxGraph graph(module, flow, tree);
  graph.Open(0);
  const std::uint32_t boxes = graph.boxes();
  const std::uint32_t edges = graph.edges();
  for (const ScopeTree::Item& item : tree.groups[0].items) {
    if (!item.is_group) continue;
    graph.Open(item.index);
    graph.Close(item.index);
    EXPECT_EQ(graph.boxes(), boxes);
    EXPECT_EQ(graph.edges(), edges);
  }
}

// n0 feeds all, which is one edge to the rest; n4 takes nothing else, and nothing takes it.
TEST(BoxGraph, TheLightestItemsAreThoseWithTheFewestEdges) {
  const Result<Module> module = ParseIr(
      "# IR entry: @f\n\nsubgraph @f() {\n  %0(n0) = A(None)\n  %1(n1) = B(%0)\n  %2(n2) = C(%0, "
      "%1)\n"
      "  %3(n3) = D(%0, %2)\n  %4(n4) = E(%0)\n  Return(%3)\n}\n");
  ASSERT_THAT(module, testing::IsOk());
  const Dataflow flow(*module);
  const ScopeTree tree = TreeOf(*module, flow);
  BoxGraph graph(*module, flow, tree);
  EXPECT_THAT(graph.LightestItems(0, 2), ElementsAre(0, 4));
  EXPECT_EQ(graph.edges(), 0);
}

}  // namespace
}  // namespace sightline::ir
