#include "sightline/recorder/message/graph_def.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;
using ::testing::IsSupersetOf;
using testing::ReadFileOrDie;
using testing::RecordsIn;

using NodesByName = std::map<std::string, tensorboard::NodeDef>;

tensorboard::GraphDef Decode(const Result<std::string>& bytes) {
  EXPECT_THAT(bytes, IsOk());
  tensorboard::GraphDef graph_def;
  EXPECT_TRUE(graph_def.ParseFromString(bytes.value_or("")));
  return graph_def;
}

// Checks what every GraphDef must be: unique names, inputs that exist, control inputs behind the
// others.
NodesByName NodesOf(const tensorboard::GraphDef& graph_def) {
  NodesByName nodes;
  for (const auto& node : graph_def.node()) {
    EXPECT_FALSE(node.name().empty());
    EXPECT_TRUE(nodes.emplace(node.name(), node).second) << node.name() << " occurs twice";
  }
  for (const auto& node : graph_def.node()) {
    bool control = false;
    for (const std::string& input : node.input()) {
      EXPECT_TRUE(!control || input[0] == '^') << node.name();
      control = input[0] == '^';
      EXPECT_TRUE(nodes.contains(control ? input.substr(1) : input))
          << input << " of " << node.name();
    }
  }
  return nodes;
}

std::vector<std::string> InputsOf(const tensorboard::NodeDef& node) {
  return {node.input().begin(), node.input().end()};
}

std::vector<std::int64_t> ShapeOf(const tensorboard::NodeDef& node, int output = 0) {
  std::vector<std::int64_t> sizes;
  for (const auto& dim : node.attr().at("_output_shapes").list().shape(output).dim())
    sizes.push_back(dim.size());
  return sizes;
}

std::string RealGraph() {
  const auto records = RecordsIn(
      ReadFileOrDie(CorpusPath("mindspore/lenet/events.out.events.summary.1795189336.0.vm_MS")));
  mindspore::Event event;
  EXPECT_TRUE(event.ParseFromString(records.at(1)));
  return event.graph_def().SerializeAsString();
}

// A node with what most tests need.
GraphNode Node(std::string name, std::string full_name, std::vector<std::string> inputs = {}) {
  return {.name = std::move(name),
          .op_type = "Op",
          .full_name = std::move(full_name),
          .inputs = std::move(inputs)};
}

TEST(GraphDefTest, NamesNodesByTheirFullNames) {
  Graph graph;
  graph.nodes = {Node("1", "Default/net/conv/Conv2D-op0"),
                 Node("2", "Default/net/ReLU-op0", {"1"})};
  graph.nodes[1].control_inputs = {"1"};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_THAT(InputsOf(nodes.at("Default/net/ReLU-op0")),
              ElementsAre("Default/net/conv/Conv2D-op0", "^Default/net/conv/Conv2D-op0"));
}

TEST(GraphDefTest, PlacesAParameterInTheInnermostScopeOfItsUsers) {
  Graph graph;
  for (const char* name : {"weight", "shared", "top", "unused", "prefix"})
    graph.parameters.push_back({name, {}});
  graph.constants = {{"cst1", 3}};
  graph.nodes = {Node("1", "D/net/conv/a", {"weight", "shared", "top", "prefix"}),
                 Node("2", "D/net/conv/b", {"weight", "cst1"}),
                 Node("3", "D/net/fc/c", {"shared", "cst1"}), Node("4", "E/d", {"top"}),
                 Node("5", "D/net/convolution/e", {"prefix"})};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  std::set<std::string> names;
  for (const auto& [name, node] : nodes) names.insert(name);
  EXPECT_THAT(names, IsSupersetOf({"D/net/conv/weight", "D/net/shared", "top", "unused",
                                   "D/net/prefix", "D/net/cst1"}));
  EXPECT_EQ(nodes.at("D/net/shared").op(), "Parameter");
  EXPECT_EQ(nodes.at("D/net/cst1").op(), "Const");
  EXPECT_EQ(nodes.at("D/net/cst1").attr().at("value").i(), 3);
}

