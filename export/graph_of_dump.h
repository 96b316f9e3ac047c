// A graph dump of MindSpore's as a Graph (recorder/message/graph.h), which viewers of runs show:
// TensorBoard as GraphDef, MindInsight as it is.
#pragma once

#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/recorder/message/graph.h"

namespace sightline {

// The nodes that are `shown`, which is as long as module.nodes, and the parameters that they take.
// A node stands in its scope, one of a subgraph that is called in "@SUBGRAPH" below that; constants
// are attributes "input 1"; a call takes what its subgraph returns. Pure function: any thread.
Graph GraphOfDump(const ir::Module& module, const ir::Dataflow& flow,
                  const std::vector<bool>& shown);

}  // namespace sightline
