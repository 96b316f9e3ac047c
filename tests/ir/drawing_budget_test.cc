// Graphs of every shape are drawn with at least a hundred boxes and a limited number of edges,
// since graphviz' time goes with these: what is counted here is what its text holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/draw/dot_printer.h"
#include "sightline/ir/draw/view.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/graphviz.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::IsEmpty;

// A twentieth of the steps in which graphviz places boxes by forces. They take nearly all of this
// test's time, and whether a graph can be laid out does not depend on them.
constexpr char kRoughly[] = "-Gmaxiter=30";

// The nodes that each node takes, and its scope.
struct Shape {
  std::vector<std::vector<std::size_t>> inputs;
  std::function<std::string(std::size_t node)> scope = [](std::size_t) { return ""; };
};

Shape MakeShape(std::size_t nodes,
                const std::function<std::vector<std::size_t>(std::size_t node)>& inputs_of) {
  Shape shape;
  for (std::size_t i = 0; i < nodes; ++i) shape.inputs.push_back(inputs_of(i));
  return shape;
}

// Each node takes `edges` earlier ones, any of the last `reach`.
Shape RandomShape(std::size_t nodes, std::size_t edges, std::size_t reach) {
  std::mt19937 random(7);
  return MakeShape(nodes, [&](std::size_t node) {
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < edges && node > 0; ++i)
      inputs.push_back(node - 1 - random() % std::min(node, reach));
    return inputs;
  });
}

Shape InScopes(Shape shape, const std::function<std::string(std::size_t node)>& scope) {
  shape.scope = scope;
  return shape;
}

std::vector<std::size_t> FirstNodes(std::size_t count) {
  std::vector<std::size_t> nodes(count);
  for (std::size_t i = 0; i < count; ++i) nodes[i] = i;
  return nodes;
}

Shape Chain(std::size_t nodes) { return RandomShape(nodes, 1, 1); }
// A chain; all of it takes the first node.
Shape HubAndChain(std::size_t nodes) {
  return MakeShape(nodes, [](std::size_t node) {
    return node == 0 ? std::vector<std::size_t>() : std::vector<std::size_t>{0, node - 1};
  });
}
Shape Hub(std::size_t users) {
  return MakeShape(users + 1, [](std::size_t node) { return FirstNodes(node == 0 ? 0 : 1); });
}
Shape Sink(std::size_t sources) {
  return MakeShape(sources + 1,
                   [=](std::size_t node) { return FirstNodes(node == sources ? sources : 0); });
}
Shape Bipartite(std::size_t left, std::size_t right) {
  return MakeShape(left + right,
                   [=](std::size_t node) { return FirstNodes(node < left ? 0 : left); });
}
// Every node of a layer takes every node of the one before.
Shape Layers(std::size_t layers, std::size_t width) {
  return MakeShape(layers * width, [=](std::size_t node) {
    std::vector<std::size_t> inputs = FirstNodes(node < width ? 0 : width);
    for (std::size_t& input : inputs) input += (node / width - 1) * width;
    return inputs;
  });
}
// A forward pass, and a backward pass that takes what each step of it computed.
Shape Mirror(std::size_t half) {
  return MakeShape(2 * half, [=](std::size_t node) {
    std::vector<std::size_t> inputs;
    if (node > 0) inputs.push_back(node - 1);
    if (node >= half) inputs.push_back(2 * half - 1 - node);
    return inputs;
  });
}

Module Parse(const Shape& shape) {
  std::string text =
      "# IR entry: @f\n\n# Total params: 1\n# Params:\n%para1_x: <Tensor[Float32], "
      "(2)>\n\nsubgraph @f() {\n";
  for (std::size_t i = 0; i < shape.inputs.size(); ++i) {
    std::string operands;
    for (const std::size_t input : shape.inputs[i])
      operands.append(operands.empty() ? "%" : ", %").append(std::to_string(input));
    const std::string number = std::to_string(i);
    text.append("  %").append(number).append("(n").append(number).append(") = Add(");
    text.append(operands.empty() ? "%para1_x" : operands).append(")\n");
    const std::string scope = shape.scope(i);
    if (!scope.empty()) text.append("      # Scope: (").append(scope).append(")\n");
  }
  text.append("  Return(%").append(std::to_string(shape.inputs.size() - 1)).append(")\n}\n");
  Result<Module> module = ParseIr(text);
  EXPECT_THAT(module, testing::IsOk());
  return *std::move(module);
}