TEST(GraphDefTest, GivesShapesAndTypesWhereTensorBoardLooksForThem) {
  Graph graph;
  graph.parameters = {{"weight", {DType::kFloat16, {6, 1, 5, 5}}}};
  graph.nodes = {Node("1", "a", {"weight"})};
  graph.nodes[0].outputs = {{DType::kInt64, {32, -1}}, {DType::kFloat32, {}}};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  EXPECT_THAT(ShapeOf(nodes.at("weight")), ElementsAre(6, 1, 5, 5));
  EXPECT_EQ(nodes.at("weight").attr().at("dtype").type(), tensorboard::DT_HALF);
  EXPECT_THAT(ShapeOf(nodes.at("a"), 0), ElementsAre(32, -1));
  EXPECT_THAT(ShapeOf(nodes.at("a"), 1), ElementsAre());
  EXPECT_EQ(nodes.at("a").attr().at("dtype").type(), tensorboard::DT_INT64);
}

TEST(GraphDefTest, KeepsAttributes) {
  Graph graph;
  graph.nodes = {Node("1", "a")};
  graph.nodes[0].attributes = {{"b", true},
                               {"i", -7},
                               {"f", 0.5},
                               {"s", "NCHW"},
                               {"none", GraphValue()},
                               {"ints", {5, 5}},
                               {"bools", {true, false}},
                               {"floats", {0.5, 1.5}},
                               {"texts", {"x", "w"}},
                               {"mixed", {1, "x", GraphValue{2.5, true}}},
                               {"empty", GraphValue::List()}};
  const auto attr = NodesOf(Decode(MakeGraphDef(graph))).at("a").attr();
  EXPECT_TRUE(attr.at("b").b());
  EXPECT_EQ(attr.at("i").i(), -7);
  EXPECT_EQ(attr.at("f").f(), 0.5F);
  EXPECT_EQ(attr.at("s").s(), "NCHW");
  EXPECT_EQ(attr.at("none").s(), "None");
  EXPECT_THAT(attr.at("ints").list().i(), ElementsAre(5, 5));
  EXPECT_THAT(attr.at("bools").list().b(), ElementsAre(true, false));
  EXPECT_THAT(attr.at("floats").list().f(), ElementsAre(0.5F, 1.5F));
  EXPECT_THAT(attr.at("texts").list().s(), ElementsAre("x", "w"));
  EXPECT_EQ(attr.at("mixed").s(), "(1, x, (2.5, true))");
  EXPECT_TRUE(attr.at("empty").has_list());
}

TEST(GraphDefTest, TellsNodesOfOneNameApart) {
  Graph graph;
  graph.nodes = {Node("1", "a"), Node("2", "a"), Node("3", "a_1"), Node("4", "a", {"1", "2", "3"})};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_TRUE(nodes.contains("a_1"));
  std::set<std::string> inputs;
  for (const auto& [name, node] : nodes) inputs.insert(node.input().begin(), node.input().end());
  EXPECT_EQ(inputs.size(), 3U);
}

TEST(GraphDefTest, TakesOutOfNamesWhatMeansSomethingElse) {
  Graph graph;
  graph.nodes = {Node("1", "/a//^b:0/c d\n/"), Node("2", "\xff"), Node("3", "", {"1", "2"}),
                 Node("", "///")};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  EXPECT_TRUE(nodes.contains("a/_b_0/c_d_"));
  EXPECT_TRUE(nodes.contains("\xef\xbf\xbd"));
  EXPECT_TRUE(nodes.contains("3"));
  EXPECT_TRUE(nodes.contains("unnamed"));
}

TEST(GraphDefTest, ShowsAnInputThatNamesNothing) {
  Graph graph;
  graph.nodes = {Node("1", "a", {"lost", "lost"})};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  EXPECT_EQ(nodes.at("lost").op(), "Unresolved");
  EXPECT_THAT(InputsOf(nodes.at("a")), ElementsAre("lost", "lost"));
}

TEST(GraphDefTest, KeepsParametersThatShareAName) {
  Graph graph;
  graph.parameters = {{"p", {}}, {"p", {}}};
  graph.constants = {{"p", 1}};
  graph.nodes = {Node("p", "s/p"), Node("2", "s/a", {"p"})};
  const auto nodes = NodesOf(Decode(MakeGraphDef(graph)));
  EXPECT_EQ(nodes.size(), 5U);
  EXPECT_THAT(InputsOf(nodes.at("s/a")), ElementsAre("s/p"));
}

