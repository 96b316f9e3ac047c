// A drawing as text for graphviz: `dot -Tsvg`.
//
// Types stand at the tails of edges (a label on an edge within a cluster makes graphviz 2.43 fail),
// each once a box. Every text is escaped: what a dump holds cannot break the file. Ids count boxes
// and clusters, so equal drawings give equal texts. Pure function: any thread.
//
//   const std::string dot = PrintDot(Draw(module, Dataflow(module)));
#pragma once

#include <string>

#include "sightline/ir/draw/drawing.h"

namespace sightline::ir {

std::string PrintDot(const Drawing& drawing);

}  // namespace sightline::ir
