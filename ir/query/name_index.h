// Finds the elements of a module by name and number: all that have it, in the order of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

class NameIndex {
 public:
  using Found = std::span<const std::uint32_t>;

  // `parameter_subgraphs`: the subgraph of each of the module's parameters. Both must outlive this.
  NameIndex(const Module& module, const std::vector<std::uint32_t>& parameter_subgraphs);

  Found Subgraphs(std::string_view name) const;
  // Of one subgraph. The first call for a subgraph sorts its nodes.
  Found Nodes(std::uint32_t subgraph, std::string_view name);
  Found Parameters(std::uint32_t subgraph, std::string_view name) const;
  // The parameters with this number: of the whole module, of one subgraph, or those that also have
  // this name.
  Found Numbered(std::uint32_t number) const;
  Found Numbered(std::uint32_t number, std::uint32_t subgraph) const;
  Found Numbered(std::uint32_t number, std::uint32_t subgraph, std::string_view name) const;

 private:
  std::string_view SubgraphName(std::uint32_t subgraph) const {
    return module_.texts[module_.subgraphs[subgraph].name];
  }
  std::string_view NodeName(std::uint32_t node) const {
    return module_.texts[module_.nodes[node].name];
  }
  std::string_view ParameterName(std::uint32_t parameter) const {
    return module_.texts[module_.parameters[parameter].name];
  }
  std::uint32_t ParameterNumber(std::uint32_t parameter) const {
    return module_.parameters[parameter].number;
  }

  const Module& module_;
  const std::vector<std::uint32_t>& parameter_subgraphs_;
  std::vector<std::uint32_t> subgraphs_;  // By name.
  std::vector<std::uint32_t> nodes_;      // Those of a subgraph by name, once it was asked for.
  std::vector<bool> nodes_sorted_;        // Of subgraphs.
  std::vector<std::uint32_t> parameters_by_name_;    // By subgraph and name.
  std::vector<std::uint32_t> parameters_by_number_;  // By number, subgraph and name.
};

}  // namespace sightline::ir
