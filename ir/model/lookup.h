// Finds a node's types, attributes, scope and source lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// The types of a node's operands and results; null in dumps without them.
const TypeLine* FindTypes(const Module& module, const Node& node);

// The value of the first attribute of this name in any group.
std::optional<std::string_view> FindAttribute(const Module& module, const Node& node,
                                              std::string_view key);

// Where in the network a node is. Views into the module's texts, valid as long as these.
struct Scope {
  std::string_view path;  // "Default/network-WithLossCell/conv1-Conv2d"; empty if unknown.
  std::string_view name;  // "Conv2D-op0"; empty in dumps that print only the path.
};
Scope FindScope(const Module& module, const Node& node);

// The texts of the node's source lines (location.h), the outermost call first, its own line last.
// Lines after a note ("Corresponding code candidate:") belong to other nodes and are left out.
std::vector<TextId> LocationsOf(const Module& module, const Node& node);

// The nodes with this name: "CNode_12", "%3", "Return", or one of these in a subgraph: "@g:%3".
std::vector<std::uint32_t> FindNodes(const Module& module, std::string_view name);

// Where each of module.lines begins in the file, 1-based: statements may span lines.
std::vector<std::uint32_t> LineNumbers(const Module& module);

}  // namespace sightline::ir
