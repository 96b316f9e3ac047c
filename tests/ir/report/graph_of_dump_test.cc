#include "sightline/ir/report/graph_of_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;

constexpr char kDump[] = R"(# IR entry: @f

# Total params: 2
# Params:
%para1_x: <Tensor[Float32], (2, 3)>
%para2_w: <Ref[Tensor[Float32]], (4)>  :  has_default

subgraph @g(%para3_y) {
  %0(inside) = PrimFunc_Tanh(%para3_y)
      : (<Tensor[Float32], (2, 3)>) -> (<Tensor[Float32], (2, 3)>)
      # Scope: (Default/net)
  Return(%0)
}
subgraph @f() {
  %0(a) = PrimFunc_Add(%para1_x, I64(7)) {instance name: add} primitive_attrs: {axis: I64(1)}
      : (<Tensor[Float32], (2, 3)>, <Int64, NoShape>) -> (<Tensor[Float32], (2, -1)>)
      # Fullname with scope: (Default/net/Add-op0)
  %1(b) = call @g(%0)
  Return(%1)
}
)";

class GraphOfDumpTest : public ::testing::Test {
 protected:
  GraphOfDumpTest() : module_(*ir::ParseIr(kDump)), flow_(module_) {
    graph_ = ir::GraphOfDump(module_, flow_, std::vector<bool>(module_.nodes.size(), true));
  }
  const GraphNode& Node(const std::string& full_name) const {
    for (const GraphNode& node : graph_.nodes)
      if (node.full_name == full_name) return node;
    ADD_FAILURE() << full_name;
    return graph_.nodes.front();
  }
  std::vector<std::string> Inputs(const GraphNode& node) const {
    std::vector<std::string> names;
    for (const std::string& input : node.inputs) {
      names.push_back(input);
      for (const GraphNode& other : graph_.nodes)
        if (other.name == input) names.back() = other.full_name;
    }
    return names;
  }

  ir::Module module_;
  ir::Dataflow flow_;
  Graph graph_;
};

TEST_F(GraphOfDumpTest, ANodeStandsInItsScope) {
  EXPECT_EQ(Node("Default/net/Add-op0").op_type, "Add");
  EXPECT_EQ(Node("Default/net/@g/inside").op_type, "Tanh");
}

TEST_F(GraphOfDumpTest, ConstantsAreAttributesBesideTheNodesOwn) {
  const GraphNode& node = Node("Default/net/Add-op0");
  EXPECT_EQ(node.attributes.at("input 1"), GraphValue("I64(7)"));
  EXPECT_EQ(node.attributes.at("axis"), GraphValue("I64(1)"));
}

TEST_F(GraphOfDumpTest, TypesAreThoseOfTheResults) {
  EXPECT_THAT(Node("Default/net/Add-op0").outputs,
              ElementsAre(GraphType{DType::kFloat32, {2, -1}}));
}

TEST_F(GraphOfDumpTest, ACallTakesItsOperandsAndWhatTheSubgraphReturns) {
  EXPECT_THAT(Inputs(Node("/b")), ElementsAre("Default/net/Add-op0", "@g/Return"));
}

TEST_F(GraphOfDumpTest, ParametersAreThoseThatAreTaken) {
  ASSERT_EQ(graph_.parameters.size(), 2);
  EXPECT_EQ(graph_.parameters[0].type, (GraphType{DType::kFloat32, {2, 3}}));
}

TEST_F(GraphOfDumpTest, OfASelectionOnlyItsNodesAreThere) {
  std::vector<bool> shown(module_.nodes.size(), false);
  shown[0] = true;
  const Graph graph = ir::GraphOfDump(module_, flow_, shown);
  EXPECT_EQ(graph.nodes.size(), 1);
  EXPECT_THAT(SerializeGraph(graph), testing::IsOk());
}

TEST_F(GraphOfDumpTest, EveryDumpOfTheCorpusCanBeWritten) {
  for (const char* name :
       {"ir/control_flow_grad/01_type_inference_0001.ir", "ir/html/20_validate_0542.ir",
        "ir/transformer_level1/20_validate_0074.ir", "ir/mlp_level1/ms_output_optimize.pb"}) {
    const auto module = ir::ReadIr(FileSystem::Local(), testing::CorpusPath(name));
    ASSERT_THAT(module, testing::IsOk());
    const std::vector<bool> shown(module->nodes.size(), true);
    const Graph graph = ir::GraphOfDump(*module, ir::Dataflow(*module), shown);
    EXPECT_EQ(graph.nodes.size(), module->nodes.size());
    EXPECT_THAT(SerializeGraph(graph), testing::IsOk()) << name;
  }
}

}  // namespace
}  // namespace sightline
