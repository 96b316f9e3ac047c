// Reads the graphs that MindSpore writes as protobuf messages (proto/mindspore_graph.proto): the
// ms_output_*.pb files of save_graphs, and the graph events of summary files. They have one graph
// each, without subgraphs and source lines; nodes are named by running numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline {

struct GraphType;
struct GraphValue;

namespace ir {

// Reads a GraphProto, the body of a graph event. kDataLoss for other bytes. An unknown input
// becomes a text operand and a problem of line 1.
Result<Module> ParseGraphProto(std::string_view graph_proto);

// Reads a ModelProto, the content of a .pb file.
Result<Module> ParseModelProto(std::string_view model_proto);

// Parts of a Graph (recorder/message/graph.h) as dumps print them: the type of an operator with
// these results, "<Tensor[Float32], (2, 3)>"; a constant or the value of an attribute, "(I64(1),
// I64(1))". REQUIRES: lists are nested at most 64 deep, as ParseGraph ensures.
std::string TypeText(const std::vector<GraphType>& types);
std::string ConstantText(const GraphValue& value);

}  // namespace ir
}  // namespace sightline
