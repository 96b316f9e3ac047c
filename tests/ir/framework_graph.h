// A graph as a framework holds it: objects that point to each other, with texts of their own. Tests
// and benchmarks pass it to a GraphDumper.
//
//   FrameworkGraph graph = FrameworkGraph::Small({"Add", "ReLU"});
//   dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sightline/ir/dump/graph_visitor.h"
#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::testing {

class FrameworkGraph {
 public:
  struct Input {
    const void* key = nullptr;
    std::string constant;
  };
  struct Place {
    std::string path;
    std::string code;
    std::uint32_t first_line = 0;
    std::uint32_t last_line = 0;
    std::optional<ir::Location::Columns> columns = {};
    bool inlined = false;
    bool shared = false;
  };
  // Of calls, outermost first; shared by what one line of source made.
  using Stack = std::shared_ptr<const std::vector<Place>>;
  using Stacks = std::map<std::string, Stack>;  // By their text.
  struct Attribute {
    std::string group;
    std::string key;
    std::string value;
  };
  struct Signature {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
  };
  struct Origin {
    ir::DumpOrigin::Kind kind;
    Stack stack;
  };
  struct Op {
    std::string name;
    std::string primitive;
    const void* called = nullptr;
    std::vector<ir::DumpFunction> closure;
    std::vector<Input> inputs;
    std::vector<Attribute> attributes;
    std::vector<std::string> types;
    Signature symbolic_shapes;
    Signature devices;
    Signature objects;
    std::string full_name;
    std::string side_effect;
    Stack stack;
    std::vector<Origin> origins;
    bool is_return = false;
  };
  struct Parameter {
    std::string name;
    std::string type;
    std::string shape;
    bool has_default = false;
    std::string device = {};
    bool is_weight = false;
  };
  struct Subgraph {
    std::string name;
    const void* parent = nullptr;
    std::string side_effect;
    std::vector<Attribute> attributes;
    std::deque<Parameter> parameters;
    std::deque<Op> ops;
  };

  // One subgraph whose operators form a chain from the parameter x.
  static FrameworkGraph Small(const std::vector<std::string>& primitives) {
    const std::string type = "<Tensor[Float32], (2)>";
    FrameworkGraph graph;
    Subgraph& main = graph.subgraphs.emplace_back();
    main.name = "main_1";
    main.parameters.push_back({"x", type, "[2]"});
    const void* last = &main.parameters.back();
    for (const std::string& primitive : primitives) {
      Op& op = main.ops.emplace_back();
      op.name = "CNode_" + std::to_string(main.ops.size());
      op.primitive = primitive;
      op.inputs = {{last, ""}};
      op.types = {type, type};
      op.full_name = "Default/net/" + primitive + "-op0";
      last = &op;
    }
    Op& result = main.ops.emplace_back();
    result.is_return = true;
    result.inputs = {{last, ""}};
    result.types = {type};
    return graph;
  }

  // What a dump holds, but order lists, jit configuration and symbol engines.
  static FrameworkGraph Of(const ir::Module& module);

  void Visit(ir::GraphVisitor& visitor) const;
  std::function<void(ir::GraphVisitor&)> Visitor() const {
    return [this](ir::GraphVisitor& visitor) { Visit(visitor); };
  }

  std::deque<Subgraph> subgraphs;  // The entry graph first.

 private:
  class NodeViews;

  static Signature SignatureOf(const ir::Module& module, const ir::TypeLine& types);
  static Stack StackAt(const ir::Module& module, ir::Range lines, Stacks& stacks);
  static void AddNotes(const ir::Module& module, const ir::Node& node, Stacks& stacks, Op& op);
  static std::vector<ir::DumpFunction> ClosureOf(std::string_view text,
                                                 const std::vector<const void*>& functions);
  static Op OpOf(const ir::Module& module, const ir::Node& node, Stacks& stacks);
};

