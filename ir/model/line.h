// The lines of a dump: the kind of each, and where the module holds its content. "A text" means
// that `index` is a TextId of module.texts; a table means that `index` is a position in it.
#pragma once

#include <cstdint>

namespace sightline::ir {

enum class LineKind : std::uint8_t {
  kBlank,           // index: how many blank lines.
  kUnexplained,     // A text that the grammar does not know; there is a Problem for it.
  kText,            // A text: headings, banners, the failure report, symbol engines.
  kEntry,           // "# IR entry: @", a text.
  kTotalSubgraphs,  // index: the number. "# Total subgraphs: "
  kTotalSubgraph,   // The same in sorted dumps: "# Total subgraph: "
  kTotalParameters,
  kTotalNodes,
  kTotalCnodes,
  kIndirect,
  kAttribute,       // module.attributes; of the file, of the jit configuration or of a subgraph.
  kParameter,       // module.parameters: a parameter of the entry graph.
  kInstance,        // module.attributes: name and address of the subgraph that follows.
  kEngine,          // module.attributes: name and address of its symbol engine.
  kParameterTypes,  // module.type_lines: the types of the subgraph's parameters.
  kSubgraph,        // module.subgraphs
  kSubgraphEnd,     // "}"
  kOrder,           // A text: a line below "# Order:".
  kEvaluated,       // index: position in the stack of evaluation. "#------------------------> "
  kNode,            // module.nodes
  kTypes,           // module.type_lines; so are the next three.
  kDeviceTypes,
  kObjectTypes,
  kSymbolicShapes,
  kFullname,      // A text: the node's scope and its own name.
  kScope,         // A text
  kFailureScope,  // A text: a scope as analyze_fail.ir writes it.
  kSideEffect,    // A text: "memory ", "io ", "load " below a node.
  kSubgraphSideEffect,
  kLocation,          // A text, see location.h; below a node.
  kSubgraphLocation,  // A text; above a subgraph.
  kNote,              // A text: another comment below a node: "Corresponding code candidate:".
  kActor,             // module.actors
  kSection,           // A text: "[Kernel actors:3]" without brackets.
  kField,             // A text: a line below an actor or in a section.
};

struct Line {
  LineKind kind = LineKind::kBlank;
  std::uint32_t index = 0;
};

}  // namespace sightline::ir
