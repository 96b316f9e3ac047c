// ParseGraph: reads MindSpore's GraphProto into the plain structs of graph.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "sightline/base/wire.h"
#include "sightline/proto/mindspore_graph.pb.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/proto_util.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

namespace pb = mindspore;

GraphType TensorTypeOf(const pb::TypeProto::Tensor& tensor) {
  GraphType type;
  type.dtype = DTypeOfMindSpore(tensor.elem_type());
  for (const auto& dim : tensor.shape().dim()) type.shape.push_back(dim.size());
  return type;
}

// Appends the types of a tuple's elements, one after another. ParseMessage limits how deep they are
// nested.
void AppendTypes(const pb::TypeProto& from, std::vector<GraphType>& types) {
  if (from.has_tensor_type()) {
    types.push_back(TensorTypeOf(from.tensor_type()));
  } else if (from.has_sequence_type()) {
    for (const auto& element : from.sequence_type().elem_types()) AppendTypes(element, types);
  } else if (const auto dtype = DTypeOfMindSpore(from.data_type())) {
    types.push_back({dtype, {}});
  }
}

GraphType TypeOf(const pb::TypeProto& from) {
  std::vector<GraphType> types;
  AppendTypes(from, types);
  return types.empty() ? GraphType() : std::move(types.front());
}

std::string TypeText(const pb::TypeProto& from) {
  std::vector<GraphType> types;
  AppendTypes(from, types);
  if (types.empty()) return pb::DataType_Name(from.data_type());
  std::vector<std::string> texts;
  texts.reserve(types.size());
  for (const GraphType& type : types) {
    texts.push_back(fmt::format("{}[{}]", type.dtype ? DTypeName(*type.dtype) : "?",
                                fmt::join(type.shape, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string TensorText(const pb::TensorProto& tensor) {
  return fmt::format("Tensor {}[{}]", pb::DataType_Name(tensor.data_type()),
                     fmt::join(tensor.dims(), ", "));
}

template <typename Repeated>
GraphValue ListOf(const Repeated& items) {
  GraphValue::List list;
  for (const auto& item : items) list.emplace_back(item);
  return list;
}

GraphValue ValueOf(const pb::ValueProto& from) {
  if (from.has_bool_val()) return from.bool_val();
  if (from.has_int_val()) return from.int_val();
  if (from.has_uint_val()) return from.uint_val();
  if (from.has_float_val()) return static_cast<double>(from.float_val());
  if (from.has_double_val()) return from.double_val();
  if (from.has_str_val()) return from.str_val();
  if (from.has_tensor_val()) return TensorText(from.tensor_val());
  if (from.has_graph()) return "Graph " + from.graph().name();
  if (from.has_type_val()) return TypeText(from.type_val());
  if (from.bool_vals_size() != 0) return ListOf(from.bool_vals());
  if (from.int_vals_size() != 0) return ListOf(from.int_vals());
  if (from.uint_vals_size() != 0) return ListOf(from.uint_vals());
  if (from.float_vals_size() != 0)
    return ListOf(std::vector<double>(from.float_vals().begin(), from.float_vals().end()));
  if (from.double_vals_size() != 0) return ListOf(from.double_vals());
  if (from.str_vals_size() != 0) return ListOf(from.str_vals());
  GraphValue::List list;
  for (const auto& tensor : from.tensor_vals()) list.emplace_back(TensorText(tensor));
  for (const auto& graph : from.graphs()) list.emplace_back("Graph " + graph.name());
  for (const auto& item : from.values()) list.push_back(ValueOf(item));
  for (const auto& item : from.dict_val()) list.push_back({item.key(), ValueOf(item.value())});
  const bool is_list =
      from.dtype() == pb::DT_TUPLE || from.dtype() == pb::DT_LIST || from.dtype() == pb::DT_DICT;
  return list.empty() && !is_list ? GraphValue() : GraphValue(std::move(list));
}

GraphNode NodeOf(const pb::NodeProto& from) {
  GraphNode node;
  node.name = from.name();
  node.op_type = from.op_type();
  node.scope = from.scope();
  node.full_name = from.full_name();
  for (const auto& input : from.input()) {
    const bool control = input.type() == pb::InputProto::CONTROL_EDGE;
    (control ? node.control_inputs : node.inputs).push_back(input.name());
  }
  for (const auto& attribute : from.attribute())
    node.attributes[attribute.name()] = ValueOf(attribute.value());
  AppendTypes(from.output_type(), node.outputs);
  return node;
}

}  // namespace

Result<Graph> ParseGraph(std::string_view graph_proto) {
  pb::GraphProto proto;
  if (!ParseMessage(graph_proto, proto)) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("these {} bytes are no GraphProto", graph_proto.size()));
  }
  Graph graph;
  graph.name = proto.name();
  for (const auto& parameter : proto.parameters())
    graph.parameters.push_back({parameter.name(), TypeOf(parameter.type())});
  for (const auto& constant : proto.const_vals())
    graph.constants.push_back({constant.key(), ValueOf(constant.value())});
  for (const auto& node : proto.node()) graph.nodes.push_back(NodeOf(node));
  for (const auto& output : proto.outputs()) graph.outputs.push_back(output.name());
  return graph;
}

Result<std::string_view> GraphOfModel(std::string_view model_proto) {
  std::optional<std::string_view> graph;
  wire::Field field;
  wire::Scanner scan(model_proto);
  while (scan.Next(field)) {
    if (field.number == pb::ModelProto::kGraphFieldNumber && field.type == wire::WireType::kBytes)
      graph = field.bytes;
  }
  if (scan.malformed()) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("these {} bytes are no ModelProto", model_proto.size()));
  }
  if (!graph) {
    return Error(StatusCode::kNotFound,
                 fmt::format("the ModelProto of {} bytes has no graph", model_proto.size()));
  }
  return *graph;
}

}  // namespace sightline
