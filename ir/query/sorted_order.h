// The order of a sorted dump: of its subgraphs, and of the statements in each.
//
// The entry graph comes first, then the subgraphs that it calls or passes on, in the order of the
// text, each once. A subgraph has the statements that its Return needs, each after its operands,
// first operands first. Statements of other subgraphs are included, so they occur once for each
// subgraph that needs them.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

struct SortedOrder {
  struct Part {
    std::uint32_t subgraph = 0;
    Range nodes;  // Of SortedOrder::nodes.
  };
  std::vector<Part> parts;           // Each subgraph of the module once.
  std::vector<std::uint32_t> nodes;  // Of module.nodes; each at least once.
};

// Subgraphs that cannot be reached come last, in the file's order. Statements that no Return needs
// come before the Return of their own subgraph. kResourceExhausted if statements would be repeated
// more than 16 times on average. Nothing recurses.
Result<SortedOrder> SortedOrderOf(const Module& module, const Dataflow& flow);

}  // namespace sightline::ir
