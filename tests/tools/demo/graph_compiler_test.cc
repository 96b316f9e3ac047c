#include "sightline/tools/demo/graph_compiler.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tools/demo/digits_trainer.h"
#include "sightline/tools/demo/recording.h"

namespace sightline::demo {
namespace {

using ::sightline::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

class GraphCompilerTest : public ::testing::Test {
 protected:
  GraphCompilerTest() { AddTraining(graph); }

  std::vector<GraphNode> NodesOf(const std::string& op_type) const {
    std::vector<GraphNode> nodes;
    std::copy_if(graph.nodes.begin(), graph.nodes.end(), std::back_inserter(nodes),
                 [&](const GraphNode& node) { return node.op_type == op_type; });
    return nodes;
  }
  AfterStep AddTo(std::vector<std::string>& steps) const {
    return [&steps](const GraphNode& changed) { steps.push_back(changed.name); };
  }

  const Digits digits = ReadDigits(EmbeddedDigits()).value();
  DigitsTrainer trainer{digits, {.epochs = 1}};
  Graph graph = DescribeNetwork(trainer);
};

TEST_F(GraphCompilerTest, EveryParameterIsUpdatedByItsGradient) {
  std::vector<std::string> updated;
  for (const GraphNode& update : NodesOf("ApplyMomentum")) {
    updated.push_back(update.inputs[0]);
    EXPECT_EQ(update.inputs[3], "gradient." + update.inputs[0]);
  }
  std::vector<std::string> parameters;
  for (const Parameter<float>* parameter : trainer.net().Parameters())
    parameters.push_back(parameter->name);
  EXPECT_THAT(updated, UnorderedElementsAreArray(parameters));
}

TEST_F(GraphCompilerTest, GradientsHaveTheShapesOfTheirParameters) {
  for (const Parameter<float>* parameter : trainer.net().Parameters()) {
    const auto gradient = std::find_if(
        graph.nodes.begin(), graph.nodes.end(),
        [&](const GraphNode& node) { return node.name == "gradient." + parameter->name; });
    ASSERT_NE(gradient, graph.nodes.end()) << parameter->name;
    EXPECT_EQ(gradient->outputs[0].shape, parameter->shape) << parameter->name;
  }
}

TEST_F(GraphCompilerTest, EveryInputNamesANodeOrParameter) {
  EXPECT_THAT(SerializeGraph(graph), IsOk());
  FuseBias(graph, [&](const GraphNode& fused) {
    EXPECT_THAT(SerializeGraph(graph), IsOk()) << fused.name;
  });
}

TEST_F(GraphCompilerTest, ABiasIsAddedByTheOperatorBeforeIt) {
  std::vector<std::string> steps;
  FuseBias(graph, AddTo(steps));
  EXPECT_THAT(steps, ElementsAre("conv1", "conv2", "dense1", "dense2"));
  EXPECT_THAT(NodesOf("BiasAdd"), ElementsAre());
  EXPECT_THAT(NodesOf("Conv2D")[0].inputs, ElementsAre("image", "conv1.weight", "conv1.bias"));
  EXPECT_THAT(NodesOf("ReLU")[0].inputs, ElementsAre("conv1"));
}

TEST_F(GraphCompilerTest, OperatorsInPlaceAreMarked) {
  std::vector<std::string> steps;
  MarkInPlace(graph, AddTo(steps));
  EXPECT_EQ(steps.size(), 7U);  // Three ReLUs, their gradients, and that of the loss.
  for (const GraphNode& node : NodesOf("ReLU"))
    EXPECT_EQ(node.attributes.at("inplace"), GraphValue(true));
  EXPECT_EQ(NodesOf("Conv2D")[0].attributes.count("inplace"), 0U);
}

}  // namespace
}  // namespace sightline::demo
