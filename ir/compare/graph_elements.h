// The elements of a graph: its subgraphs, parameters and nodes. Private to this folder.
#pragma once

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

ElementTable ListGraphElements(const Module& module, const Dataflow& flow, TextPool& texts);

}  // namespace sightline::ir
