// How a framework hands its graph to a GraphDumper: it calls a GraphVisitor for each subgraph,
// parameter and node, with views of its own structures. Everything is copied before a call returns.
//
// What is handed over is named by keys: whatever addresses tell its subgraphs, parameters and nodes
// apart, usually their own. Keys may be used before what they name was visited.
//
//   dumper.Dump(DumpPoint::Stage("validate"), [&](GraphVisitor& visitor) {
//     visitor.Subgraph({.key = &graph, .name = graph.name});
//     for (const Input& input : graph.inputs)
//       visitor.Parameter({.key = &input, .name = input.name, .type = input.type});
//     for (const Op& op : graph.ops) visitor.Node({.key = &op, .name = op.name, ...});
//     visitor.Return({.operands = ...});
//   });
//
// Texts are as .ir files have them (docs/ir.md): "I64(1)", "<Tensor[Float32], (2, 3)>". The
// visitor belongs to the thread that is dumping, for the time of that call.
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
  // Of nodes: "primitive_attrs", "cnode_attrs", "cnode_primal_attrs". Neighbours of one group are
  // printed together. Empty: braces alone.
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
  // Of a kernel graph's: "<Float32xDefaultFormat[const vector]{2, 4}>", and whether it is a weight
  // there. Printed of the entry graph's only.
  std::string_view device = {};
  bool is_weight = false;
};

// A subgraph that a function value may be, with arguments bound to it so many times: "@g",
// "Partial(@g)", "Partial(Partial(@g))".
struct DumpFunction {
  const void* key = nullptr;
  std::uint32_t partials = 0;
};

// A text for each operand and each result: a line "(inputs) -> (outputs)" below the node. Where
// both are empty there is none.
struct DumpSignature {
  std::span<const std::string_view> inputs = {};
  std::span<const std::string_view> outputs = {};  // Not of a Return.
};

// Where in the source another node comes from that a node was made of.
struct DumpOrigin {
  enum class Kind : std::uint8_t {
    kForward,  // The node that it is the gradient of.
    kFused,    // One of those that it was put together from.
  };
  Kind kind = Kind::kForward;
  // Its stack of calls, outermost first, and the key of that, as of DumpNode.
  std::span<const Location> locations = {};
  const void* location_key = nullptr;
};

struct DumpNode {
  const void* key = nullptr;  // None for a Return.
  std::string_view name = {};
  // What it calls: a primitive by its name, or a function by its key.
  std::string_view primitive = {};
  const void* called = nullptr;
  // Of a function that is a value: the subgraphs that it may be, where that is known.
  std::span<const DumpFunction> closure = {};
  std::span<const DumpValue> operands = {};
  std::span<const DumpAttribute> attributes = {};
  // Of the operands, then of the result (a Return has none); empty where types are not known.
  std::span<const std::string_view> types = {};
  // In dynamic graphs: "S:[s1<[1,inf]>, 3]" of a shape, "V:[s1<[1,inf]>]" of a value, "<null>".
  DumpSignature symbolic_shapes = {};
  // Behind kernel selection, without monads: data type, format and shape on the device,
  // "<Float32xDefaultFormat[const vector]{2, 4}>"; and kinds, "Tensor", "Scalar", "TupleUnfold".
  DumpSignature devices = {};
  DumpSignature objects = {};
  std::string_view full_name = {};    // "Default/conv1-Conv2d/Conv2D-op0"
  std::string_view side_effect = {};  // "memory ", "io ", "load "
  // The stack of calls that made it, outermost first. Nodes with one `location_key` in one dump
  // have the same, which is looked at once. Null: looked at for this node alone.
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

  // Whether the stack of this key was handed over: a node that has it needs no `locations`.
  bool KnowsLocations(const void* location_key) const;

  // Begins a subgraph, to which what follows belongs. The first one is the entry graph.
  void Subgraph(const DumpSubgraph& subgraph);
  void Parameter(const DumpParameter& parameter);
  // In any order; what a node takes is printed before it.
  void Node(const DumpNode& node);
  // The subgraph's result: the only operand, and its type.
  void Return(const DumpNode& node);

 private:
  GraphTape& tape_;
};

}  // namespace sightline::ir
