#include "sightline/recorder/message/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using testing::IsOk;
using testing::IsStatus;
using testing::ReadFileOrDie;
using testing::RecordsIn;

// A network as a trainer writes it down.
Graph Digits() {
  Graph graph;
  graph.name = "digits";
  graph.parameters = {{"image", {DType::kFloat32, {32, 1, 8, 8}}},
                      {"conv.weight", {DType::kFloat32, {8, 1, 3, 3}}}};
  graph.constants = {{"axis", 1}};
  graph.nodes = {{.name = "conv",
                  .op_type = "Conv2D",
                  .scope = "Default/features",
                  .full_name = "Default/features/Conv2D-op0",
                  .inputs = {"image", "conv.weight"},
                  .attributes = {{"stride", {1, 1}}, {"pad_mode", "valid"}, {"bias", false}},
                  .outputs = {{DType::kFloat32, {32, 8, 6, 6}}}},
                 {.name = "split",
                  .op_type = "Split",
                  .scope = "Default/head",
                  .full_name = "Default/head/Split-op0",
                  .inputs = {"conv", "axis"},
                  .control_inputs = {"image"},
                  .attributes = {{"ratio", 0.5}, {"nothing", {}}},
                  .outputs = {{DType::kFloat16, {-1, 4}}, {DType::kInt64, {}}}}};
  graph.outputs = {"split"};
  return graph;
}

// Digits() with one thing changed, serialized.
template <typename Change>
Status SerializeChanged(Change&& change) {
  Graph graph = Digits();
  change(graph);
  const auto serialized = SerializeGraph(graph);
  return serialized ? Status() : serialized.error();
}

mindspore::GraphProto RealGraph() {
  const auto records = RecordsIn(
      ReadFileOrDie(CorpusPath("mindspore/lenet/events.out.events.summary.1795189336.0.vm_MS")));
  mindspore::Event event;
  EXPECT_TRUE(event.ParseFromString(records.at(1)));
  return event.graph_def();
}

TEST(GraphTest, ComesBackEqual) {
  const auto serialized = SerializeGraph(Digits());
  ASSERT_THAT(serialized, IsOk());
  const auto parsed = ParseGraph(*serialized);
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(*parsed, Digits());
}

TEST(GraphTest, IsMindSporesGraphProto) {
  mindspore::GraphProto proto;
  ASSERT_TRUE(proto.ParseFromString(SerializeGraph(Digits()).value()));
  EXPECT_EQ(proto.name(), "digits");
  ASSERT_EQ(proto.node_size(), 2);
  const auto& conv = proto.node(0);
  EXPECT_EQ(conv.input(1).name(), "conv.weight");
  EXPECT_EQ(conv.input(1).type(), mindspore::InputProto::DATA_EDGE);
  EXPECT_EQ(conv.output_type().data_type(), mindspore::DT_TENSOR);
  EXPECT_EQ(conv.output_type().tensor_type().elem_type(), mindspore::DT_FLOAT32);
  EXPECT_EQ(conv.output_type().tensor_type().shape().dim(3).size(), 6);
  EXPECT_EQ(proto.node(1).input(2).type(), mindspore::InputProto::CONTROL_EDGE);
  EXPECT_EQ(proto.node(1).output_type().data_type(), mindspore::DT_TUPLE);
  EXPECT_EQ(proto.const_vals(0).value().int_val(), 1);
  // An output has the type of what it names.
  EXPECT_EQ(proto.outputs(0).type().sequence_type().elem_types_size(), 2);
}

TEST(GraphTest, NamesANodeByItsScopeUnlessItHasAFullName) {
  Graph graph;
  graph.nodes = {
      {.name = "a", .scope = "Default/x"}, {.name = "b"}, {.name = "c", .full_name = "f"}};
  const Graph parsed = ParseGraph(SerializeGraph(graph).value()).value();
  EXPECT_EQ(parsed.nodes[0].full_name, "Default/x/a");
  EXPECT_EQ(parsed.nodes[1].full_name, "b");
  EXPECT_EQ(parsed.nodes[2].full_name, "f");
}

TEST(GraphTest, RefusesInputsAndOutputsThatNameNothing) {
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.nodes[1].inputs[0] = "conf"; }),
              IsStatus(StatusCode::kInvalidArgument, "node 'split': input 'conf' is not a node"));
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.nodes[1].control_inputs[0] = "imago"; }),
              IsStatus(StatusCode::kInvalidArgument, "control input 'imago'"));
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.outputs[0] = "loss"; }),
              IsStatus(StatusCode::kInvalidArgument, "output 'loss'"));
}

TEST(GraphTest, RefusesNamesThatAreMissingOrTaken) {
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.nodes[1].name = "conv"; }),
              IsStatus(StatusCode::kInvalidArgument, "the name 'conv' of a node is taken"));
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.constants[0].name = "image"; }),
              IsStatus(StatusCode::kInvalidArgument, "the name 'image' of a constant is taken"));
  EXPECT_THAT(SerializeChanged([](Graph& g) { g.parameters[0].name = ""; }),
              IsStatus(StatusCode::kInvalidArgument, "a parameter has no name"));
}

