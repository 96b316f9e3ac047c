#include "sightline/ir/report/graph_of_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/operator_kind.h"
#include "sightline/ir/model/type.h"

namespace sightline {
namespace {

// MindSpore's "Float32" is NumPy's "float32".
std::optional<DType> DTypeOfElement(std::string_view element) {
  std::string name(element);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (int i = 1; DTypeSize(static_cast<DType>(i)) > 0; ++i)
    if (DTypeName(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  return std::nullopt;
}

GraphType TypeOf(std::string_view text) {
  const auto type = ir::ParseType(text);
  if (!type) return {};
  return {DTypeOfElement(ir::ElementType(*type)),
          ir::Dimensions(type->shape).value_or(std::vector<std::int64_t>())};
}

class Converter {
 public:
  Converter(const ir::Module& module, const ir::Dataflow& flow, const std::vector<bool>& shown)
      : module_(module), flow_(flow), shown_(shown), parameters_(module.parameters.size(), false) {}

  Graph Convert() {
    graph_.name = module_.texts[module_.header.entry];
    for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
      if (shown_[i]) AddNode(i);
    for (std::uint32_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i]) continue;
      graph_.parameters.push_back(
          {NameOfParameter(i), TypeOf(module_.texts[module_.parameters[i].type])});
    }
    return std::move(graph_);
  }

 private:
  // Unique in the graph; viewers show full_name.
  static std::string NameOf(std::uint32_t node) { return fmt::format("node {}", node); }
  std::string NameOfParameter(std::uint32_t parameter) const {
    return fmt::format("{} {}", module_.texts[module_.parameters[parameter].name],
                       module_.parameters[parameter].number);
  }

  std::string ScopeOf(std::uint32_t node) const {
    std::string scope(ir::FindScope(module_, module_.nodes[node]).path);
    const std::uint32_t subgraph = flow_.SubgraphOfNode(node);
    if (subgraph == flow_.entry() || module_.subgraphs.size() == 1) return scope;
    if (!scope.empty()) scope += "/";
    std::string name(module_.texts[module_.subgraphs[subgraph].name]);
    std::replace(name.begin(), name.end(), '/', '_');
    return scope + "@" + name;
  }

  void AddNode(std::uint32_t index) {
    const ir::Node& node = module_.nodes[index];
    GraphNode added;
    added.name = NameOf(index);
    added.op_type = node.kind == ir::CalleeKind::kCall
                        ? fmt::format("call @{}", module_.texts[node.callee])
                        : std::string(ir::OperatorName(module_.texts[node.callee]));
    const ir::Scope scope = ir::FindScope(module_, node);
    std::string own(!scope.name.empty()                    ? scope.name
                    : node.kind == ir::CalleeKind::kReturn ? "Return"
                                                           : module_.texts[node.name]);
    std::replace(own.begin(), own.end(), '/', '_');
    added.full_name = ScopeOf(index) + "/" + own;
    for (std::uint32_t i = 0; i < node.operands.size; ++i)
      AddInput(flow_.source(node.operands.begin + i), i, added);
    AddInput(flow_.callee(index), node.operands.size, added);
    for (const std::uint32_t subgraph : flow_.Calls(index)) AddSubgraph(subgraph, added);
    AddAttributes(node, added);
    if (const ir::TypeLine* types = ir::FindTypes(module_, node); types != nullptr) {
      for (std::uint32_t i = 0; i < types->outputs; ++i) {
        added.outputs.push_back(
            TypeOf(module_.texts[module_.types[types->begin + types->inputs + i]]));
      }
    }
    graph_.nodes.push_back(std::move(added));
  }

  void AddInput(const ir::Source& source, std::uint32_t position, GraphNode& node) {
    switch (source.kind) {
      case ir::SourceKind::kNode:
        if (shown_[source.index]) node.inputs.push_back(NameOf(source.index));
        return;
      case ir::SourceKind::kParameter:
        parameters_[source.index] = true;
        node.inputs.push_back(NameOfParameter(source.index));
        return;
      case ir::SourceKind::kSubgraph:
        return AddSubgraph(source.index, node);
      case ir::SourceKind::kConstant:
        node.attributes[fmt::format("input {}", position)] =
            std::string(module_.texts[ir::TextId{source.index}]);
        return;
      case ir::SourceKind::kPrimitive:
      case ir::SourceKind::kUnresolved:
        return;
    }
  }

  void AddSubgraph(std::uint32_t subgraph, GraphNode& node) const {
    const ir::Range nodes = module_.subgraphs[subgraph].nodes;
    if (nodes.size == 0 || !shown_[nodes.end() - 1]) return;
    const std::string returned = NameOf(nodes.end() - 1);
    if (std::find(node.inputs.begin(), node.inputs.end(), returned) == node.inputs.end() &&
        returned != node.name)
      node.inputs.push_back(returned);
  }

  void AddAttributes(const ir::Node& node, GraphNode& added) const {
    const ir::Range groups = module_.node_attributes[node.attributes].groups;
    for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
      const ir::Range attributes = module_.attribute_groups[i].attributes;
      for (std::uint32_t k = attributes.begin; k < attributes.end(); ++k) {
        added.attributes.try_emplace(std::string(module_.texts[module_.attributes[k].key]),
                                     std::string(module_.texts[module_.attributes[k].value]));
      }
    }
  }

  const ir::Module& module_;
  const ir::Dataflow& flow_;
  const std::vector<bool>& shown_;
  Graph graph_;
  std::vector<bool> parameters_;  // That some node takes.
};

}  // namespace

Graph GraphOfDump(const ir::Module& module, const ir::Dataflow& flow,
                  const std::vector<bool>& shown) {
  return Converter(module, flow, shown).Convert();
}

}  // namespace sightline
