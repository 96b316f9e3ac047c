// ParseGraphDef: reads TensorFlow's GraphDef into the plain structs of graph.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/recorder/message/graph_def.h"
#include "sightline/recorder/message/proto_util.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

namespace pb = tensorboard;

constexpr char kShapes[] = "_output_shapes";

std::string TypeText(int type) {
  const auto dtype = DTypeOfTensorFlow(type);
  return dtype ? std::string(DTypeName(*dtype)) : fmt::format("type {}", type);
}

std::vector<std::int64_t> SizesOf(const pb::TensorShapeProto& shape) {
  std::vector<std::int64_t> sizes;
  for (const auto& dim : shape.dim()) sizes.push_back(dim.size());
  return sizes;
}

std::string ShapeText(const pb::TensorShapeProto& shape) {
  return shape.unknown_rank() ? "?" : fmt::format("[{}]", fmt::join(SizesOf(shape), ", "));
}

std::string TensorText(const pb::TensorProto& tensor) {
  return fmt::format("Tensor {}{}", TypeText(tensor.dtype()), ShapeText(tensor.tensor_shape()));
}

GraphValue ListOf(const pb::AttrValue::ListValue& from) {
  GraphValue::List list;
  for (const auto& text : from.s()) list.emplace_back(text);
  for (const std::int64_t number : from.i()) list.emplace_back(number);
  for (const float number : from.f()) list.emplace_back(static_cast<double>(number));
  for (const bool boolean : from.b()) list.emplace_back(boolean);
  for (const int type : from.type()) list.emplace_back(TypeText(type));
  for (const auto& shape : from.shape()) list.emplace_back(ShapeText(shape));
  for (const auto& tensor : from.tensor()) list.emplace_back(TensorText(tensor));
  for (const auto& function : from.func()) list.emplace_back("Function " + function.name());
  return list;
}

GraphValue ValueOf(const pb::AttrValue& from) {
  switch (from.value_case()) {
    case pb::AttrValue::kS:
      return from.s();
    case pb::AttrValue::kI:
      return static_cast<std::int64_t>(from.i());
    case pb::AttrValue::kF:
      return static_cast<double>(from.f());
    case pb::AttrValue::kB:
      return from.b();
    case pb::AttrValue::kType:
      return TypeText(from.type());
    case pb::AttrValue::kShape:
      return ShapeText(from.shape());
    case pb::AttrValue::kTensor:
      return TensorText(from.tensor());
    case pb::AttrValue::kList:
      return ListOf(from.list());
    case pb::AttrValue::kFunc:
      return "Function " + from.func().name();
    case pb::AttrValue::kPlaceholder:
      return from.placeholder();
    case pb::AttrValue::VALUE_NOT_SET:
      return {};
  }
  return {};
}

std::vector<GraphType> OutputsOf(const pb::NodeDef& from) {
  std::optional<DType> dtype;
  for (const char* name : {"dtype", "T"}) {
    const auto found = from.attr().find(name);
    if (dtype || found == from.attr().end()) continue;
    dtype = DTypeOfTensorFlow(found->second.type());
  }
  std::vector<GraphType> outputs;
  if (const auto shapes = from.attr().find(kShapes); shapes != from.attr().end()) {
    for (const auto& shape : shapes->second.list().shape())
      outputs.push_back({dtype, SizesOf(shape)});
  }
  return outputs;
}

GraphNode NodeOf(const pb::NodeDef& from) {
  GraphNode node;
  node.name = from.name();
  node.full_name = from.name();
  node.op_type = from.op();
  for (const std::string& input : from.input()) {
    if (input.starts_with('^')) {
      node.control_inputs.push_back(input.substr(1));
    } else {
      node.inputs.push_back(input.substr(0, input.find(':')));
    }
  }
  for (const auto& [name, value] : from.attr())
    if (name != kShapes) node.attributes[name] = ValueOf(value);
  if (!from.device().empty()) node.attributes["device"] = from.device();
  node.outputs = OutputsOf(from);
  return node;
}

// A node's name may also be the scope of other nodes ("dense" beside "dense/kernel"). Like
// TensorBoard, this puts the node into that scope, as "dense/(dense)".
void MoveIntoScopes(std::vector<GraphNode>& nodes) {
  std::unordered_set<std::string_view> scopes;
  for (const GraphNode& node : nodes) {
    const std::string_view name = node.name;
    for (std::size_t end = name.rfind('/'); end != 0 && end != std::string_view::npos;
         end = name.rfind('/', end - 1)) {
      if (!scopes.insert(name.substr(0, end)).second) break;  // Its outer scopes are known, too.
    }
  }
  for (GraphNode& node : nodes) {
    if (!scopes.contains(node.name)) continue;
    node.full_name = fmt::format("{}/({})", node.name, node.name.substr(node.name.rfind('/') + 1));
  }
}

}  // namespace

Result<Graph> ParseGraphDef(std::string_view graph_def) {
  pb::GraphDef proto;
  if (!ParseMessage(graph_def, proto)) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("these {} bytes are no GraphDef", graph_def.size()));
  }
  Graph graph;
  for (const auto& node : proto.node()) graph.nodes.push_back(NodeOf(node));
  MoveIntoScopes(graph.nodes);
  return graph;
}

}  // namespace sightline
