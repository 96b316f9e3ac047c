#include "sightline/ir/report/drawing_json.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace sightline {
namespace {

using Json = nlohmann::ordered_json;

std::string_view Name(ir::BoxKind kind) {
  switch (kind) {
    case ir::BoxKind::kNode:
      return "node";
    case ir::BoxKind::kGroup:
      return "group";
    case ir::BoxKind::kParameters:
      return "parameters";
  }
  return {};
}

std::string_view Name(ir::EdgeKind kind) {
  switch (kind) {
    case ir::EdgeKind::kData:
      return "data";
    case ir::EdgeKind::kOrder:
      return "order";
    case ir::EdgeKind::kCall:
      return "call";
  }
  return {};
}

std::string_view Name(ir::OperatorKind kind) {
  switch (kind) {
    case ir::OperatorKind::kMath:
      return "math";
    case ir::OperatorKind::kMatrix:
      return "matrix";
    case ir::OperatorKind::kShape:
      return "shape";
    case ir::OperatorKind::kState:
      return "state";
    case ir::OperatorKind::kCommunication:
      return "communication";
    case ir::OperatorKind::kControl:
      return "control";
  }
  return {};
}

Json ToJson(const ir::Cluster& cluster) {
  return {{"parent", cluster.parent == ir::kNoIndex ? Json() : Json(cluster.parent)},
          {"title", cluster.title},
          {"subgraph", cluster.is_subgraph},
          {"copies", cluster.copies}};
}

Json ToJson(const ir::Box& box) {
  Json json = {{"kind", Name(box.kind)}};
  if (box.kind == ir::BoxKind::kNode) json["operator_kind"] = Name(box.operator_kind);
  json.update({{"title", box.title},
               {"rows", box.rows},
               {"cluster", box.cluster},
               {"nodes", box.nodes},
               {"copies", box.copies},
               {"tooltip", box.tooltip}});
  return json;
}

Json ToJson(const ir::Edge& edge) {
  return {{"from", edge.from},
          {"to", edge.to},
          {"kind", Name(edge.kind)},
          {"values", edge.values},
          {"type", edge.type}};
}

Json ListOf(const auto& elements) {
  Json list = Json::array();
  for (const auto& element : elements) list.push_back(ToJson(element));
  return list;
}

}  // namespace

std::string DrawingToJson(const ir::Drawing& drawing) {
  const Json json = {{"title", drawing.title},
                     {"subtitle", drawing.subtitle},
                     {"nodes", drawing.nodes},
                     {"hidden", drawing.hidden},
                     {"clusters", ListOf(drawing.clusters)},
                     {"boxes", ListOf(drawing.boxes)},
                     {"edges", ListOf(drawing.edges)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sightline
