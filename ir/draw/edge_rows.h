// How much work the edges of a drawing are to graphviz. Private to this folder.
#pragma once

#include <cstdint>

#include "sightline/ir/draw/drawing.h"

namespace sightline::ir {

// Graphviz puts boxes into rows, users below what they take, and gives an edge a place in each row
// that it passes. This is about how many places there are, if each box stands in the first row that
// is below all that it takes; boxes that take each other in a circle, in the order of the drawing.
std::uint64_t RowsPassed(const Drawing& drawing);

}  // namespace sightline::ir
