// sightline._ir: what python/sightline/ir.py re-exports. python/sightline/_ir.pyi is its typed
// face.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/query/node_filter.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/proto_reader.h"
#include "sightline/ir/read/reader.h"
#include "sightline/python/failures.h"
#include "sightline/python/ir_graph.h"
#include "sightline/python/path.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

// Without the GIL: a large dump takes a while.
PyModule Load(nb::handle path) {
  const std::string name = ToPath(path);
  const auto read = [&]() -> Result<PyModule> {
    const nb::gil_scoped_release released;
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(ir::Module module, ir::ReadDump(name));
    return PyModule{std::make_shared<const Dump>(std::move(module))};
  };
  const Result<PyModule> module = read();
  if (!module) RaiseIfError(module.error());
  return *module;
}

PyModule Parse(const nb::bytes& bytes) {
  Result<ir::Module> module = ir::ParseDump({bytes.c_str(), bytes.size()});
  if (!module) RaiseIfError(module.error());
  return {std::make_shared<const Dump>(*std::move(module))};
}

// Of a graph event's message, as files of MindSpore's dialect hold it.
PyModule ParseGraph(const nb::bytes& message) {
  Result<ir::Module> module = ir::ParseGraphProto({message.c_str(), message.size()});
  if (!module) RaiseIfError(module.error());
  return {std::make_shared<const Dump>(*std::move(module))};
}

const char* FormName(const PyModule& self) {
  switch (self.dump->module.form) {
    case ir::Form::kGraph:
      return "graph";
    case ir::Form::kFailure:
      return "failure";
    case ir::Form::kActors:
      return "actors";
    case ir::Form::kActorSections:
      return "actor sections";
  }
  return "";
}

nb::dict Operators(const PyModule& self) {
  nb::dict operators;
  for (const auto& [name, count] : ir::Summarize(self.dump->module).callees)
    operators[ToStr(name)] = count;
  return operators;
}

nb::bytes ToBytes(const PyModule& self) {
  const std::string text = ir::PrintIr(self.dump->module);
  return nb::bytes(text.data(), text.size());
}

nb::list Find(const PyModule& self, const ir::NodeFilter& filter) {
  nb::list found;
  for (std::uint32_t i = 0; i < self.dump->module.nodes.size(); ++i) {
    if (ir::Matches(self.dump->module, self.dump->flow, i, filter))
      found.append(PyNode{self.dump, i});
  }
  return found;
}

template <typename Handle, typename Table>
nb::list All(const PyModule& self, const Table& table) {
  return ToList<Handle>(self.dump, ir::Range{0, static_cast<std::uint32_t>(table.size())});
}

using Pattern = std::optional<std::string>;

void BindIrModule(nb::module_& module) {
  nb::class_<PyModule>(module, "Module", "A dump with its names resolved.")
      .def_prop_ro("form", &FormName)
      .def_prop_ro(
          "entry",
          [](const PyModule& self) { return SubgraphOrNone(self.dump, self.dump->flow.entry()); })
      .def_prop_ro(
          "subgraphs",
          [](const PyModule& self) { return All<PySubgraph>(self, self.dump->module.subgraphs); })
      .def_prop_ro("nodes",
                   [](const PyModule& self) { return All<PyNode>(self, self.dump->module.nodes); })
      .def_prop_ro("parameters",
                   [](const PyModule& self) {
                     return ToList<PyParameter>(self.dump, self.dump->module.header.parameters);
                   })
      .def_prop_ro("attributes",
                   [](const PyModule& self) {
                     return ToDict(*self.dump, self.dump->module.header.attributes);
                   })
      .def_prop_ro("operators", &Operators)
      .def_prop_ro("problems",
                   [](const PyModule& self) {
                     nb::list problems;
                     for (const ir::Problem& problem : self.dump->module.problems)
                       problems.append(problem);
                     return problems;
                   })
      .def_prop_ro("problem_count",
                   [](const PyModule& self) { return self.dump->module.problem_count; })
      .def("to_bytes", &ToBytes)
      .def(
          "find",
          [](const PyModule& self, Pattern callee, Pattern name, Pattern attribute, Pattern value,
             Pattern scope, Pattern parameter, Pattern file, std::optional<std::uint32_t> line,
             Pattern subgraph) {
            return Find(self, {.callee = std::move(callee),
                               .name = std::move(name),
                               .attribute = std::move(attribute),
                               .attribute_value = std::move(value),
                               .scope = std::move(scope),
                               .parameter = std::move(parameter),
                               .file = std::move(file),
                               .line = line,
                               .subgraph = std::move(subgraph)});
          },
          nb::kw_only(), "operator"_a = nb::none(), "name"_a = nb::none(),
          "attribute"_a = nb::none(), "value"_a = nb::none(), "scope"_a = nb::none(),
          "parameter"_a = nb::none(), "file"_a = nb::none(), "line"_a = nb::none(),
          "subgraph"_a = nb::none())
      .def("__repr__", [](const PyModule& self) {
        return nb::str("Module(subgraphs={}, nodes={})")
            .format(self.dump->module.subgraphs.size(), self.dump->module.nodes.size());
      });
}

}  // namespace
}  // namespace sightline::python

NB_MODULE(_ir, module) {
  namespace python = sightline::python;
  nanobind::set_leak_warnings(false);
  python::BindIrValues(module);
  python::BindIrNode(module);
  python::BindIrSubgraph(module);
  python::BindIrModule(module);
  python::BindIrDiff(module);
  module.def("load", &python::Load, nanobind::arg("path"));
  module.def("parse", &python::Parse, nanobind::arg("dump"));
  module.def("parse_graph", &python::ParseGraph, nanobind::arg("message"));
}
