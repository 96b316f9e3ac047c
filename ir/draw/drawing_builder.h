// Draws a tree of nodes: which of its groups are open is the caller's choice. Private to this
// folder.
#pragma once

#include <vector>

#include "sightline/ir/draw/drawing.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Groups that are `open` become clusters, what they hold boxes; others are boxes themselves. The
// whole is open. A cluster that would hold nothing but another one is drawn as one with it.
//
// Edges are all those of the dataflow between different boxes. Weights, and constants, are named in
// the boxes that take them; a subgraph's other parameters are a box.
Drawing BuildDrawing(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                     const std::vector<bool>& open);

}  // namespace sightline::ir
