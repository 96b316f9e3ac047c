// Makes a module of a visited graph.
#pragma once

#include <cstdint>

#include "sightline/ir/dump/taped_graph.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// How a node's place in the network is printed.
enum class ScopeForm : std::uint8_t {
  kFullName,  // "# Fullname with scope: (Default/conv1-Conv2d/Conv2D-op0)": stages.
  kPath,      // "# Scope: (Default/conv1-Conv2d)": passes.
};

// The graph, which has at least one subgraph, in the ordinary form (docs/ir.md): ParseIr reads what
// PrintIr prints of it back as the same graph.
//
// - Subgraphs are in the order in which they were visited, and so are nodes; a node is moved only
//   if it takes a later one.
// - If several subgraphs, or several nodes of a subgraph, have a name, it gets a '$' and a number.
// - Characters that would end a name (blanks, brackets, commas, colons) become '_'. Newlines become
//   blanks if the text must be one line.
// - If there are not as many types as operands and results, they are left out, and with them
//   symbolic shapes, devices and objects. A line of these is also left out if it would be read as
//   another kind.
// - An unknown key is printed as MindSpore prints a node that is gone: "ValueProblem[DeadNode]".
Module DumpModule(const TapedGraph& graph, ScopeForm scope);

}  // namespace sightline::ir