TEST(GraphDefTest, ConvertsAGraphOfMindSpore) {
  const auto nodes = NodesOf(Decode(MakeGraphDef(RealGraph())));
  EXPECT_EQ(nodes.size(), 87U + 21U + 15U);
  const auto& conv =
      nodes.at("Default/network-WithLossCell/_backbone-LeNet5/conv1-Conv2d/Conv2D-op0");
  EXPECT_EQ(conv.op(), "Conv2D");
  EXPECT_THAT(ShapeOf(conv), ElementsAre(32, 6, 28, 28));
  EXPECT_THAT(conv.attr().at("kernel_size").list().i(), ElementsAre(5, 5));
  // Its data comes from the batch, which the gradients use too, and from the weight's Load.
  EXPECT_THAT(InputsOf(conv),
              ElementsAre("inputs0", "Default/network-WithLossCell/_backbone-LeNet5/Load-op0"));
  EXPECT_THAT(InputsOf(nodes.at("Default/network-WithLossCell/_backbone-LeNet5/Load-op0"))[0],
              "Default/conv1.weight");
}

TEST(GraphDefTest, IsTheSameEveryTime) {
  EXPECT_EQ(MakeGraphDef(RealGraph()).value(), MakeGraphDef(RealGraph()).value());
}

// One long name, named by every edge: 60 KB that would become 700 MB.
TEST(GraphDefTest, RefusesAGraphThatWouldFillMemory) {
  Graph graph;
  graph.nodes = {Node("1", std::string(2000, 'x'))};
  graph.nodes.push_back(Node("2", "b", std::vector<std::string>(700'000, "1")));
  EXPECT_THAT(MakeGraphDef(graph).error(), IsStatus(StatusCode::kResourceExhausted, "more than"));
}

TEST(GraphDefTest, ReportsBytesThatAreNoGraph) {
  EXPECT_THAT(MakeGraphDef(std::string_view("no graph")).error(),
              IsStatus(StatusCode::kDataLoss, "no GraphProto"));
}

// It is fed from files: any bytes give a sound GraphDef or an error.
TEST(GraphDefTest, SurvivesDamagedGraphs) {
  const std::string real = RealGraph();
  std::mt19937 random(7);
  int converted = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = real;
    for (unsigned i = 0; i < 1 + random() % 8; ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    const auto graph_def = MakeGraphDef(damaged);
    if (!graph_def) continue;
    ++converted;
    NodesOf(Decode(graph_def));
  }
  EXPECT_GT(converted, 100);
}

TEST(ParseGraphDefTest, GivesBackWhatWasMade) {
  Graph graph;
  graph.nodes = {Node("conv", "net/conv"), Node("relu", "net/relu", {"conv"})};
  graph.nodes[0].attributes = {{"pad", "valid"}, {"stride", {1, 2}}, {"bias", true}, {"eps", 0.5}};
  graph.nodes[0].outputs = {{DType::kFloat32, {8, -1}}};
  graph.nodes[1].control_inputs = {"conv"};
  const auto parsed = ParseGraphDef(Decode(MakeGraphDef(graph)).SerializeAsString());
  ASSERT_THAT(parsed, IsOk());
  ASSERT_EQ(parsed->nodes.size(), 2U);
  const GraphNode& conv = parsed->nodes[0];
  EXPECT_EQ(conv.full_name, "net/conv");
  EXPECT_EQ(conv.attributes.at("pad"), GraphValue("valid"));
  EXPECT_EQ(conv.attributes.at("stride"), GraphValue({1, 2}));
  EXPECT_EQ(conv.attributes.at("bias"), GraphValue(true));
  EXPECT_EQ(conv.attributes.at("eps"), GraphValue(0.5));
  EXPECT_EQ(conv.outputs, graph.nodes[0].outputs);
  EXPECT_THAT(parsed->nodes[1].inputs, ElementsAre("net/conv"));
  EXPECT_THAT(parsed->nodes[1].control_inputs, ElementsAre("net/conv"));
}

TEST(ParseGraphDefTest, PutsANodeThatIsCalledAsAScopeIntoIt) {
  tensorboard::GraphDef graph_def;
  for (const char* name : {"a/dense", "a/dense/kernel", "a/x/y"}) {
    graph_def.add_node()->set_name(name);
    graph_def.mutable_node()->rbegin()->add_input("a/dense:1");
  }
  const auto parsed = ParseGraphDef(graph_def.SerializeAsString());
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(parsed->nodes[0].full_name, "a/dense/(dense)");
  EXPECT_EQ(parsed->nodes[1].full_name, "a/dense/kernel");
  EXPECT_THAT(parsed->nodes[2].inputs, ElementsAre("a/dense")) << "without the output's number";
}

TEST(ParseGraphDefTest, ReportsBytesThatAreNoGraph) {
  EXPECT_THAT(ParseGraphDef("no graph").error(), IsStatus(StatusCode::kDataLoss, "no GraphDef"));
}

}  // namespace
}  // namespace sightline
