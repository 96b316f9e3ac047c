// GraphDef: a graph as TensorBoard's graph page reads it, made from MindSpore's GraphProto.
//
// Nodes are named by their full names, so that TensorBoard folds them by scope; a parameter or
// constant stands in the innermost scope that holds all its users. Control inputs are "^name". What
// an input names but the graph does not have becomes a node of op "Unresolved", so that nothing is
// hidden.
//
// Pure functions: callable from any thread.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/message/graph.h"

namespace sightline {

// A larger GraphDef is refused: TensorBoard could not show it, and a hostile file must not fill
// memory.
inline constexpr std::size_t kMaxGraphDefBytes = std::size_t{256} << 20;

// A serialized GraphDef. kResourceExhausted beyond kMaxGraphDefBytes.
Result<std::string> MakeGraphDef(const Graph& graph);

// The same of a serialized GraphProto; kDataLoss for bytes that are none.
Result<std::string> MakeGraphDef(std::string_view graph_proto);

// A serialized GraphDef, whoever wrote it. A node's name is its full name, "a/(a)" where others lie
// in a scope of its name; of an input "node:2" the
// output's number is left out, "^node" is a control input. Sizes of outputs are those of
// "_output_shapes", their type that of "dtype" or "T". Attributes that Graph has no place for
// (tensors, shapes, functions) are given as text. The library of functions is left out. Nothing is
// checked beyond the wire format: names may be missing or doubled. kDataLoss for bytes that are no
// GraphDef.
Result<Graph> ParseGraphDef(std::string_view graph_def);

}  // namespace sightline