TEST(GraphTest, RefusesListsThatReadersCouldNotParse) {
  const auto nested = [](int depth) {
    GraphValue value = 1;
    for (int i = 0; i < depth; ++i) value = GraphValue(GraphValue::List{value});
    return value;
  };
  EXPECT_THAT(SerializeChanged([&](Graph& g) { g.constants[0].value = nested(64); }), IsOk());
  EXPECT_THAT(
      SerializeChanged([&](Graph& g) { g.constants[0].value = nested(65); }),
      IsStatus(StatusCode::kInvalidArgument, "constant 'axis': lists are nested deeper than 64"));
  EXPECT_THAT(SerializeChanged([&](Graph& g) { g.nodes[0].attributes["deep"] = nested(65); }),
              IsStatus(StatusCode::kInvalidArgument, "node 'conv': attribute 'deep'"));
}

TEST(GraphTest, ReplacesTextThatIsNotUtf8) {
  Graph graph;
  graph.nodes = {{.name = "n", .op_type = "Conv\xff", .attributes = {{"a", "b\xff"}}}};
  const Graph parsed = ParseGraph(SerializeGraph(graph).value()).value();
  EXPECT_EQ(parsed.nodes[0].op_type, "Conv\xef\xbf\xbd");
  EXPECT_EQ(parsed.nodes[0].attributes.at("a"), GraphValue("b\xef\xbf\xbd"));
}

TEST(GraphTest, ReadsAGraphOfMindSpore) {
  const auto parsed = ParseGraph(RealGraph().SerializeAsString());
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(parsed->nodes.size(), 87U);
  EXPECT_EQ(parsed->parameters.size(), 21U);
  EXPECT_EQ(parsed->constants.size(), 15U);
  EXPECT_EQ(parsed->outputs, std::vector<std::string>{"87"});
  const GraphNode& conv = parsed->nodes[1];
  EXPECT_EQ(conv.op_type, "Conv2D");
  EXPECT_EQ(conv.inputs, (std::vector<std::string>{"inputs0", "1"}));
  EXPECT_EQ(conv.attributes.at("kernel_size"), GraphValue({5, 5}));
  EXPECT_EQ(conv.attributes.at("input_names"), GraphValue({"x", "w"}));
  EXPECT_EQ(conv.outputs, (std::vector<GraphType>{{DType::kFloat32, {32, 6, 28, 28}}}));
  // What we write of it is a graph again.
  const auto again = SerializeGraph(*parsed);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(ParseGraph(*again).value(), *parsed);
}

TEST(GraphTest, GivesAsTextWhatItHasNoPlaceFor) {
  mindspore::GraphProto proto;
  auto& value = *proto.add_const_vals()->mutable_value();
  value.mutable_tensor_val()->add_dims(2);
  value.mutable_tensor_val()->set_data_type(mindspore::DT_FLOAT32);
  proto.add_const_vals()->mutable_value()->mutable_graph()->set_name("inner");
  auto& dict = *proto.add_const_vals()->mutable_value();
  dict.add_dict_val()->set_key("k");
  dict.mutable_dict_val(0)->mutable_value()->set_uint_val(3);
  proto.add_const_vals()->mutable_value()->mutable_type_val()->set_data_type(
      mindspore::DT_BFLOAT16);
  proto.add_const_vals()->mutable_value()->add_int_vals(7);
  const Graph graph = ParseGraph(proto.SerializeAsString()).value();
  EXPECT_EQ(graph.constants[0].value, GraphValue("Tensor DT_FLOAT32[2]"));
  EXPECT_EQ(graph.constants[1].value, GraphValue("Graph inner"));
  EXPECT_EQ(graph.constants[2].value, GraphValue(GraphValue::List{GraphValue{"k", 3}}));
  EXPECT_EQ(graph.constants[3].value, GraphValue("bfloat16[]"));
  EXPECT_EQ(graph.constants[4].value, GraphValue(GraphValue::List{7}));
}

TEST(GraphTest, ReportsBytesThatAreNoGraph) {
  EXPECT_THAT(ParseGraph("no graph").error(),
              IsStatus(StatusCode::kDataLoss, "8 bytes are no GraphProto"));
}

TEST(GraphTest, IsFoundInAModelAsItIs) {
  const std::string graph = RealGraph().SerializeAsString();
  std::string model;
  wire::AppendInt(model, 1, 1);
  wire::AppendBytes(model, 4, graph);
  EXPECT_EQ(GraphOfModel(model).value(), graph);
}

TEST(GraphTest, ReportsAModelThatIsNoneOrHasNoGraph) {
  EXPECT_THAT(GraphOfModel("no model").error(),
              IsStatus(StatusCode::kDataLoss, "8 bytes are no ModelProto"));
  EXPECT_THAT(GraphOfModel("").error(), IsStatus(StatusCode::kNotFound, "has no graph"));
}

// Values within values, deeper than any reader follows.
TEST(GraphTest, ReportsAGraphThatIsNestedTooDeep) {
  std::string value;
  for (int i = 0; i < 5000; ++i) {
    std::string outer;
    wire::AppendBytes(outer, 18, value);
    value = std::move(outer);
  }
  std::string constant;
  wire::AppendBytes(constant, 2, value);
  std::string graph;
  wire::AppendBytes(graph, 5, constant);
  EXPECT_THAT(ParseGraph(graph).error(), IsStatus(StatusCode::kDataLoss, "no GraphProto"));
}

}  // namespace
}  // namespace sightline
