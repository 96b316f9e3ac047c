// Reads the graphs that MindSpore writes as protobuf messages (proto/mindspore_graph.proto): the
// ms_output_*.pb files of save_graphs, and the graph events of summary files. They hold one graph
// each, without subgraphs and source lines; what nodes are called is their running number.
#pragma once

#include <string_view>

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Of a GraphProto: the body of a graph event. kDataLoss for bytes that are none. What an input
// names and the graph does not have is a text operand, and a problem of line 1.
Result<Module> ParseGraphProto(std::string_view graph_proto);

// Of a ModelProto: a .pb file.
Result<Module> ParseModelProto(std::string_view model_proto);

}  // namespace sightline::ir
