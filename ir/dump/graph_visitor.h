// GraphVisitor: how a framework describes its graph to a GraphDumper. It calls the visitor for each
// subgraph, parameter and node, with views of its own structures. Everything is copied before a
// call returns.
//
// Subgraphs, parameters and nodes are named by keys: different addresses, usually their own. A key
// may be used before the visitor has seen what it names.
//
//   dumper.Dump(DumpPoint::Stage("validate"), [&](GraphVisitor& visitor) {
//     visitor.Subgraph({.key = &graph, .name = graph.name});
//     for (const Input& input : graph.inputs)
//       visitor.Parameter({.key = &input, .name = input.name, .type = input.type});
//     for (const Op& op : graph.ops) visitor.Node({.key = &op, .name = op.name, ...});
//     visitor.Return({.operands = ...});
//   });
//
// Texts are those of .ir files (docs/ir.md): "I64(1)", "<Tensor[Float32], (2, 3)>". Only the thread
// that is dumping may use the visitor, and only during that call.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sightline/ir/model/location.h"

namespace sightline::ir {

class GraphTape;

// A node, parameter or subgraph of the same dump, or a constant.
struct DumpValue {
  const void* key = nullptr;
  std::string_view constant =
      {};  // Without a key: "I64(1)", "Tensor(shape=[], dtype=Int32, value=0)".
};

struct DumpAttribute {
  std::string_view key;
  std::string_view value;
  // Of nodes: "primitive_attrs", "cnode_attrs", "cnode_primal_attrs". Attributes of the same group
  // that follow each other are printed together. Empty: only braces.
  std::string_view group = "primitive_attrs";
};

struct DumpSubgraph {
  const void* key = nullptr;
  std::string_view name;
  const void* parent = nullptr;  // The subgraph whose values it may use.
  std::span<const DumpAttribute> attributes = {};
  std::optional<Location> location = {};  // In the source.
  std::string_view side_effect = {};      // "memory ", "io ", "load ", or several of them.
};

struct DumpParameter {
  const void* key = nullptr;
  std::string_view name;
  std::string_view type = "<null>";
  std::string_view shape = {};  // "[2, 4]" of an input of the entry graph.
  bool has_default = false;     // A weight.
  // In a kernel graph: "<Float32xDefaultFormat[const vector]{2, 4}>", and whether it is a weight
  // there. Printed only for the entry graph.
  std::string_view device = {};
  bool is_weight = false;
};

// A subgraph that a function value may be, and how many times arguments are bound to it: "@g",
// "Partial(@g)", "Partial(Partial(@g))".
struct DumpFunction {
  const void* key = nullptr;
  std::uint32_t partials = 0;
};

// A text for each operand and each result: a line "(inputs) -> (outputs)" below the node. If both
// are empty, there is no line.
struct DumpSignature {
  std::span<const std::string_view> inputs = {};
  std::span<const std::string_view> outputs = {};  // Not of a Return.
};

// The source lines of another node from which a node was made.
struct DumpOrigin {
  enum class Kind : std::uint8_t {
    kForward,  // The node whose gradient it is.
    kFused,    // One of the nodes that were fused into it.
  };
  Kind kind = Kind::kForward;
  // The other node's stack of calls, outermost first, and the key of the stack, as in DumpNode.
  std::span<const Location> locations = {};
  const void* location_key = nullptr;
};

struct DumpNode {
  const void* key = nullptr;  // None for a Return.
  std::string_view name = {};
  // What it calls: a primitive by its name, or a function by its key.
  std::string_view primitive = {};
  const void* called = nullptr;
  // If the function is a value: the subgraphs that it may be, if that is known.
  std::span<const DumpFunction> closure = {};
  std::span<const DumpValue> operands = {};
  std::span<const DumpAttribute> attributes = {};
  // Of the operands, then of the result (a Return has none); empty if types are not known.
  std::span<const std::string_view> types = {};
  // In dynamic graphs: "S:[s1<[1,inf]>, 3]" for a shape, "V:[s1<[1,inf]>]" for a value, "<null>".
  DumpSignature symbolic_shapes = {};
  // After kernel selection, without monads: data type, format and shape on the device,
  // "<Float32xDefaultFormat[const vector]{2, 4}>"; and kinds, "Tensor", "Scalar", "TupleUnfold".
  DumpSignature devices = {};
  DumpSignature objects = {};
  std::string_view full_name = {};    // "Default/conv1-Conv2d/Conv2D-op0"
  std::string_view side_effect = {};  // "memory ", "io ", "load "
  // The stack of calls that made it, outermost first. Nodes of a dump with the same `location_key`
  // share the stack, which is copied once. Null: only for this node.
  std::span<const Location> locations = {};
  const void* location_key = nullptr;
  std::span<const DumpOrigin> origins = {};
};

class GraphVisitor {
 public:
  explicit GraphVisitor(GraphTape& tape) : tape_(tape) {}
  ~GraphVisitor() = default;
  GraphVisitor(const GraphVisitor&) = delete;
  GraphVisitor& operator=(const GraphVisitor&) = delete;

  // Whether the stack of this key was copied already: a node with this key then needs no
  // `locations`.
  bool KnowsLocations(const void* location_key) const;

  // Begins a subgraph; the following calls belong to it. The first one is the entry graph.
  void Subgraph(const DumpSubgraph& subgraph);
  void Parameter(const DumpParameter& parameter);
  // Nodes may come in any order; each is printed after its operands.
  void Node(const DumpNode& node);
  // The subgraph's result: the only operand, and its type.
  void Return(const DumpNode& node);

 private:
  GraphTape& tape_;
};

}  // namespace sightline::ir
