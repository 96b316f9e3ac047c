#include <algorithm>
#include <string>

#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"
#include "sightline/python/native/ir/ir_graph.h"

namespace sightline::python {
namespace {

const ir::Node& NodeOf(const PyNode& self) { return self.dump->module.nodes[self.index]; }

const char* KindName(ir::CalleeKind kind) {
  switch (kind) {
    case ir::CalleeKind::kReturn:
      return "return";
    case ir::CalleeKind::kPrimitive:
      return "primitive";
    case ir::CalleeKind::kMeta:
      return "meta";
    case ir::CalleeKind::kCall:
      return "call";
    case ir::CalleeKind::kClosure:
      return "closure";
    case ir::CalleeKind::kForeign:
      return "foreign";
    case ir::CalleeKind::kParameter:
      return "parameter";
  }
  return "";
}

nb::list Inputs(const PyNode& self) {
  nb::list inputs;
  const ir::Range operands = NodeOf(self).operands;
  for (std::uint32_t i = operands.begin; i < operands.end(); ++i)
    inputs.append(ToObject(self.dump, self.dump->flow.source(i)));
  return inputs;
}

// Groups with one name, as in a fused kernel's node, become one.
nb::dict Attributes(const PyNode& self) {
  nb::dict groups;
  const ir::Module& module = self.dump->module;
  const ir::Range range = module.node_attributes[NodeOf(self).attributes].groups;
  for (std::uint32_t i = range.begin; i < range.end(); ++i) {
    const ir::AttributeGroup& group = module.attribute_groups[i];
    const nb::str name = ToStr(self.dump->Text(group.name));
    const nb::dict attributes = ToDict(*self.dump, group.attributes);
    if (groups.contains(name)) {
      nb::cast<nb::dict>(groups[name]).update(attributes);
    } else {
      groups[name] = attributes;
    }
  }
  return groups;
}

// Types [begin, begin + size) of the node's type line.
nb::list Types(const PyNode& self, std::uint32_t begin, std::uint32_t size) {
  nb::list types;
  const ir::Module& module = self.dump->module;
  for (std::uint32_t i = begin; i < begin + size; ++i)
    types.append(MakeType(module.texts[module.types[i]]));
  return types;
}

nb::list InputTypes(const PyNode& self) {
  const ir::TypeLine* const types = ir::FindTypes(self.dump->module, NodeOf(self));
  return types == nullptr ? nb::list() : Types(self, types->begin, types->inputs);
}

nb::list OutputTypes(const PyNode& self) {
  const ir::TypeLine* const types = ir::FindTypes(self.dump->module, NodeOf(self));
  return types == nullptr ? nb::list() : Types(self, types->begin + types->inputs, types->outputs);
}

nb::list Locations(const PyNode& self) {
  nb::list locations;
  const ir::Module& module = self.dump->module;
  for (const ir::TextId text : ir::LocationsOf(module, NodeOf(self)))
    locations.append(MakeLocation(module.texts[text]));
  return locations;
}

// A node's own line is the line before its notes.
std::uint32_t LineNumber(const PyNode& self) {
  return self.dump->line_numbers[NodeOf(self).lines.begin - 1];
}

nb::str Operator(const PyNode& self) {
  return ToStr(ir::CalleeName(self.dump->module, NodeOf(self)));
}

}  // namespace

void BindIrNode(nb::module_& module) {
  nb::class_<PyNode>(module, "Node",
                     "A statement of a subgraph: what it calls, and with which inputs.")
      .def_prop_ro(
          "name", [](const PyNode& self) { return ToStr(self.dump->Text(NodeOf(self).name)); },
          "A name such as \"CNode_12\"; several nodes may have the same.")
      .def_prop_ro(
          "number",
          [](const PyNode& self) -> nb::object {
            if (NodeOf(self).kind == ir::CalleeKind::kReturn) return nb::none();
            return nb::int_(NodeOf(self).number);
          },
          "The number of \"%3\", which is its place in the subgraph; None for a Return.")
      .def_prop_ro(
          "kind", [](const PyNode& self) { return KindName(NodeOf(self).kind); },
          "What it calls: a primitive, a subgraph (\"call\"), or a value that is a function.")
      .def_prop_ro("operator", &Operator,
                   "The primitive's printed name, \"Return\", or a name for the kind of call; see "
                   "Module.operators.")
      .def_prop_ro(
          "callee",
          [](const PyNode& self) {
            return ToObject(self.dump, self.dump->flow.callee(self.index));
          },
          "What it calls: the subgraph or value, a primitive's name, or None if the dump does not "
          "have it.")
      .def_prop_ro(
          "calls",
          [](const PyNode& self) {
            return ToList<PySubgraph>(self.dump, self.dump->flow.Calls(self.index));
          },
          "The subgraphs that it may call.")
      .def_prop_ro("inputs", &Inputs,
                   "For each operand the element that it comes from, the text of a constant, or "
                   "None if the dump does not have it.")
      .def_prop_ro(
          "users",
          [](const PyNode& self) {
            return ToList<PyNode>(self.dump, self.dump->flow.NodeUsers(self.index));
          },
          "The nodes that take its value or call it, each once.")
      .def_prop_ro(
          "subgraph",
          [](const PyNode& self) {
            return SubgraphOrNone(self.dump, self.dump->flow.SubgraphOfNode(self.index));
          },
          "The subgraph to which it belongs.")
      .def_prop_ro("attributes", &Attributes,
                   "The attributes by group: {\"primitive_attrs\": {\"group\": \"I64(1)\"}}. The "
                   "group \"\" has the instance name.")
      .def_prop_ro("input_types", &InputTypes,
                   "The type of each input; empty in dumps without types.")
      .def_prop_ro("output_types", &OutputTypes,
                   "The types of the result; empty in dumps without types.")
      .def_prop_ro(
          "scope",
          [](const PyNode& self) {
            return ToStr(ir::FindScope(self.dump->module, NodeOf(self)).path);
          },
          "\"Default/network-WithLossCell/conv1-Conv2d\"; empty if it is not known.")
      .def_prop_ro(
          "name_in_scope",
          [](const PyNode& self) {
            return ToStr(ir::FindScope(self.dump->module, NodeOf(self)).name);
          },
          "\"Conv2D-op0\"; empty in dumps that print only the scope.")
      .def_prop_ro("locations", &Locations,
                   "Its source locations: the outermost call first, the node's own line last.")
      .def_prop_ro("line", &LineNumber, "The line in the file, from 1.")
      .def(
          "__eq__", [](const PyNode& self, const PyNode& other) { return self == other; },
          nb::is_operator())
      .def("__hash__", [](const PyNode& self) { return self.index; })
      .def("__repr__", [](const PyNode& self) {
        return nb::str("Node({} = {})")
            .format(ToStr(self.dump->Text(NodeOf(self).name)), Operator(self));
      });
}

}  // namespace sightline::python