inline FrameworkGraph::Signature FrameworkGraph::SignatureOf(const ir::Module& module,
                                                             const ir::TypeLine& types) {
  Signature signature;
  for (std::uint32_t i = 0; i < types.inputs + types.outputs; ++i) {
    std::vector<std::string>& side = i < types.inputs ? signature.inputs : signature.outputs;
    side.emplace_back(module.texts[module.types[types.begin + i]]);
  }
  return signature;
}

// The locations at the front of these lines.
inline FrameworkGraph::Stack FrameworkGraph::StackAt(const ir::Module& module, ir::Range lines,
                                                     Stacks& stacks) {
  std::string all;
  std::vector<Place> places;
  for (std::uint32_t i = lines.begin; i < lines.end(); ++i) {
    if (module.lines[i].kind != ir::LineKind::kLocation) break;
    const std::string_view text = module.texts[ir::TextId{module.lines[i].index}];
    all.append(text).append("\n");
    if (const auto at = ir::ParseLocation(text)) {
      places.push_back({std::string(at->path), std::string(at->code), at->first_line, at->last_line,
                        at->columns, at->inlined, at->shared});
    }
  }
  const auto [stack, added] = stacks.try_emplace(all);
  if (added) stack->second = std::make_shared<const std::vector<Place>>(std::move(places));
  return stack->second;
}

inline void FrameworkGraph::AddNotes(const ir::Module& module, const ir::Node& node, Stacks& stacks,
                                     Op& op) {
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    const ir::Line& line = module.lines[i];
    const auto text = [&] { return module.texts[ir::TextId{line.index}]; };
    const auto types = [&] { return SignatureOf(module, module.type_lines[line.index]); };
    if (line.kind == ir::LineKind::kSymbolicShapes) op.symbolic_shapes = types();
    if (line.kind == ir::LineKind::kDeviceTypes) op.devices = types();
    if (line.kind == ir::LineKind::kObjectTypes) op.objects = types();
    if (line.kind == ir::LineKind::kFullname) op.full_name = text();
    if (line.kind == ir::LineKind::kSideEffect) op.side_effect = text();
    if (line.kind == ir::LineKind::kLocation && op.stack == nullptr && op.origins.empty())
      op.stack = StackAt(module, {i, node.lines.end() - i}, stacks);
    if (line.kind != ir::LineKind::kNote) continue;
    const auto kind = text().find("forward") == std::string_view::npos
                          ? ir::DumpOrigin::Kind::kFused
                          : ir::DumpOrigin::Kind::kForward;
    op.origins.push_back({kind, StackAt(module, {i + 1, node.lines.end() - i - 1}, stacks)});
  }
}

inline FrameworkGraph::Op FrameworkGraph::OpOf(const ir::Module& module, const ir::Node& node,
                                               Stacks& stacks) {
  const auto text = [&](ir::TextId id) { return std::string(module.texts[id]); };
  Op op;
  op.name = text(node.name);
  op.is_return = node.kind == ir::CalleeKind::kReturn;
  const ir::Range groups = module.node_attributes[node.attributes].groups;
  for (std::uint32_t g = groups.begin; g < groups.end(); ++g) {
    const ir::AttributeGroup& group = module.attribute_groups[g];
    for (std::uint32_t i = group.attributes.begin; i < group.attributes.end(); ++i) {
      const ir::Attribute& attribute = module.attributes[i];
      op.attributes.push_back({text(group.name), text(attribute.key), text(attribute.value)});
    }
  }
  if (const ir::TypeLine* types = ir::FindTypes(module, node)) {
    const Signature signature = SignatureOf(module, *types);
    op.types = signature.inputs;
    op.types.insert(op.types.end(), signature.outputs.begin(), signature.outputs.end());
  }
  AddNotes(module, node, stacks, op);
  return op;
}

