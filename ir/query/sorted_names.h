// The names of parameters, and of nodes of other subgraphs, in the sorted form (sorted.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

// "para3_x"
struct ParameterName {
  std::uint32_t number = 0;
  std::string_view name;
};
std::optional<ParameterName> ParseParameterName(std::string_view text);

class SortedNames {
 public:
  // Both must outlive this.
  SortedNames(const Module& module, const Dataflow& flow);

  // The number of a parameter. In all other subgraphs, numbers begin after those of the entry
  // graph.
  std::uint32_t number(std::uint32_t parameter) const { return numbers_[parameter]; }

  // "para3_x", with this name or the one in the list of parameters, if a reader of the subgraph
  // would resolve that to this parameter; otherwise none.
  std::optional<std::string> Local(std::uint32_t parameter, std::string_view name,
                                   std::uint32_t subgraph) const;
  // "GRAPH:para3_x"
  std::string ForeignParameter(std::uint32_t parameter) const;
  // "GRAPH:NAME"
  std::string ForeignNode(std::uint32_t node) const;

 private:
  bool IsReadAs(std::string_view name, std::uint32_t parameter, std::uint32_t subgraph) const;
  std::string Foreign(std::string_view name, std::uint32_t owner) const;
  std::string_view Text(TextId id) const { return module_.texts[id]; }
  std::string_view OriginalName(std::uint32_t parameter) const {
    return Text(module_.parameters[parameter].name);
  }

  const Module& module_;
  const Dataflow& flow_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace sightline::ir
