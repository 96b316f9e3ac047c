#include "sightline/recorder/message/graph.h"

#include <fmt/format.h>

#include <span>
#include <unordered_map>

#include "sightline/base/utf8.h"
#include "sightline/proto/mindspore_graph.pb.h"
#include "sightline/recorder/message/proto_util.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

namespace pb = mindspore;

constexpr int kMaxListDepth = 64;

// Every name that an input can refer to, with its types.
using Names = std::unordered_map<std::string_view, std::span<const GraphType>>;

// Collects the names of a graph. kInvalidArgument if one is empty or taken twice.
Result<Names> NamesOf(const Graph& graph) {
  Names names;
  Status status;
  const auto add = [&](std::string_view what, const std::string& name,
                       std::span<const GraphType> types) {
    if (!status.ok()) return;
    if (name.empty()) {
      status = Status(StatusCode::kInvalidArgument, fmt::format("a {} has no name", what));
    } else if (!names.emplace(name, types).second) {
      status = Status(StatusCode::kInvalidArgument,
                      fmt::format("the name '{}' of a {} is taken by another node, parameter or "
                                  "constant; names must be unique",
                                  name, what));
    }
  };
  for (const GraphParameter& parameter : graph.parameters)
    add("parameter", parameter.name, {&parameter.type, 1});
  for (const GraphConstant& constant : graph.constants) add("constant", constant.name, {});
  for (const GraphNode& node : graph.nodes) add("node", node.name, node.outputs);
  if (!status.ok()) return Error(status);
  return names;
}

Status CheckReferences(const Graph& graph, const Names& names) {
  const auto check = [&names](std::string_view who, const std::string& name) {
    if (names.contains(name)) return Status();
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("{} '{}' is not a node, parameter or constant of the graph", who, name));
  };
  for (const GraphNode& node : graph.nodes) {
    for (const std::string& input : node.inputs) {
      SIGHTLINE_RETURN_IF_ERROR(check(fmt::format("node '{}': input", node.name), input));
    }
    for (const std::string& input : node.control_inputs) {
      SIGHTLINE_RETURN_IF_ERROR(check(fmt::format("node '{}': control input", node.name), input));
    }
  }
  for (const std::string& output : graph.outputs)
    SIGHTLINE_RETURN_IF_ERROR(check("output", output));
  return {};
}

void FillTensorType(const GraphType& type, pb::TypeProto& out) {
  out.set_data_type(pb::DT_TENSOR);
  auto* tensor = out.mutable_tensor_type();
  if (type.dtype) tensor->set_elem_type(static_cast<pb::DataType>(MindSporeDataType(*type.dtype)));
  for (const std::int64_t size : type.shape) tensor->mutable_shape()->add_dim()->set_size(size);
}

void FillType(std::span<const GraphType> types, pb::TypeProto& out) {
  if (types.size() == 1) return FillTensorType(types[0], out);
  out.set_data_type(pb::DT_TUPLE);
  for (const GraphType& type : types)
    FillTensorType(type, *out.mutable_sequence_type()->add_elem_types());
}

Status FillValue(const GraphValue& from, int depth, pb::ValueProto& out) {
  if (depth > kMaxListDepth) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("lists are nested deeper than {}", kMaxListDepth));
  }
  if (const auto* boolean = std::get_if<bool>(&from.value)) {
    out.set_dtype(pb::DT_BOOL);
    out.set_bool_val(*boolean);
  } else if (const auto* integer = std::get_if<std::int64_t>(&from.value)) {
    out.set_dtype(pb::DT_INT64);
    out.set_int_val(*integer);
  } else if (const auto* number = std::get_if<double>(&from.value)) {
    out.set_dtype(pb::DT_FLOAT64);
    out.set_double_val(*number);
  } else if (const auto* text = std::get_if<std::string>(&from.value)) {
    out.set_dtype(pb::DT_STRING);
    out.set_str_val(ToUtf8(*text));
  } else if (const auto* list = std::get_if<GraphValue::List>(&from.value)) {
    out.set_dtype(pb::DT_TUPLE);
    for (const GraphValue& item : *list)
      SIGHTLINE_RETURN_IF_ERROR(FillValue(item, depth + 1, *out.add_values()));
  } else {
    out.set_dtype(pb::DT_NONE);
  }
  return {};
}

Status FillNode(const GraphNode& node, pb::NodeProto& out) {
  for (const std::string& input : node.inputs) {
    auto* edge = out.add_input();
    edge->set_name(ToUtf8(input));
    edge->set_type(pb::InputProto::DATA_EDGE);
  }
  for (const std::string& input : node.control_inputs) {
    auto* edge = out.add_input();
    edge->set_name(ToUtf8(input));
    edge->set_type(pb::InputProto::CONTROL_EDGE);
  }
  out.set_name(ToUtf8(node.name));
  out.set_op_type(ToUtf8(node.op_type));
  out.set_scope(ToUtf8(node.scope));
  for (const auto& [name, value] : node.attributes) {
    auto* attribute = out.add_attribute();
    attribute->set_name(ToUtf8(name));
    if (const Status status = FillValue(value, 0, *attribute->mutable_value()); !status.ok()) {
      return status.WithContext(fmt::format("node '{}': attribute '{}'", node.name, name));
    }
  }
  if (!node.outputs.empty()) FillType(node.outputs, *out.mutable_output_type());
  const std::string in_scope = node.scope.empty() ? node.name : node.scope + "/" + node.name;
  out.set_full_name(ToUtf8(node.full_name.empty() ? in_scope : node.full_name));
  return {};
}

}  // namespace

Result<std::string> SerializeGraph(const Graph& graph) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Names names, NamesOf(graph));
  SIGHTLINE_RETURN_IF_ERROR(CheckReferences(graph, names));
  pb::GraphProto out;
  for (const GraphNode& node : graph.nodes)
    SIGHTLINE_RETURN_IF_ERROR(FillNode(node, *out.add_node()));
  out.set_name(ToUtf8(graph.name));
  for (const GraphParameter& parameter : graph.parameters) {
    auto* added = out.add_parameters();
    added->set_name(ToUtf8(parameter.name));
    FillTensorType(parameter.type, *added->mutable_type());
  }
  for (const std::string& name : graph.outputs) {
    auto* output = out.add_outputs();
    output->set_name(ToUtf8(name));
    const std::span<const GraphType> types = names.at(name);
    if (!types.empty()) FillType(types, *output->mutable_type());
  }
  for (const GraphConstant& constant : graph.constants) {
    auto* added = out.add_const_vals();
    added->set_key(ToUtf8(constant.name));
    if (const Status status = FillValue(constant.value, 0, *added->mutable_value()); !status.ok()) {
      return Error(status.WithContext(fmt::format("constant '{}'", constant.name)));
    }
  }
  return SerializeDeterministic(out);
}

}  // namespace sightline