// "[@FuncUnion(@g, Partial(@h))]", whose subgraphs are these.
inline std::vector<ir::DumpFunction> FrameworkGraph::ClosureOf(
    std::string_view text, const std::vector<const void*>& functions) {
  std::vector<ir::DumpFunction> closure;
  std::size_t at = text.find("FuncUnion(") == std::string_view::npos ? 1 : 12;
  for (const void* function : functions) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    std::uint32_t partials = 0;
    for (std::size_t p = at; (p = text.find("Partial(", p)) < end; ++p) ++partials;
    closure.push_back({function, partials});
    at = end + 1;
  }
  return closure;
}

inline FrameworkGraph FrameworkGraph::Of(const ir::Module& module) {
  const ir::Dataflow flow(module);
  const auto text = [&](ir::TextId id) { return std::string(module.texts[id]); };
  FrameworkGraph graph;
  std::vector<Subgraph*> subgraphs(module.subgraphs.size());
  std::vector<const void*> nodes(module.nodes.size());
  std::vector<const void*> parameters(module.parameters.size());
  Stacks stacks;
  const auto add = [&](std::uint32_t index) {
    const ir::Subgraph& from = module.subgraphs[index];
    Subgraph& to = graph.subgraphs.emplace_back();
    subgraphs[index] = &to;
    to.name = text(from.name);
    for (std::uint32_t i = from.line; i > 0; --i) {
      const ir::Line& line = module.lines[i - 1];
      if (line.kind == ir::LineKind::kSubgraphEnd) break;
      if (line.kind == ir::LineKind::kSubgraphSideEffect)
        to.side_effect = text(ir::TextId{line.index});
    }
    for (std::uint32_t i = from.attributes.begin; i < from.attributes.end(); ++i) {
      to.attributes.push_back(
          {"", text(module.attributes[i].key), text(module.attributes[i].value)});
    }
    const ir::Range list = ir::ParametersOf(module, flow, index);
    for (std::uint32_t i = list.begin; i < list.end(); ++i) {
      const ir::Parameter& parameter = module.parameters[i];
      to.parameters.push_back({text(parameter.name), text(parameter.type), text(parameter.shape),
                               parameter.has_default, text(parameter.device), parameter.is_weight});
      parameters[i] = &to.parameters.back();
    }
    for (std::uint32_t i = from.nodes.begin; i < from.nodes.end(); ++i) {
      to.ops.push_back(OpOf(module, module.nodes[i], stacks));
      nodes[i] = &to.ops.back();
    }
  };
  if (flow.entry() != ir::kNoIndex) add(flow.entry());
  for (std::uint32_t i = 0; i < module.subgraphs.size(); ++i)
    if (i != flow.entry()) add(i);
  const auto key = [&](const ir::Source& source) -> const void* {
    switch (source.kind) {
      case ir::SourceKind::kNode:
        return nodes[source.index];
      case ir::SourceKind::kParameter:
        return parameters[source.index];
      case ir::SourceKind::kSubgraph:
        return subgraphs[source.index];
      case ir::SourceKind::kConstant:
      case ir::SourceKind::kPrimitive:
      case ir::SourceKind::kUnresolved:
        break;
    }
    return nullptr;
  };
  for (std::uint32_t s = 0; s < module.subgraphs.size(); ++s) {
    Subgraph& to = *subgraphs[s];
    if (flow.Parent(s) != ir::kNoIndex) to.parent = subgraphs[flow.Parent(s)];
    const ir::Range range = module.subgraphs[s].nodes;
    for (std::uint32_t i = range.begin; i < range.end(); ++i) {
      Op& op = to.ops[i - range.begin];
      op.called = key(flow.callee(i));
      if (op.called == nullptr) op.primitive = text(module.nodes[i].callee);
      if (module.nodes[i].closure != ir::kNoText) {
        std::vector<const void*> functions;
        for (const std::uint32_t callee : flow.Calls(i)) functions.push_back(subgraphs[callee]);
        op.closure = ClosureOf(module.texts[module.nodes[i].closure], functions);
      }
      const ir::Range operands = module.nodes[i].operands;
      for (std::uint32_t k = operands.begin; k < operands.end(); ++k) {
        const ir::Source source = flow.source(k);
        const void* from = key(source);
        op.inputs.push_back({from, from == nullptr ? text(ir::TextId{source.index}) : ""});
      }
    }
  }
  return graph;
}

