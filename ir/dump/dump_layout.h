// The layout of a visited graph as a dump: what its keys name, and the names, numbers and order in
// which it is printed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sightline/ir/dump/taped_graph.h"

namespace sightline::ir {

class DumpLayout {
 public:
  // What a key names.
  struct Place {
    enum class Kind : std::uint8_t { kSubgraph, kParameter, kNode };
    Kind kind;
    std::uint32_t subgraph;
    std::uint32_t index;  // Of the subgraph's parameters or nodes.
  };
  struct Subgraph {
    std::string name;                     // Different for each subgraph.
    std::vector<std::string> parameters;  // "para3_x"; numbered through all subgraphs.
    std::vector<std::uint32_t> order;     // Of nodes, each after its operands; Returns come last.
    std::vector<std::uint32_t> numbers;   // Of nodes: "%3". None for Returns.
    std::vector<std::string> names;       // Of nodes, all different.
  };

  explicit DumpLayout(const TapedGraph& graph);

  // Null for the null key and for an unknown one.
  const Place* Find(const void* key) const;
  // Null for a key that no subgraph has.
  const Subgraph* FindSubgraph(const void* key) const;
  const Subgraph& subgraph(std::uint32_t index) const { return subgraphs_[index]; }

 private:
  void OrderNodes(std::uint32_t index, const std::vector<TapedNode>& nodes);

  std::unordered_map<const void*, Place> places_;
  std::vector<Subgraph> subgraphs_;
};

}  // namespace sightline::ir
