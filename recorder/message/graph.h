// Graph: the graph of a network, in plain structs that a trainer can fill in a few lines. Its
// serialized form is MindSpore's GraphProto. MindInsight shows it as it is, and the TensorBoard
// encoder turns it into a GraphDef.
//
// Plain values that borrow nothing. The functions may be called from any thread.
//
//   Graph graph;
//   graph.name = "digits";
//   graph.parameters = {{"image", {DType::kFloat32, {32, 1, 8, 8}}},
//                       {"weight", {DType::kFloat32, {8, 1, 3, 3}}}};
//   graph.nodes = {{.name = "conv",
//                   .op_type = "Conv2D",
//                   .scope = "Default/features",
//                   .inputs = {"image", "weight"},
//                   .attributes = {{"stride", {1, 1}}, {"pad_mode", "valid"}},
//                   .outputs = {{DType::kFloat32, {32, 8, 6, 6}}}}};
//   graph.outputs = {"conv"};
//   Result<std::string> message = SerializeGraph(graph);
//   if (message) recorder->AddMessage("", 0, ValueKind::kGraph, *message);
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// The type of a value that flows along an edge. A size of -1 is not known.
struct GraphType {
  std::optional<DType> dtype = std::nullopt;
  std::vector<std::int64_t> shape = {};

  bool operator==(const GraphType&) const = default;
};

// An attribute or a constant: nothing, a bool, a number, a text, or a list of these.
struct GraphValue {
  using List = std::vector<GraphValue>;

  // Implicit, so that attributes can be written as plain literals.
  // NOLINTBEGIN(google-explicit-constructor)
  GraphValue() = default;
  GraphValue(bool v) : value(v) {}
  template <std::integral T>
  GraphValue(T v) : value(static_cast<std::int64_t>(v)) {}
  GraphValue(double v) : value(v) {}
  GraphValue(const char* v) : value(std::string(v)) {}
  GraphValue(std::string v) : value(std::move(v)) {}
  GraphValue(List v) : value(std::move(v)) {}
  GraphValue(std::initializer_list<GraphValue> v) : value(List(v)) {}
  // NOLINTEND(google-explicit-constructor)

  bool operator==(const GraphValue&) const = default;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List> value;
};

struct GraphNode {
  std::string name = {};     // Unique among nodes, parameters and constants; inputs refer to it.
  std::string op_type = {};  // "Conv2D"
  std::string scope = {};    // "Default/features": viewers fold nodes by it.
  // The node's name in the viewers; empty: scope/name.
  std::string full_name = {};
  std::vector<std::string> inputs = {};          // Names, in the operator's order.
  std::vector<std::string> control_inputs = {};  // Only order, no data.
  std::map<std::string, GraphValue> attributes = {};
  std::vector<GraphType> outputs = {};  // One for most operators; empty: not known.

  bool operator==(const GraphNode&) const = default;
};

// An input of the graph: data, weights, optimizer state.
struct GraphParameter {
  std::string name = {};
  GraphType type = {};

  bool operator==(const GraphParameter&) const = default;
};

struct GraphConstant {
  std::string name = {};
  GraphValue value = {};

  bool operator==(const GraphConstant&) const = default;
};

struct Graph {
  std::string name = {};
  std::vector<GraphParameter> parameters = {};
  std::vector<GraphConstant> constants = {};
  std::vector<GraphNode> nodes = {};
  std::vector<std::string> outputs = {};  // Names.

  bool operator==(const Graph&) const = default;
};

// Returns a serialized GraphProto. kInvalidArgument if a name is empty or taken twice, if an input
// or output names nothing, or if lists are nested deeper than readers allow (64). Bytes that are
// not UTF-8 are replaced as in tags.
Result<std::string> SerializeGraph(const Graph& graph);

// Parses a serialized GraphProto, also one that MindSpore made. Graph has no place for tensors,
// types and nested graphs, which become text, nor for default values, which are left out. Only the
// wire format is checked: names may be missing or occur twice. kDataLoss for bytes that are no
// GraphProto.
Result<Graph> ParseGraph(std::string_view graph_proto);

// Returns the GraphProto inside a serialized ModelProto, as a view of `model_proto`. MindSpore
// returns a ModelProto for a compiled network, and writes it into its .pb dumps. kDataLoss for
// bytes that are no ModelProto, kNotFound for one without a graph.
Result<std::string_view> GraphOfModel(std::string_view model_proto);

}  // namespace sightline
