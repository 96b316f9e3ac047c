// In which order a sorted dump holds a module: which subgraphs, and in each which statements.
//
// The entry graph comes first, then what it calls or hands on, in the order of the text; each
// subgraph once. A subgraph holds the statements that its Return needs, what a statement takes
// before it, first operands first: also those of other subgraphs, which are therefore there once
// for each subgraph that needs them.
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

// Subgraphs that nothing leads to come last, in the file's order; statements that no Return needs
// before the Return of their own subgraph. kResourceExhausted where statements would be repeated
// more than 16 times on average. Nothing recurses.
Result<SortedOrder> SortedOrderOf(const Module& module, const Dataflow& flow);

}  // namespace sightline::ir
