#include "sightline/dashboard/store/graph_view.h"

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;

// `count` nodes in one scope, each of which takes the one before.
Graph Chain(int count) {
  Graph graph;
  for (int i = 0; i < count; ++i) {
    GraphNode node{.name = "op" + std::to_string(i), .op_type = "ReLU", .scope = "Default"};
    if (i > 0) node.inputs.push_back("op" + std::to_string(i - 1));
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

TEST(GraphViewTest, EdgesOfALargeScopeAreThoseOfTheEntriesThatAreListed) {
  const GraphView view(Chain(30'000));
  const auto first = view.Scope("Default", 0);
  ASSERT_THAT(first, IsOk());
  ASSERT_EQ((*first)["nodes"].size(), 2000U);
  EXPECT_EQ((*first)["more"], 28'000);
  EXPECT_EQ((*first)["edges"].size(), 2000U);  // The last one leads to what is not listed.

  const auto second = view.Scope("Default", 2000);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ((*second)["edges"].size(), 2001U);
}

}  // namespace
}  // namespace sightline::dashboard