// What a text for graphviz holds.
struct Counts {
  std::size_t boxes = 0;
  std::size_t edges = 0;
};
Counts Count(const std::string& dot) {
  Counts counts;
  for (std::size_t at = 0; (at = dot.find("\n  n", at)) != std::string::npos; ++at) {
    const std::size_t end = dot.find_first_of("[\n", at + 1);
    ++(dot.substr(at, end - at).find("->") == std::string::npos ? counts.boxes : counts.edges);
  }
  return counts;
}

struct Case {
  std::string name;
  Shape shape;
  std::size_t most_edges = 600;
};
std::ostream& operator<<(std::ostream& out, const Case& value) { return out << value.name; }

class DrawingBudgetTest : public ::testing::TestWithParam<Case> {};

TEST_P(DrawingBudgetTest, AHundredBoxesWithFewEdgesAreDrawn) {
  const Module module = Parse(GetParam().shape);
  const Result<Drawing> drawing = Draw(module, Dataflow(module));
  ASSERT_THAT(drawing, testing::IsOk());
  std::size_t nodes = 0;
  for (const Box& box : drawing->boxes) nodes += box.nodes;
  EXPECT_EQ(nodes, module.nodes.size());
  const std::string dot = PrintDot(*drawing);
  const Counts counts = Count(dot);
  EXPECT_GE(counts.boxes, std::min<std::size_t>(100, module.nodes.size()));
  EXPECT_LE(counts.boxes, 151);  // With that of the inputs.
  EXPECT_LE(counts.edges, GetParam().most_edges);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Edge& edge : drawing->edges) edges.emplace(edge.from, edge.to);
  EXPECT_EQ(edges.size(), counts.edges);
  const Shape& shape = GetParam().shape;
  for (std::uint32_t to = 0; to < shape.inputs.size(); ++to) {
    for (const std::size_t from : shape.inputs[to]) {
      const std::pair ends = {drawing->node_boxes[from], drawing->node_boxes[to]};
      EXPECT_TRUE(ends.first == ends.second || edges.contains(ends)) << from << " to " << to;
    }
  }
  const testing::Layout layout = testing::LayOut(dot, kRoughly);
  EXPECT_EQ(layout.exit_code, 0);
  EXPECT_THAT(layout.messages, IsEmpty());
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, Shape shape) {
    cases.push_back({name, std::move(shape)});
  };
  for (const std::size_t nodes : {300U, 1000U, 5000U}) {
    for (const std::size_t edges : {1U, 2U, 4U, 10U}) {
      const std::string size = std::to_string(nodes) + "x" + std::to_string(edges);
      add("Random" + size, RandomShape(nodes, edges, nodes));
      add("Near" + size, RandomShape(nodes, edges, 30));
    }
  }
  for (const std::size_t nodes : {140U, 5000U}) {
    const std::string size = std::to_string(nodes);
    add("Chain" + size, Chain(nodes));
    add("HubAndChain" + size, HubAndChain(nodes));
    add("Hub" + size, Hub(nodes));
    add("Sink" + size, Sink(nodes));
    add("Mirror" + size, Mirror(nodes / 2));
  }
  add("Bipartite50x1000", Bipartite(50, 1000));
  add("Bipartite1000x50", Bipartite(1000, 50));
  add("Layers100x10", Layers(100, 10));
  add("Layers30x30", Layers(30, 30));
  const auto block = [](std::size_t node) {
    return "Default/" + std::to_string(node / 9) + "-Block";
  };
  const auto scattered = [](std::size_t node) {
    return std::string("Default/cell_") + static_cast<char>('a' + node % 25);
  };
  const auto nested = [](std::size_t node) {
    std::string scope = "Default";
    for (std::size_t depth = 0; depth <= node / 40; ++depth) scope += "/a";
    return scope;
  };
  add("Blocks", InScopes(RandomShape(729, 4, 20), block));
  add("BlocksOfAnyEdges", InScopes(RandomShape(729, 10, 729), block));
  add("ScatteredScopes", InScopes(RandomShape(1000, 4, 1000), scattered));
  add("NestedScopes", InScopes(RandomShape(900, 2, 30), nested));
  // Any hundred of their nodes have more edges.
  cases.push_back({"Bipartite70x70", Bipartite(70, 70), 2100});
  cases.push_back({"Layers10x15", Layers(10, 15), 1100});
  cases.push_back({"EveryNodeTakesAllBefore", MakeShape(150, FirstNodes), 4900});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Shapes, DrawingBudgetTest, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace sightline::ir
