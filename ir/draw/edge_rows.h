// Estimates how much work the edges of a drawing are for graphviz. Private to this folder.
#pragma once

#include <cstdint>

#include "sightline/ir/draw/drawing.h"

namespace sightline::ir {

// Graphviz puts boxes into rows, users below their inputs, and gives an edge a place in each row
// that it passes. Returns about how many places there are if each box is in the first row below all
// of its inputs; boxes of a cycle are taken in the order of the drawing.
std::uint64_t RowsPassed(const Drawing& drawing);

}  // namespace sightline::ir
