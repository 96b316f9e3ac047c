#include "sightline/ir/read/proto_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/base/wire.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;

Graph TwoNodes() {
  Graph graph;
  graph.name = "f_1";
  graph.parameters = {{"x", {DType::kFloat32, {2, 3}}}};
  graph.constants = {{"cst1", true}, {"cst2", GraphValue::List{1, "two"}}};
  graph.nodes = {{.name = "1",
                  .op_type = "ReLU",
                  .full_name = "Default/r-ReLU/ReLU-op0",
                  .inputs = {"x"},
                  .outputs = {{DType::kFloat32, {2, 3}}}},
                 {.name = "2",
                  .op_type = "TopK",
                  .scope = "Default",
                  .inputs = {"1", "cst1", "cst2"},
                  .attributes = {{"sorted", false}, {"k", 3}},
                  .outputs = {{DType::kFloat32, {2, 3}}, {DType::kBfloat16, {2}}}}};
  graph.outputs = {"2"};
  return graph;
}

Module Read(const Graph& graph) {
  const Result<std::string> message = SerializeGraph(graph);
  EXPECT_THAT(message, IsOk());
  Result<Module> module = ParseGraphProto(*message);
  EXPECT_THAT(module, IsOk());
  return *std::move(module);
}

TEST(ProtoReader, GivesTheGraphAsADump) {
  const Module module = Read(TwoNodes());
  EXPECT_EQ(module.problem_count, 0);
  EXPECT_EQ(PrintIr(module), R"(# IR entry: @f_1
# Total subgraphs: 1

# Total params: 1
# Params:
%para1_x: <Tensor[Float32], (2, 3)>

Node counting information:
Total number of cnodes: 3

subgraph attr:

subgraph @f_1() {
  %0(1) = ReLU(%para1_x)
      : (<Tensor[Float32], (2, 3)>) -> (<Tensor[Float32], (2, 3)>)
      # Fullname with scope: (Default/r-ReLU/ReLU-op0)
  %1(2) = TopK(%0, Bool(1), (I64(1), "two")) primitive_attrs: {k: I64(3), sorted: Bool(0)}
      : (<Tensor[Float32], (2, 3)>, <null>, <null>) -> (<Tuple[Tensor[Float32],Tensor[BFloat16]], TupleShape((2, 3), (2))>)
      # Fullname with scope: (Default/2)
  Return(%1)
      : (<Tuple[Tensor[Float32],Tensor[BFloat16]], TupleShape((2, 3), (2))>)
}


)");
}

TEST(ProtoReader, PutsNodesBehindWhatTheyTake) {
  Graph graph = TwoNodes();
  std::swap(graph.nodes[0], graph.nodes[1]);
  const Module module = Read(graph);
  EXPECT_EQ(module.texts[module.nodes[0].callee], "ReLU");
  EXPECT_EQ(module.texts[module.nodes[1].callee], "TopK");
}

// "1" takes "2" and "2" takes "1": SerializeGraph would refuse neither.
TEST(ProtoReader, NamesInputsThatTheGraphDoesNotHave) {
  std::string message;
  for (const char* name : {"1", "2"}) {
    std::string input;
    wire::AppendBytes(input, 1, name[0] == '1' ? "2" : "1");
    std::string node;
    wire::AppendBytes(node, 1, input);
    wire::AppendBytes(node, 2, name);
    wire::AppendBytes(message, 1, node);
  }
  const Result<Module> module = ParseGraphProto(message);
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->nodes.size(), 3);
  ASSERT_EQ(module->problem_count, 1);
  EXPECT_THAT(module->problems[0].message, HasSubstr("no node, parameter or constant '1'"));
}

TEST(ProtoReader, RefusesBytesThatAreNoMessage) {
  EXPECT_THAT(ParseGraphProto("\x0a\xff").error(), IsStatus(StatusCode::kDataLoss, "GraphProto"));
  EXPECT_THAT(ParseModelProto("\x08\x01").error(), IsStatus(StatusCode::kDataLoss, "ModelProto"));
  EXPECT_THAT(ParseModelProto("\x22\xff").error(), IsStatus(StatusCode::kDataLoss, "ModelProto"));
}

TEST(ProtoReader, ReadsTheGraphOfASummaryFile) {
  const std::string folder = testing::CorpusPath("mindspore/lenet/");
  const auto module =
      ReadIr(FileSystem::Local(), folder + "events.out.events.summary.1795189336.0.vm_MS");
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->problem_count, 0);
  EXPECT_EQ(module->nodes.size(), 87 + 1);  // The Return.
  EXPECT_TRUE(module->texts[module->header.entry].starts_with("298_297_153_1_mindspore_nn_wrap"));
  const auto lineage =
      ReadIr(FileSystem::Local(), folder + "events.out.events.summary.1795189336.0.vm_lineage");
  ASSERT_FALSE(lineage);
  EXPECT_THAT(lineage.error(), IsStatus(StatusCode::kNotFound, "has no graph"));
}

}  // namespace
}  // namespace sightline::ir
