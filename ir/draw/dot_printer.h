// Prints a drawing as text for graphviz: `dot -Tsvg`.
//
// Types are printed at the tails of edges, each once for a box. (A label on an edge within a
// cluster makes graphviz 2.43 fail.) Every text is escaped, so that no dump can break the file. Ids
// count boxes and clusters, so equal drawings give equal texts. Pure function: any thread.
//
//   const std::string dot = PrintDot(Draw(module, Dataflow(module)));
#pragma once

#include <string>

#include "sightline/ir/draw/drawing.h"

namespace sightline::ir {

std::string PrintDot(const Drawing& drawing);

}  // namespace sightline::ir
