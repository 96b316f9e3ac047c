// Keras models as graphs.
#include "sightline/dashboard/store/keras_graph.h"

#include <gmock/gmock.h>

#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using ::testing::ElementsAre;

// "scope/name: type <- inputs" of each node.
std::vector<std::string> Outline(std::string_view json) {
  const Result<Graph> graph = ParseKerasModel(json);
  if (!graph) return {graph.error().ToString()};
  std::vector<std::string> lines;
  for (const GraphNode& node : graph->nodes) {
    std::string line = node.full_name + ": " + node.op_type;
    for (const std::string& input : node.inputs) line += " <- " + input;
    lines.push_back(line);
  }
  return lines;
}

TEST(KerasGraphTest, LayersTakeWhatTheyName) {
  // Keras 2, then Keras 3, which writes tensors with their history.
  EXPECT_THAT(Outline(R"({"class_name": "Functional", "config": {"name": "m", "layers": [
    {"class_name": "InputLayer", "config": {"name": "in"}, "name": "in", "inbound_nodes": []},
    {"class_name": "Dense", "config": {"name": "a"}, "name": "a", "inbound_nodes": [[["in", 0, 0, {}]]]},
    {"class_name": "Add", "config": {"name": "sum"}, "name": "sum",
     "inbound_nodes": [[["in", 0, 0, {}], ["a", 0, 0, {}]]]}]}})"),
              ElementsAre("in: InputLayer", "a: Dense <- in", "sum: Add <- in <- a"));
  EXPECT_THAT(Outline(R"({"class_name": "Functional", "config": {"layers": [
    {"class_name": "InputLayer", "name": "in", "inbound_nodes": []},
    {"class_name": "Dense", "name": "a", "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__",
     "config": {"shape": [null, 1], "keras_history": ["in", 0, 0]}}], "kwargs": {}}]}]}})"),
              ElementsAre("in: InputLayer", "a: Dense <- in"));
}

TEST(KerasGraphTest, SequentialLayersFollowEachOther) {
  EXPECT_THAT(Outline(R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
    {"class_name": "Dense", "config": {"name": "a"}}, {"class_name": "ReLU", "config": {"name": "b"}}]}})"),
              ElementsAre("a: Dense", "b: ReLU <- a"));
  // Keras 1.
  EXPECT_THAT(Outline(R"({"class_name": "Sequential", "config": [
    {"class_name": "Dense", "config": {"name": "a"}}, {"class_name": "Dense", "config": {"name": "a"}},
    {"class_name": "Dense", "config": {"name": "a_1"}}]})"),
              ElementsAre("a: Dense", "a_1: Dense <- a", "a_1_1: Dense <- a_1"));
}

TEST(KerasGraphTest, AModelInAModelIsAScope) {
  const std::string_view json = R"({"class_name": "Functional", "config": {"layers": [
    {"class_name": "InputLayer", "name": "in", "inbound_nodes": []},
    {"class_name": "Sequential", "name": "block", "inbound_nodes": [[["in", 0, 0, {}]]],
     "config": {"layers": [{"class_name": "Conv2D", "config": {"name": "c"}},
                           {"class_name": "ReLU", "config": {"name": "r"}}]}},
    {"class_name": "Dense", "name": "out", "inbound_nodes": [[["block", 1, 0, {}]]]}]}})";
  EXPECT_THAT(Outline(json), ElementsAre("in: InputLayer", "block/c: Conv2D <- in",
                                         "block/r: ReLU <- block/c", "out: Dense <- block/r"));
  EXPECT_EQ(ParseKerasModel(json)->nodes[1].scope, "block");
}

TEST(KerasGraphTest, PlainSettingsAreAttributes) {
  const auto graph =
      ParseKerasModel(R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
    {"class_name": "Dense", "config": {"name": "a", "units": 3, "use_bias": true, "rate": 0.5,
     "shape": [1, 2], "activation": "relu", "seed": null, "mixed": [1, [2]],
     "kernel_initializer": {"class_name": "GlorotUniform", "config": {"seed": null}}}}]}})");
  ASSERT_THAT(graph, IsOk());
  EXPECT_EQ(graph->name, "s");
  const std::map<std::string, GraphValue> wanted = {
      {"units", 3},      {"use_bias", true},     {"rate", 0.5},
      {"shape", {1, 2}}, {"activation", "relu"}, {"kernel_initializer", "GlorotUniform"}};
  EXPECT_EQ(graph->nodes[0].attributes, wanted);
}

TEST(KerasGraphTest, RefusesWhatIsNoModel) {
  for (const char* json : {"", "{", "[]", "1", "{}", R"({"config": 1})",
                           R"({"config": {"layers": 1}})", R"({"config": {"layers": []}})"}) {
    EXPECT_THAT(ParseKerasModel(json).error(), IsStatus(StatusCode::kDataLoss, "Keras model"))
        << json;
  }
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += R"({"config": {"layers": [)";
  EXPECT_THAT(ParseKerasModel(deep).error(), IsStatus(StatusCode::kDataLoss, "not JSON"));
}

// 300 layers, each of which takes a model with 300 outputs: 90,000 edges otherwise.
TEST(KerasGraphTest, EdgesDoNotMultiply) {
  std::string inner;
  std::string outputs;
  std::string takers;
  for (int i = 0; i < 300; ++i) {
    const std::string number = std::to_string(i);
    inner += R"({"name": "x)" + number + R"(", "inbound_nodes": [[["in", 0, 0]]]},)";
    outputs += (i == 0 ? "" : ",") + (R"(["x)" + number + R"(", 0, 0])");
    takers += R"(,{"name": "t)" + number + R"(", "inbound_nodes": [[["m", 0, 0]]]})";
  }
  const auto graph =
      ParseKerasModel(R"({"config": {"layers": [{"name": "m", "config": {"layers": [)" + inner +
                      R"({"name": "in"}], "output_layers": [)" + outputs + "]}}" + takers + "]}}");
  ASSERT_THAT(graph, IsOk());
  std::size_t edges = 0;
  for (const GraphNode& node : graph->nodes) edges += node.inputs.size();
  EXPECT_EQ(edges, 300U + 300U * 16U);
}

TEST(KerasGraphTest, TakesOddLayers) {
  EXPECT_THAT(
      Outline(
          R"({"config": {"layers": [1, null, {"name": 5}, {"inbound_nodes": [[["x", 0, 0]]]}]}})"),
      ElementsAre("layer: ", "layer_1: ", "layer_2: ", "layer_3: "));
}

}  // namespace
}  // namespace sightline::dashboard
