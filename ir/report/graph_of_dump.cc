#include "sightline/ir/report/graph_of_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/ascii.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/operator_kind.h"
#include "sightline/ir/model/type.h"

namespace sightline::ir {
namespace {

constexpr std::array kDTypes = {
    DType::kBool,    DType::kInt8,    DType::kInt16,    DType::kInt32,     DType::kInt64,
    DType::kUint8,   DType::kUint16,  DType::kUint32,   DType::kUint64,    DType::kFloat16,
    DType::kFloat32, DType::kFloat64, DType::kBfloat16, DType::kComplex64, DType::kComplex128};

// MindSpore's "Float32" is NumPy's "float32".
std::optional<DType> DTypeOfElement(std::string_view element) {
  const std::string name = LowerCase(element);
  for (const DType dtype : kDTypes)
    if (DTypeName(dtype) == name) return dtype;
  return std::nullopt;
}

GraphType TypeOf(std::string_view text) {
  const auto type = ParseType(text);
  if (!type) return {};
  return {DTypeOfElement(ElementType(*type)),
          Dimensions(type->shape).value_or(std::vector<std::int64_t>())};
}

class Converter {
 public:
  Converter(const Module& module, const Dataflow& flow, const std::vector<bool>& shown)
      : module_(module), flow_(flow), shown_(shown), parameters_(module.parameters.size(), false) {}

  Graph Convert() {
    graph_.name = module_.texts[module_.header.entry];
    for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
      if (shown_[i]) AddNode(i);
    for (std::uint32_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i]) continue;
      graph_.parameters.push_back(
          {ParameterName(i), TypeOf(module_.texts[module_.parameters[i].type])});
    }
    return std::move(graph_);
  }

 private:
  // Unique in the graph; viewers show full_name.
  static std::string NodeName(std::uint32_t node) { return fmt::format("node {}", node); }
  std::string ParameterName(std::uint32_t parameter) const {
    return fmt::format("{} {}", module_.texts[module_.parameters[parameter].name],
                       module_.parameters[parameter].number);
  }

  std::string ScopeOf(std::uint32_t node) const {
    std::string scope(FindScope(module_, module_.nodes[node]).path);
    const std::uint32_t subgraph = flow_.SubgraphOfNode(node);
    if (subgraph == flow_.entry() || module_.subgraphs.size() == 1) return scope;
    if (!scope.empty()) scope += "/";
    std::string name(module_.texts[module_.subgraphs[subgraph].name]);
    std::replace(name.begin(), name.end(), '/', '_');
    return scope + "@" + name;
  }

  // Without slashes, which separate scopes.
  std::string NameInScope(const Node& node) const {
    std::string name(FindScope(module_, node).name);
    if (name.empty()) name = module_.texts[node.name];
    if (name.empty() && node.kind == CalleeKind::kReturn) name = "Return";
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
  }

  void AddNode(std::uint32_t index) {
    const Node& node = module_.nodes[index];
    GraphNode added;
    added.name = NodeName(index);
    added.op_type = node.kind == CalleeKind::kCall
                        ? fmt::format("call @{}", module_.texts[node.callee])
                        : std::string(OperatorName(module_.texts[node.callee]));
    added.full_name = ScopeOf(index) + "/" + NameInScope(node);
    for (std::uint32_t i = 0; i < node.operands.size; ++i)
      AddInput(flow_.source(node.operands.begin + i), i, added);
    AddInput(flow_.callee(index), node.operands.size, added);
    for (const std::uint32_t subgraph : flow_.Calls(index)) AddSubgraph(subgraph, added);
    AddAttributes(node, added);
    if (const TypeLine* types = FindTypes(module_, node); types != nullptr) {
      for (std::uint32_t i = 0; i < types->outputs; ++i) {
        added.outputs.push_back(
            TypeOf(module_.texts[module_.types[types->begin + types->inputs + i]]));
      }
    }
    graph_.nodes.push_back(std::move(added));
  }

  void AddInput(const Source& source, std::uint32_t position, GraphNode& node) {
    switch (source.kind) {
      case SourceKind::kNode:
        if (shown_[source.index]) node.inputs.push_back(NodeName(source.index));
        return;
      case SourceKind::kParameter:
        parameters_[source.index] = true;
        node.inputs.push_back(ParameterName(source.index));
        return;
      case SourceKind::kSubgraph:
        return AddSubgraph(source.index, node);
      case SourceKind::kConstant:
        node.attributes[fmt::format("input {}", position)] =
            std::string(module_.texts[TextId{source.index}]);
        return;
      case SourceKind::kPrimitive:
      case SourceKind::kUnresolved:
        return;
    }
  }

  void AddSubgraph(std::uint32_t subgraph, GraphNode& node) const {
    const Range nodes = module_.subgraphs[subgraph].nodes;
    if (nodes.size == 0 || !shown_[nodes.end() - 1]) return;
    const std::string returned = NodeName(nodes.end() - 1);
    if (std::find(node.inputs.begin(), node.inputs.end(), returned) == node.inputs.end() &&
        returned != node.name)
      node.inputs.push_back(returned);
  }

  void AddAttributes(const Node& node, GraphNode& added) const {
    const Range groups = module_.node_attributes[node.attributes].groups;
    for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
      const Range attributes = module_.attribute_groups[i].attributes;
      for (std::uint32_t k = attributes.begin; k < attributes.end(); ++k) {
        added.attributes.try_emplace(std::string(module_.texts[module_.attributes[k].key]),
                                     std::string(module_.texts[module_.attributes[k].value]));
      }
    }
  }

  const Module& module_;
  const Dataflow& flow_;
  const std::vector<bool>& shown_;
  Graph graph_;
  std::vector<bool> parameters_;  // Whether a node takes it.
};

}  // namespace

Graph GraphOfDump(const Module& module, const Dataflow& flow, const std::vector<bool>& shown) {
  return Converter(module, flow, shown).Convert();
}

}  // namespace sightline::ir
