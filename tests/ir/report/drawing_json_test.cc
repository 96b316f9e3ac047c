#include "sightline/ir/report/drawing_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sightline {
namespace {

using nlohmann::json;

TEST(DrawingJson, HoldsBoxesEdgesAndClusters) {
  ir::Drawing drawing;
  drawing.title = "20_validate_0074.ir";
  drawing.subtitle = "main";
  drawing.clusters = {{}, {0, true, 2, "@g"}};
  drawing.nodes = 5;
  drawing.hidden = 2;
  ir::Box box;
  box.kind = ir::BoxKind::kGroup;
  box.cluster = 1;
  box.nodes = 3;
  box.title = "conv1";
  box.rows = {"3 nodes"};
  ir::Box node;
  node.title = "MatMul";
  node.operator_kind = ir::OperatorKind::kMatrix;
  drawing.boxes = {box, node};
  drawing.edges = {{0, 1, ir::EdgeKind::kData, 2, "Float32 (2)", true, ir::kNoIndex}};
  const json parsed = json::parse(ir::DrawingToJson(drawing));
  EXPECT_EQ(parsed["title"], "20_validate_0074.ir");
  EXPECT_EQ(parsed["subtitle"], "main");
  EXPECT_EQ(parsed["nodes"], 5);
  EXPECT_EQ(parsed["hidden"], 2);
  EXPECT_EQ(parsed["clusters"][0]["parent"], nullptr);
  EXPECT_EQ(parsed["clusters"][1],
            json({{"parent", 0}, {"title", "@g"}, {"subgraph", true}, {"copies", 2}}));
  EXPECT_EQ(parsed["boxes"][0], json({{"kind", "group"},
                                      {"title", "conv1"},
                                      {"rows", {"3 nodes"}},
                                      {"cluster", 1},
                                      {"nodes", 3},
                                      {"copies", 1},
                                      {"tooltip", ""}}));
  EXPECT_EQ(parsed["boxes"][1]["operator_kind"], "matrix");
  EXPECT_EQ(
      parsed["edges"][0],
      json({{"from", 0}, {"to", 1}, {"kind", "data"}, {"values", 2}, {"type", "Float32 (2)"}}));
}

TEST(DrawingJson, TextThatIsNotUtf8IsReplaced) {
  ir::Drawing drawing;
  drawing.title = "a\xff";
  EXPECT_EQ(json::parse(ir::DrawingToJson(drawing))["title"], "a\xef\xbf\xbd");
}

}  // namespace
}  // namespace sightline
