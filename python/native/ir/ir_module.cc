// sightline._ir, which python/sightline/ir.py re-exports. Its types are in
// python/sightline/_ir.pyi.
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
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/ir/ir_graph.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

// Runs without the GIL, since a large dump takes a while.
PyModule Load(nb::handle path) {
  const std::string name = ToPath(path);
  const auto read = [&]() -> Result<PyModule> {
    const nb::gil_scoped_release released;
    SIGHTLINE_ASSIGN_OR_RETURN(ir::Module module, ir::ReadDump(name));
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

// Reads the message of a graph event, as files in MindSpore's dialect hold it.
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
      .def_prop_ro("form", &FormName,
                   "The form of the dump; \"failure\" is analyze_fail.ir. Actor sets have only "
                   "problems and operators.")
      .def_prop_ro(
          "entry",
          [](const PyModule& self) { return SubgraphOrNone(self.dump, self.dump->flow.entry()); },
          "The subgraph of the whole network.")
      .def_prop_ro(
          "subgraphs",
          [](const PyModule& self) { return All<PySubgraph>(self, self.dump->module.subgraphs); },
          "All subgraphs, in the file's order.")
      .def_prop_ro(
          "nodes", [](const PyModule& self) { return All<PyNode>(self, self.dump->module.nodes); },
          "The nodes of all subgraphs, in the file's order.")
      .def_prop_ro(
          "parameters",
          [](const PyModule& self) {
            return ToList<PyParameter>(self.dump, self.dump->module.header.parameters);
          },
          "The parameters of the entry, as the header lists them.")
      .def_prop_ro(
          "attributes",
          [](const PyModule& self) {
            return ToDict(*self.dump, self.dump->module.header.attributes);
          },
          "The attributes of the file.")
      .def_prop_ro("operators", &Operators,
                   "The number of nodes by what they call: a primitive's name, \"Return\", "
                   "\"call\", \"closure\", \"xclosure\", \"paramcall\", \"meta\".")
      .def_prop_ro(
          "problems",
          [](const PyModule& self) {
            nb::list problems;
            for (const ir::Problem& problem : self.dump->module.problems) problems.append(problem);
            return problems;
          },
          "The first 1,000 problems.")
      .def_prop_ro(
          "problem_count", [](const PyModule& self) { return self.dump->module.problem_count; },
          "How many problems there are in all.")
      .def("to_bytes", &ToBytes,
           "The dump as .ir text; if it was read from such a text, the same bytes.")
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
          "subgraph"_a = nb::none(),
          "The nodes that meet every condition. Texts are patterns: * stands for any\n"
          "text, ? for one byte.\n\n"
          "operator: \"MatMul\" is also \"PrimFunc_MatMul\". attribute, value: a key, and\n"
          "its value. scope: a scope that contains the node. parameter: the name of a\n"
          "parameter that it takes. file, line: the end of a source path, and a line\n"
          "there.")
      .def("__repr__", [](const PyModule& self) {
        return nb::str("Module(subgraphs={}, nodes={})")
            .format(self.dump->module.subgraphs.size(), self.dump->module.nodes.size());
      });
}

}  // namespace
}  // namespace sightline::python

NB_MODULE(_ir, module) {
  module.doc() = "The extension module of sightline.ir, which re-exports it.";
  namespace python = sightline::python;
  nanobind::set_leak_warnings(false);
  python::BindIrValues(module);
  python::BindIrNode(module);
  python::BindIrSubgraph(module);
  python::BindIrModule(module);
  python::BindIrDiff(module);
  module.def("load", &python::Load, nanobind::arg("path"),
             "Reads a dump. Raises OSError for a file that cannot be read, ValueError for one that "
             "is not a dump. Damage raises nothing: what is not understood is in Module.problems, "
             "everything else is there.");
  module.def("parse", &python::Parse, nanobind::arg("dump"),
             "The same for the bytes of a dump; any bytes are allowed.");
  module.def("parse_graph", &python::ParseGraph, nanobind::arg("message"),
             "Reads the GraphProto of a graph event in MindSpore's summary file. Raises OSError "
             "for other bytes.");
}
