// Which groups of a tree are open, so that a picture of it can be read, and be laid out in a second
// or two. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Boxes that stand for nodes: no fewer than `least` when there are as many nodes, and no more than
// `most`. Groups are opened as long as there are no more than `edges_per_box` edges for each box.
// There are no more than `most_edges`, unless no hundred boxes with fewer are found.
struct DrawingBudget {
  std::uint32_t least = 100;
  std::uint32_t most = 150;
  std::uint32_t edges_per_box = 4;
  std::uint32_t most_edges = 600;
};

// Whether a group may be opened.
using MayOpen = std::function<bool(const ScopeTree& tree, std::uint32_t group)>;

// Opens the largest groups first, until there are `least` boxes; of a tree of at most `most` nodes
// every group. Groups that would break the budget stay closed, and those that `may_open` does not
// accept.
//
// Where nothing fits and boxes are missing, the largest group is cut into runs of its items, which
// are groups then: `tree` changes. Where the runs have too many edges between them, the items with
// the fewest are taken out of it, and the rest is one group. Where that leads to more than
// `most_edges`, all of it is done again with scopes and runs put aside: the nodes with the fewest
// edges are boxes, and the rest is one.
std::vector<bool> OpenGroups(const Module& module, const Dataflow& flow, ScopeTree& tree,
                             const DrawingBudget& budget, const MayOpen& may_open);

// Opens the groups above level `depth`; those of the whole are level 1.
std::vector<bool> OpenToDepth(const ScopeTree& tree, std::uint32_t depth);

}  // namespace sightline::ir
