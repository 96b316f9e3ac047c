#include "sightline/python/native/ir/ir_graph.h"

namespace sightline::python {
namespace {

const ir::Subgraph& SubgraphOf(const PySubgraph& self) {
  return self.dump->module.subgraphs[self.index];
}
const ir::Parameter& ParameterOf(const PyParameter& self) {
  return self.dump->module.parameters[self.index];
}

nb::str NameOf(const PySubgraph& self) { return ToStr(self.dump->Text(SubgraphOf(self).name)); }
nb::str NameOf(const PyParameter& self) { return ToStr(self.dump->Text(ParameterOf(self).name)); }

void BindParameter(nb::module_& module) {
  nb::class_<PyParameter>(module, "Parameter", "A parameter of a subgraph.")
      .def_prop_ro(
          "name", [](const PyParameter& self) { return NameOf(self); },
          "The name without the number.")
      .def_prop_ro(
          "number", [](const PyParameter& self) { return ParameterOf(self).number; },
          "The number, such as 3 of \"%para3_x\"; 0 for all parameters of a subgraph in "
          "analyze_fail.ir.")
      .def_prop_ro(
          "type",
          [](const PyParameter& self) -> nb::object {
            const ir::TextId type = ParameterOf(self).type;
            return type == ir::kNoText ? nb::none() : MakeType(self.dump->Text(type));
          },
          "The type; None if the dump has none.")
      .def_prop_ro(
          "has_default", [](const PyParameter& self) { return ParameterOf(self).has_default; },
          "Whether it is a weight of the network, with a value, and not an input.")
      .def_prop_ro(
          "subgraph",
          [](const PyParameter& self) {
            return SubgraphOrNone(self.dump, self.dump->flow.SubgraphOfParameter(self.index));
          },
          "The subgraph to which it belongs.")
      .def_prop_ro(
          "users",
          [](const PyParameter& self) {
            return ToList<PyNode>(self.dump, self.dump->flow.ParameterUsers(self.index));
          },
          "The nodes that take its value or call it, each once.")
      .def(
          "__eq__", [](const PyParameter& self, const PyParameter& other) { return self == other; },
          nb::is_operator())
      .def("__hash__", [](const PyParameter& self) { return self.index; })
      .def("__repr__",
           [](const PyParameter& self) { return nb::str("Parameter({})").format(NameOf(self)); });
}

}  // namespace

void BindIrSubgraph(nb::module_& module) {
  BindParameter(module);
  nb::class_<PySubgraph>(module, "Subgraph", "A function of the dump.")
      .def_prop_ro(
          "name", [](const PySubgraph& self) { return NameOf(self); },
          "The name; several subgraphs may have the same.")
      .def_prop_ro(
          "instance",
          [](const PySubgraph& self) { return ToStr(self.dump->Text(SubgraphOf(self).instance)); },
          "The address that distinguishes subgraphs with one name; empty if the dump has none.")
      .def_prop_ro(
          "parent",
          [](const PySubgraph& self) {
            return SubgraphOrNone(self.dump, self.dump->flow.Parent(self.index));
          },
          "The subgraph whose values it may use.")
      .def_prop_ro(
          "parameters",
          [](const PySubgraph& self) {
            return ToList<PyParameter>(
                self.dump, ir::ParametersOf(self.dump->module, self.dump->flow, self.index));
          },
          "Its parameters, in their order.")
      .def_prop_ro(
          "nodes",
          [](const PySubgraph& self) { return ToList<PyNode>(self.dump, SubgraphOf(self).nodes); },
          "Its statements, in their order.")
      .def_prop_ro(
          "attributes",
          [](const PySubgraph& self) { return ToDict(*self.dump, SubgraphOf(self).attributes); },
          "Its attributes, as the dump lists them above it.")
      .def_prop_ro(
          "users",
          [](const PySubgraph& self) {
            return ToList<PyNode>(self.dump, self.dump->flow.SubgraphUsers(self.index));
          },
          "The nodes that take it as input or may call it.")
      .def(
          "__eq__", [](const PySubgraph& self, const PySubgraph& other) { return self == other; },
          nb::is_operator())
      .def("__hash__", [](const PySubgraph& self) { return self.index; })
      .def("__repr__",
           [](const PySubgraph& self) { return nb::str("Subgraph({})").format(NameOf(self)); });
}

}  // namespace sightline::python
