// Which subgraphs call which, which values they use of others, and which are not reachable.
//
//   const Dataflow flow(module);
//   const CallGraph calls(module, flow);
//   for (const CallGraph::Reference& to : calls[subgraph].references) ...
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

class CallGraph {
 public:
  // How a subgraph uses another one, or itself.
  struct Reference {
    std::uint32_t subgraph = 0;
    std::uint32_t calls = 0;   // Nodes that may call it.
    std::uint32_t values = 0;  // Operands that are the subgraph: it is passed on as a function.
  };
  struct Entry {
    std::vector<Reference> references;   // In the order of their first use.
    std::vector<std::uint32_t> used_by;  // Subgraphs that refer to it, in the file's order.
    std::vector<Source> free_variables;  // Nodes and parameters of other subgraphs, each once.
    bool reachable = false;              // From the entry graph.
  };

  CallGraph(const Module& module, const Dataflow& flow);

  // Of a subgraph of the module.
  const Entry& operator[](std::uint32_t subgraph) const { return entries_[subgraph]; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace sightline::ir
