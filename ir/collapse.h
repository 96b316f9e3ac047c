// Which groups of a tree are open, so that a picture of it has about as many boxes as wanted.
// Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sightline/ir/scope_tree.h"

namespace sightline::ir {

// Boxes that stand for nodes: no fewer than `least` when there are as many nodes, and no more than
// `most`.
struct BoxBudget {
  std::uint32_t least = 100;
  std::uint32_t most = 150;
};

// Opens the largest groups first, until there are `least` boxes. Where every group left would be
// too much, the largest is cut into runs of its items, which are groups then: `tree` grows by them.
// Groups that `may_open` does not accept stay closed. A tree of at most `most` nodes is opened
// whole.
std::vector<bool> OpenGroups(ScopeTree& tree, const BoxBudget& budget,
                             const std::function<bool(std::uint32_t group)>& may_open);

// Opens the groups above level `depth`; those of the whole are level 1.
std::vector<bool> OpenToDepth(const ScopeTree& tree, std::uint32_t depth);

}  // namespace sightline::ir
