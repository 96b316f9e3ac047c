// Makes a GraphDef, which TensorBoard's graph page reads, from a Graph or from MindSpore's
// GraphProto, and parses GraphDefs.
//
// Nodes have their full names, so that TensorBoard folds them by scope. A parameter or constant is
// in the innermost scope that contains all its users. Control inputs are "^name". If an input names
// something that the graph does not have, that becomes a node of op "Unresolved", so that nothing
// is hidden.
//
// Pure functions; may be called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/graph.h"

namespace sightline {

// Larger GraphDefs are not made: TensorBoard could not show them, and a hostile file must not fill
// the memory.
inline constexpr std::size_t kMaxGraphDefBytes = std::size_t{256} << 20;

// Returns a serialized GraphDef. kResourceExhausted if it exceeds kMaxGraphDefBytes.
Result<std::string> MakeGraphDef(const Graph& graph);

// The same for a serialized GraphProto; kDataLoss for bytes that are none.
Result<std::string> MakeGraphDef(std::string_view graph_proto);

// Parses a serialized GraphDef of any writer. kDataLoss for bytes that are no GraphDef. Only the
// wire format is checked: names may be missing or occur twice.
// - A node's full name is its name, or "a/(a)" if its name is also the scope of other nodes.
// - Of an input "node:2", the output's number is left out; "^node" is a control input.
// - The sizes of outputs are from "_output_shapes", and their type is from "dtype" or "T".
// - Attributes that Graph has no place for (tensors, shapes, functions) become text.
// - The library of functions is left out.
Result<Graph> ParseGraphDef(std::string_view graph_def);

}  // namespace sightline
