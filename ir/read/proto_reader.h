// Reads the graphs that MindSpore writes as protobuf messages (proto/mindspore_graph.proto): the
// ms_output_*.pb files of save_graphs, and the graph events of summary files. They have one graph
// each, without subgraphs and source lines; nodes are named by running numbers.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Reads a GraphProto, the body of a graph event. kDataLoss if `bytes` are none. An input that the
// graph does not have becomes a text operand and a problem of line 1.
Result<Module> ParseGraphProto(std::string_view graph_proto);

// Reads a ModelProto, the content of a .pb file.
Result<Module> ParseModelProto(std::string_view model_proto);

}  // namespace sightline::ir
