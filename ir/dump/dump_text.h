// The .ir text of a graph that was handed over.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/ir/dump/taped_graph.h"

namespace sightline::ir {

// What is printed of a node's place in the network.
enum class ScopeForm : std::uint8_t {
  kFullName,  // "# Fullname with scope: (Default/conv1-Conv2d/Conv2D-op0)": stages.
  kPath,      // "# Scope: (Default/conv1-Conv2d)": passes.
};

// The ordinary form (docs/ir.md), which ParseIr reads back as the same graph:
//
// - Subgraphs in the order in which they were visited, nodes in theirs, moved only where one takes
//   a later one.
// - Names that several subgraphs, or several nodes of a subgraph, have get a number behind a '$'.
// - Characters in names that end a name (blanks, brackets, commas, colons) become '_', and newlines
//   in what must be one line a blank.
// - Types are left out where they are not as many as operands and results, and with them symbolic
//   shapes, devices and objects. Of these, so is a line that would not be read as what it is.
// - A key that nothing has is printed as MindSpore prints a node that is gone:
//   "ValueProblem[DeadNode]".
std::string DumpText(const TapedGraph& graph, ScopeForm scope);

}  // namespace sightline::ir
