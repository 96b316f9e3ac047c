// --save-graphs: dumps of the demo's network, as a compiler would write them (ir/dump).
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/recorder/message/graph.h"

namespace sightline::demo {

// Describes a graph as one subgraph. The names of its nodes and inputs must be those of the graph.
void Visit(const Graph& graph, ir::GraphVisitor& visitor);

// Compiles the forward graph `network` (graph_compiler.h) and dumps it into `folder`, which is
// created. `level`: that of ir::DumpOptions. Returns the first error, after all dumps were tried.
Result<ir::DumperStats> DumpGraphs(const Graph& network, int level, const std::string& folder);

}  // namespace sightline::demo
