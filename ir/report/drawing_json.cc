#include "sightline/ir/report/drawing_json.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "sightline/base/json/json_line.h"

namespace sightline::ir {
namespace {

using Json = nlohmann::ordered_json;

std::string_view Name(BoxKind kind) {
  switch (kind) {
    case BoxKind::kNode:
      return "node";
    case BoxKind::kGroup:
      return "group";
    case BoxKind::kParameters:
      return "parameters";
  }
  return {};
}

std::string_view Name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kData:
      return "data";
    case EdgeKind::kOrder:
      return "order";
    case EdgeKind::kCall:
      return "call";
  }
  return {};
}

std::string_view Name(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kMath:
      return "math";
    case OperatorKind::kMatrix:
      return "matrix";
    case OperatorKind::kShape:
      return "shape";
    case OperatorKind::kState:
      return "state";
    case OperatorKind::kCommunication:
      return "communication";
    case OperatorKind::kControl:
      return "control";
  }
  return {};
}

Json ToJson(const Cluster& cluster) {
  return {{"parent", cluster.parent == kNoIndex ? Json() : Json(cluster.parent)},
          {"title", cluster.title},
          {"subgraph", cluster.is_subgraph},
          {"copies", cluster.copies}};
}

Json ToJson(const Box& box) {
  Json json = {{"kind", Name(box.kind)}};
  if (box.kind == BoxKind::kNode) json["operator_kind"] = Name(box.operator_kind);
  json.update({{"title", box.title},
               {"rows", box.rows},
               {"cluster", box.cluster},
               {"nodes", box.nodes},
               {"copies", box.copies},
               {"tooltip", box.tooltip}});
  return json;
}

Json ToJson(const Edge& edge) {
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

std::string DrawingToJson(const Drawing& drawing) {
  const Json json = {{"title", drawing.title},
                     {"subtitle", drawing.subtitle},
                     {"nodes", drawing.nodes},
                     {"hidden", drawing.hidden},
                     {"clusters", ListOf(drawing.clusters)},
                     {"boxes", ListOf(drawing.boxes)},
                     {"edges", ListOf(drawing.edges)}};
  return JsonLine(json);
}

}  // namespace sightline::ir
