// Turns a graph dump of MindSpore into a Graph (recorder/message/graph.h), which MindInsight shows
// as it is, and TensorBoard as a GraphDef.
#pragma once

#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/recorder/message/graph.h"

namespace sightline::ir {

// The nodes that are `shown` (as long as module.nodes), and the parameters that they take. A node
// is in its scope; if its subgraph is called by others, in "@SUBGRAPH" below that. Constants are
// attributes "input 1"; a call takes what its subgraph returns. Pure function: any thread.
Graph GraphOfDump(const Module& module, const Dataflow& flow, const std::vector<bool>& shown);

}  // namespace sightline::ir
