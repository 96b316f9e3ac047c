// Chooses the open groups of a tree, so that a picture of it can be read, and graphviz can lay it
// out. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Limits of a picture. It has at least `least` boxes of nodes, if there are as many nodes, and at
// most `most`. Groups are opened as long as there are at most `edges_per_box` edges for each box.
// There are at most `most_edges` edges, unless no choice of `least` boxes with so few is found.
struct DrawingBudget {
  std::uint32_t least = 100;
  std::uint32_t most = 150;
  std::uint32_t edges_per_box = 4;
  std::uint32_t most_edges = 600;
};

// Whether a group may be opened.
using MayOpen = std::function<bool(const ScopeTree& tree, std::uint32_t group)>;

// Opens the largest groups first, until there are `least` boxes. If the tree has at most `most`
// nodes, it opens every group. Groups that would break the budget, or that `may_open` does not
// accept, stay closed.
//
// If no group fits and boxes are missing, the largest group is cut into runs of its items, which
// become groups: `tree` changes. If there are too many edges between the runs, the items with the
// fewest edges are taken out, and the rest becomes one group. If that gives more than `most_edges`,
// scopes and runs are ignored: the nodes with the fewest edges become boxes, and the rest becomes
// one box.
std::vector<bool> OpenGroups(const Module& module, const Dataflow& flow, ScopeTree& tree,
                             const DrawingBudget& budget, const MayOpen& may_open);

// Opens the groups above level `depth`; the outermost ones are level 1.
std::vector<bool> OpenToDepth(const ScopeTree& tree, std::uint32_t depth);

}  // namespace sightline::ir
