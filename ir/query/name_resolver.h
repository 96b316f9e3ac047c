// Resolves the names in a module's statements, by the rules of dataflow.h. Private
// to this folder.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/name_index.h"

namespace sightline::ir {

class NameResolver {
 public:
  // The subgraph of each node and each parameter, and the parent of each subgraph; they may be
  // filled in later, before a name needs them. All must outlive it.
  NameResolver(const Module& module, const std::vector<std::uint32_t>& node_subgraphs,
               const std::vector<std::uint32_t>& parameter_subgraphs,
               const std::vector<std::uint32_t>& parents)
      : module_(module),
        node_subgraphs_(node_subgraphs),
        parents_(parents),
        names_(module, parameter_subgraphs) {}

  // The node's operand at `position`.
  Source ResolveOperand(std::uint32_t node, std::uint32_t position);
  // What the node of this index calls.
  Source ResolveCallee(std::uint32_t index);
  // The subgraph NAME to which another one refers.
  Source ResolveSubgraph(std::uint32_t from, std::string_view name);

 private:
  Source ResolveNumber(std::uint32_t node, std::uint32_t number);
  // "para3_x"
  Source ResolveParameter(std::uint32_t subgraph, std::string_view text);
  Source ResolveFunctionParameter(std::uint32_t subgraph, std::string_view name);
  // "GRAPH:NAME"; `type` is the expected type; empty for any.
  Source ResolveForeign(std::uint32_t from, std::string_view text, TextId type);
  // The first of these nodes whose result has the type; the first of all if none has.
  Source Choose(NameIndex::Found nodes, TextId type) const;
  std::string_view Text(TextId id) const { return module_.texts[id]; }

  const Module& module_;
  const std::vector<std::uint32_t>& node_subgraphs_;
  const std::vector<std::uint32_t>& parents_;
  NameIndex names_;
};

}  // namespace sightline::ir
