#include "sightline/ir/lookup.h"

namespace sightline::ir {

const TypeLine* FindTypes(const Module& module, const Node& node) {
  if (node.lines.size == 0) return nullptr;
  const Line& line = module.lines[node.lines.begin];
  return line.kind == LineKind::kTypes ? &module.type_lines[line.index] : nullptr;
}

std::string_view FindAttribute(const Module& module, const Node& node, std::string_view key) {
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

}  // namespace sightline::ir
