#include "sightline/ir/model/lookup.h"

#include <algorithm>
#include <string>

namespace sightline::ir {

const TypeLine* FindTypes(const Module& module, const Node& node) {
  if (node.lines.size == 0) return nullptr;
  const Line& line = module.lines[node.lines.begin];
  return line.kind == LineKind::kTypes ? &module.type_lines[line.index] : nullptr;
}

std::optional<std::string_view> FindAttribute(const Module& module, const Node& node,
                                              std::string_view key) {
  const Range groups = module.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const Range attributes = module.attribute_groups[i].attributes;
    for (std::uint32_t k = attributes.begin; k < attributes.end(); ++k) {
      if (module.texts[module.attributes[k].key] == key)
        return module.texts[module.attributes[k].value];
    }
  }
  return {};
}

Scope FindScope(const Module& module, const Node& node) {
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    const Line& line = module.lines[i];
    if (line.kind == LineKind::kScope || line.kind == LineKind::kFailureScope)
      return {module.texts[TextId{line.index}], {}};
    if (line.kind != LineKind::kFullname) continue;
    const std::string_view text = module.texts[TextId{line.index}];
    const std::size_t slash = text.rfind('/');
    if (slash == std::string_view::npos) return {{}, text};
    return {text.substr(0, slash), text.substr(slash + 1)};
  }
  return {};
}

std::vector<TextId> LocationsOf(const Module& module, const Node& node) {
  std::vector<TextId> locations;
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    const Line& line = module.lines[i];
    if (line.kind == LineKind::kNote) break;
    if (line.kind == LineKind::kLocation) locations.push_back(TextId{line.index});
  }
  return locations;
}

namespace {

// Constants, strings and attributes hold the newlines of a statement.
std::uint32_t Newlines(const Module& module, const Node& node) {
  const auto count = [&](TextId id) {
    const std::string_view text = module.texts[id];
    return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  };
  std::uint32_t newlines = count(node.callee);
  for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i) {
    const Operand& operand = module.operands[i];
    if (operand.kind != OperandKind::kNode) newlines += count(TextId{operand.index});
  }
  const Range groups = module.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const Range attributes = module.attribute_groups[i].attributes;
    for (std::uint32_t k = attributes.begin; k < attributes.end(); ++k)
      newlines += count(module.attributes[k].key) + count(module.attributes[k].value);
  }
  return newlines;
}

}  // namespace

std::vector<std::uint32_t> FindNodes(const Module& module, std::string_view name) {
  std::string_view subgraph;
  const std::size_t colon = name.rfind(':');
  if (name.starts_with('@') && colon != std::string_view::npos) {
    subgraph = name.substr(1, colon - 1);
    name.remove_prefix(colon + 1);
  }
  std::vector<std::uint32_t> nodes;
  for (const Subgraph& of : module.subgraphs) {
    if (!subgraph.empty() && module.texts[of.name] != subgraph) continue;
    for (std::uint32_t i = of.nodes.begin; i < of.nodes.end(); ++i) {
      const Node& node = module.nodes[i];
      const bool found =
          node.kind == CalleeKind::kReturn
              ? name == "Return"
              : name == module.texts[node.name] || name == "%" + std::to_string(node.number);
      if (found) nodes.push_back(i);
    }
  }
  return nodes;
}

std::vector<std::uint32_t> LineNumbers(const Module& module) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(module.lines.size());
  std::uint32_t next = 1;
  for (const Line& line : module.lines) {
    numbers.push_back(next);
    next += line.kind == LineKind::kBlank ? line.index : 1;
    if (line.kind == LineKind::kNode) next += Newlines(module, module.nodes[line.index]);
  }
  return numbers;
}

}  // namespace sightline::ir
