// GraphDef: a graph as TensorBoard's graph page reads it, made from MindSpore's GraphProto.
//
// Nodes are named by their full names, so that TensorBoard folds them by scope; a parameter or
// constant stands in the innermost scope that holds all its users. Control inputs are "^name". What
// an input names but the graph does not have becomes a node of op "Unresolved", so that nothing is
// hidden.
//
// Pure function: callable from any thread.
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

}  // namespace sightline
