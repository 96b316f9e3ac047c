// A visited graph, as views of its tape.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sightline/ir/dump/graph_tape.h"
#include "sightline/ir/dump/graph_visitor.h"

namespace sightline::ir {

struct TapedParameter {
  const void* key = nullptr;
  std::string_view name;
  std::string_view type;
  std::string_view shape;
  bool has_default = false;
  std::string_view device;
  bool is_weight = false;
};

struct TapedSignature {
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
};

struct TapedOrigin {
  DumpOrigin::Kind kind = DumpOrigin::Kind::kForward;
  std::vector<Location> locations;
};

struct TapedNode {
  bool is_return = false;
  const void* key = nullptr;
  std::string_view name;
  std::string_view primitive;
  const void* called = nullptr;
  std::vector<DumpFunction> closure;
  std::vector<DumpValue> operands;
  std::vector<DumpAttribute> attributes;
  std::vector<std::string_view> types;
  TapedSignature symbolic_shapes;
  TapedSignature devices;
  TapedSignature objects;
  std::string_view full_name;
  std::string_view side_effect;
  std::vector<Location> locations;
  std::vector<TapedOrigin> origins;
};

struct TapedSubgraph {
  const void* key = nullptr;
  std::string_view name;
  const void* parent = nullptr;
  std::vector<DumpAttribute> attributes;
  std::optional<Location> location;
  std::string_view side_effect;
  std::vector<TapedParameter> parameters;
  std::vector<TapedNode> nodes;
};

struct TapedGraph {
  std::vector<TapedSubgraph> subgraphs;  // The first is the entry graph.
};

// Leaves out records before the first subgraph. The tape must outlive the result.
TapedGraph ReadTape(const GraphTape& tape);

}  // namespace sightline::ir
