#include "sightline/ir/report/node_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"

namespace sightline::ir {
namespace {

using Json = nlohmann::ordered_json;

Json OperandsToJson(const NodeText& text, const Node& node, std::uint32_t index) {
  Json operands = Json::array();
  const auto types = text.OperandTypes(index);
  for (std::uint32_t i = 0; i < node.operands.size; ++i) {
    operands.push_back({{"value", text.Name(text.flow().source(node.operands.begin + i))},
                        {"type", i < types.size() ? Json(types[i]) : Json()}});
  }
  return operands;
}

// An object for each group.
Json AttributesToJson(const Module& module, const Node& node) {
  Json json = Json::object();
  const Range groups = module.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const AttributeGroup& group = module.attribute_groups[i];
    Json& attributes = json[std::string(module.texts[group.name])];
    for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k) {
      const Attribute& attribute = module.attributes[k];
      attributes[std::string(module.texts[attribute.key])] = module.texts[attribute.value];
    }
  }
  return json;
}

Json LocationToJson(const Location& location, const PathMap& paths) {
  Json json = {{"path", paths.Apply(location.path)},
               {"line", location.first_line},
               {"last_line", location.last_line},
               {"code", location.code}};
  if (location.columns) {
    json["column"] = location.columns->begin;
    json["end_column"] = location.columns->end;
  }
  return json;
}

}  // namespace

Json NodeToJson(const NodeText& text, std::uint32_t index, const PathMap& paths) {
  const Module& module = text.module();
  const Dataflow& flow = text.flow();
  const Node& node = module.nodes[index];
  const Scope scope = FindScope(module, node);
  const auto name_of = [&](std::uint32_t subgraph) {
    return module.texts[module.subgraphs[subgraph].name];
  };
  const bool is_return = node.kind == CalleeKind::kReturn;
  Json json = {{"subgraph", name_of(flow.SubgraphOfNode(index))},
               {"number", is_return ? Json() : Json(node.number)},
               {"name", module.texts[node.name]},
               {"kind", CalleeName(module, node)},
               {"callee", module.texts[node.callee]},
               {"scope", scope.path},
               {"full_name", scope.name},
               {"statement", text.Statement(index)},
               {"calls", Json::array()},
               {"operands", OperandsToJson(text, node, index)},
               {"results", text.ResultTypes(index)},
               {"users", Json::array()},
               {"attributes", AttributesToJson(module, node)},
               {"source", Json::array()}};
  for (const std::uint32_t called : flow.Calls(index)) json["calls"].push_back(name_of(called));
  for (const std::uint32_t user : flow.NodeUsers(index)) json["users"].push_back(text.Name(user));
  for (const Location& location : text.Locations(index))
    json["source"].push_back(LocationToJson(location, paths));
  return json;
}

}  // namespace sightline::ir
