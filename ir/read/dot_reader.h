// Reads the .dot files that MindSpore writes beside its dumps at level 3, as the graph that they
// draw: all subgraphs with nodes, operands, constants and the operators' attributes. They have no
// types, scopes and source lines, and no names for most subgraphs that nothing refers to.
#pragma once

#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Lines that do not belong in such a file, and impossible edges, become problems of the module.
Module ParseDot(std::string_view text);

}  // namespace sightline::ir
