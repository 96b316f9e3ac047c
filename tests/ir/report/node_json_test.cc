#include "sightline/ir/report/node_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kDump[] = R"(# IR entry: @f
# Total subgraphs: 1

# Total params: 1
# Params:
%para1_x: <Tensor[Float32], (2)>

Node counting information:
Total number of nodes: 4
Total number of cnodes: 2

subgraph attr:
subgraph instance: f : 0x1
subgraph @f() {
  %0(a) = PrimFunc_Add(%para1_x, I64(7)) {instance name: add} primitive_attrs: {axis: I64(1)}
      : (<Tensor[Float32], (2)>, <null>) -> (<Tensor[Float32], (2)>)
      # Fullname with scope: (Default/net/Add-op0)
      # In file /home/user/net.py:12, 8~20/        return x + 7/
  Return(%0)
}
)";

class NodeJsonTest : public ::testing::Test {
 protected:
  Json ToJson(std::uint32_t node) const { return NodeToJson(NodeText(module_), node, paths_); }

  const Module module_ = *ParseIr(kDump);
  PathMap paths_;
};

TEST_F(NodeJsonTest, HasTheNodesStatementValuesAndSource) {
  paths_.Add("/home/user", "/work");
  const Json expected = Json::parse(R"json({
    "subgraph": "f", "number": 0, "name": "a", "kind": "PrimFunc_Add", "callee": "PrimFunc_Add",
    "scope": "Default/net", "full_name": "Add-op0",
    "statement": "%0(a) = PrimFunc_Add(%para1_x, I64(7))", "calls": [],
    "operands": [{"value": "%para1_x of @f", "type": "Float32 (2)"},
                 {"value": "I64(7)", "type": "?"}],
    "results": ["Float32 (2)"], "users": ["@f Return"],
    "attributes": {"": {"instance name": "add"}, "primitive_attrs": {"axis": "I64(1)"}},
    "source": [{"path": "/work/net.py", "line": 12, "last_line": 12,
                "code": "        return x + 7", "column": 8, "end_column": 20}]})json");
  EXPECT_EQ(ToJson(0), expected);
}

TEST_F(NodeJsonTest, UnknownMembersAreNull) {
  const Json json = ToJson(1);
  EXPECT_EQ(json["number"], nullptr);
  EXPECT_EQ(json["operands"][0]["type"], nullptr);
}

}  // namespace
}  // namespace sightline::ir
