// Draws a tree of nodes, of which the caller chose the open groups. Private to this
// folder.
#pragma once

#include <vector>

#include "sightline/ir/draw/drawing.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// Groups that are `open` become clusters; other groups, and nodes, become boxes. The root is open.
// A cluster that would contain only another cluster is merged with it.
//
// Edges are those of the dataflow between different boxes. Weights and constants are named in the
// boxes that take them; the other parameters of a subgraph share a box.
Drawing BuildDrawing(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                     const std::vector<bool>& open);

}  // namespace sightline::ir