// What is handed over for one node, in views; the memory is that of the node before.
class FrameworkGraph::NodeViews {
 public:
  ir::DumpNode Of(const Op& op, const ir::GraphVisitor& visitor) {
    operands_.clear();
    attributes_.clear();
    for (const Input& input : op.inputs) operands_.push_back({input.key, input.constant});
    for (const Attribute& attribute : op.attributes)
      attributes_.push_back({attribute.key, attribute.value, attribute.group});
    types_.assign(op.types.begin(), op.types.end());
    // The first is the node's own, the others those of its origins.
    locations_.resize(std::max(locations_.size(), op.origins.size() + 1));
    origins_.clear();
    for (std::size_t i = 0; i < op.origins.size(); ++i) {
      const Origin& origin = op.origins[i];
      origins_.push_back(
          {origin.kind, Locations(origin.stack, visitor, locations_[i + 1]), origin.stack.get()});
    }
    return {.key = &op,
            .name = op.name,
            .primitive = op.primitive,
            .called = op.called,
            .closure = op.closure,
            .operands = operands_,
            .attributes = attributes_,
            .types = types_,
            .symbolic_shapes = Of(op.symbolic_shapes, texts_[0]),
            .devices = Of(op.devices, texts_[1]),
            .objects = Of(op.objects, texts_[2]),
            .full_name = op.full_name,
            .side_effect = op.side_effect,
            .locations = Locations(op.stack, visitor, locations_[0]),
            .location_key = op.stack.get(),
            .origins = origins_};
  }

 private:
  using Texts = std::vector<std::string_view>;

  static ir::DumpSignature Of(const Signature& signature, std::array<Texts, 2>& texts) {
    texts[0].assign(signature.inputs.begin(), signature.inputs.end());
    texts[1].assign(signature.outputs.begin(), signature.outputs.end());
    return {texts[0], texts[1]};
  }
  static std::span<const ir::Location> Locations(const Stack& stack,
                                                 const ir::GraphVisitor& visitor,
                                                 std::vector<ir::Location>& locations) {
    locations.clear();
    if (stack == nullptr || visitor.KnowsLocations(stack.get())) return {};
    for (const Place& place : *stack) {
      locations.push_back({.inlined = place.inlined,
                           .path = place.path,
                           .first_line = place.first_line,
                           .last_line = place.last_line,
                           .columns = place.columns,
                           .code = place.code,
                           .shared = place.shared});
    }
    return locations;
  }

  std::vector<ir::DumpValue> operands_;
  std::vector<ir::DumpAttribute> attributes_;
  Texts types_;
  std::array<std::array<Texts, 2>, 3> texts_;
  std::vector<std::vector<ir::Location>> locations_;
  std::vector<ir::DumpOrigin> origins_;
};

inline void FrameworkGraph::Visit(ir::GraphVisitor& visitor) const {
  NodeViews views;
  std::vector<ir::DumpAttribute> attributes;
  for (const Subgraph& subgraph : subgraphs) {
    attributes.clear();
    for (const Attribute& attribute : subgraph.attributes)
      attributes.push_back({attribute.key, attribute.value, ""});
    visitor.Subgraph({.key = &subgraph,
                      .name = subgraph.name,
                      .parent = subgraph.parent,
                      .attributes = attributes,
                      .side_effect = subgraph.side_effect});
    for (const Parameter& parameter : subgraph.parameters) {
      visitor.Parameter({&parameter, parameter.name, parameter.type, parameter.shape,
                         parameter.has_default, parameter.device, parameter.is_weight});
    }
    for (const Op& op : subgraph.ops) {
      const ir::DumpNode node = views.Of(op, visitor);
      if (op.is_return) {
        visitor.Return(node);
      } else {
        visitor.Node(node);
      }
    }
  }
}

}  // namespace sightline::testing
