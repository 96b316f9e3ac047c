// The order in which the nodes of a graph can be written down: what a node takes comes before it.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::ir {

// `inputs`: for each node the nodes that it takes. Starts at node 0 and follows its inputs first,
// so that the order stays near that of the nodes; where nodes take each other in a circle, one of
// them comes before what it takes. Time in proportion to nodes and inputs; no recursion.
std::vector<std::uint32_t> TopologicalOrder(const std::vector<std::vector<std::uint32_t>>& inputs);

}  // namespace sightline::ir
