// An order of the nodes of a graph in which each comes after its inputs.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::ir {

// `inputs`: for each node the nodes that it takes. Starts at node 0 and puts its inputs first, so
// that the order stays near that of the nodes. If nodes form a cycle, one of them comes before its
// inputs. Time in proportion to nodes and inputs; no recursion.
std::vector<std::uint32_t> TopologicalOrder(const std::vector<std::vector<std::uint32_t>>& inputs);

}  // namespace sightline::ir
