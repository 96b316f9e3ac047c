// A graph as a framework holds it: objects that point to each other, with texts of their own. For
// tests and benchmarks of what a framework hands over.
//
//   FrameworkGraph graph = FrameworkGraph::Small({"Add", "ReLU"});
//   dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sightline/ir/dataflow.h"
#include "sightline/ir/graph_visitor.h"
#include "sightline/ir/location.h"
#include "sightline/ir/lookup.h"
#include "sightline/ir/module.h"

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
  };
  struct Attribute {
    std::string group;
    std::string key;
    std::string value;
  };
  struct Op {
    std::string name;
    std::string primitive;
    const void* called = nullptr;
    std::vector<const void*> closure;
    std::vector<Input> inputs;
    std::vector<Attribute> attributes;
    std::vector<std::string> types;
    std::string full_name;
    std::string side_effect;
    std::shared_ptr<const std::vector<Place>> stack;  // Shared by what one line of source made.
    bool is_return = false;
  };
  struct Parameter {
    std::string name;
    std::string type;
    std::string shape;
    bool has_default = false;
  };
  struct Subgraph {
    std::string name;
    const void* parent = nullptr;
    std::vector<Attribute> attributes;
    std::deque<Parameter> parameters;
    std::deque<Op> ops;
  };

  // One subgraph whose operators are a chain behind the parameter x.
  static FrameworkGraph Small(const std::vector<std::string>& primitives) {
    const std::string type = "<Tensor[Float32], (2)>";
    FrameworkGraph graph;
    Subgraph& main = graph.subgraphs.emplace_back();
    main.name = "main_1";
    main.parameters.push_back({"x", type, "[2]", false});
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

  // What a dump holds, but devices, objects, and what is not of the node's own source.
  static FrameworkGraph Of(const ir::Module& module);

  void Visit(ir::GraphVisitor& visitor) const;
  std::function<void(ir::GraphVisitor&)> Visitor() const {
    return [this](ir::GraphVisitor& visitor) { Visit(visitor); };
  }

  std::deque<Subgraph> subgraphs;  // The entry graph first.

 private:
  static Op OpOf(const ir::Module& module, const ir::Node& node,
                 std::map<std::string, std::shared_ptr<const std::vector<Place>>>& stacks);
};

inline FrameworkGraph::Op FrameworkGraph::OpOf(
    const ir::Module& module, const ir::Node& node,
    std::map<std::string, std::shared_ptr<const std::vector<Place>>>& stacks) {
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
    for (std::uint32_t i = 0; i < types->inputs + types->outputs; ++i)
      op.types.push_back(text(module.types[types->begin + i]));
  }
  std::string all;
  auto stack = std::make_shared<std::vector<Place>>();
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    const ir::Line& line = module.lines[i];
    if (line.kind == ir::LineKind::kFullname) op.full_name = text(ir::TextId{line.index});
    if (line.kind == ir::LineKind::kSideEffect) op.side_effect = text(ir::TextId{line.index});
    if (line.kind != ir::LineKind::kLocation) continue;
    all += text(ir::TextId{line.index}) + "\n";
    if (const auto at = ir::ParseLocation(module.texts[ir::TextId{line.index}])) {
      stack->push_back({std::string(at->path), std::string(at->code), at->first_line, at->last_line,
                        at->columns});
    }
  }
  op.stack = stacks.try_emplace(all, stack).first->second;
  return op;
}

inline FrameworkGraph FrameworkGraph::Of(const ir::Module& module) {
  const ir::Dataflow flow(module);
  const auto text = [&](ir::TextId id) { return std::string(module.texts[id]); };
  FrameworkGraph graph;
  std::vector<Subgraph*> subgraphs(module.subgraphs.size());
  std::vector<const void*> nodes(module.nodes.size());
  std::vector<const void*> parameters(module.parameters.size());
  std::map<std::string, std::shared_ptr<const std::vector<Place>>> stacks;
  const auto add = [&](std::uint32_t index) {
    const ir::Subgraph& from = module.subgraphs[index];
    Subgraph& to = graph.subgraphs.emplace_back();
    subgraphs[index] = &to;
    to.name = text(from.name);
    for (std::uint32_t i = from.attributes.begin; i < from.attributes.end(); ++i) {
      to.attributes.push_back(
          {"", text(module.attributes[i].key), text(module.attributes[i].value)});
    }
    const ir::Range list = ir::ParametersOf(module, flow, index);
    for (std::uint32_t i = list.begin; i < list.end(); ++i) {
      const ir::Parameter& parameter = module.parameters[i];
      to.parameters.push_back({text(parameter.name), text(parameter.type), text(parameter.shape),
                               parameter.has_default});
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
      if (module.nodes[i].closure != ir::kNoText)
        for (const std::uint32_t callee : flow.Calls(i)) op.closure.push_back(subgraphs[callee]);
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

inline void FrameworkGraph::Visit(ir::GraphVisitor& visitor) const {
  std::vector<ir::DumpValue> operands;
  std::vector<ir::DumpAttribute> attributes;
  std::vector<std::string_view> types;
  std::vector<ir::Location> locations;
  for (const Subgraph& subgraph : subgraphs) {
    attributes.clear();
    for (const Attribute& attribute : subgraph.attributes)
      attributes.push_back({attribute.key, attribute.value, ""});
    visitor.Subgraph({.key = &subgraph,
                      .name = subgraph.name,
                      .parent = subgraph.parent,
                      .attributes = attributes});
    for (const Parameter& parameter : subgraph.parameters) {
      visitor.Parameter(
          {&parameter, parameter.name, parameter.type, parameter.shape, parameter.has_default});
    }
    for (const Op& op : subgraph.ops) {
      operands.clear();
      attributes.clear();
      locations.clear();
      for (const Input& input : op.inputs) operands.push_back({input.key, input.constant});
      for (const Attribute& attribute : op.attributes)
        attributes.push_back({attribute.key, attribute.value, attribute.group});
      types.assign(op.types.begin(), op.types.end());
      if (op.stack != nullptr && !visitor.KnowsLocations(op.stack.get())) {
        for (const Place& place : *op.stack) {
          locations.push_back({.path = place.path,
                               .first_line = place.first_line,
                               .last_line = place.last_line,
                               .columns = place.columns,
                               .code = place.code});
        }
      }
      const ir::DumpNode node = {.key = &op,
                                 .name = op.name,
                                 .primitive = op.primitive,
                                 .called = op.called,
                                 .closure = op.closure,
                                 .operands = operands,
                                 .attributes = attributes,
                                 .types = types,
                                 .full_name = op.full_name,
                                 .side_effect = op.side_effect,
                                 .locations = locations,
                                 .location_key = op.stack.get()};
      if (op.is_return) {
        visitor.Return(node);
      } else {
        visitor.Node(node);
      }
    }
  }
}

}  // namespace sightline::testing
