// Parts of a dump that need nothing else of it: types, source locations, problems.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/type.h"
#include "sightline/python/native/ir/ir_graph.h"

namespace sightline::python {
namespace {

// The texts own the bytes to which the views of ir::Type and ir::Location point.
struct PyType {
  std::string text;
  ir::Type Parsed() const { return ir::ParseType(text).value_or(ir::Type{}); }
};

struct PyLocation {
  std::string text;
  ir::Location Parsed() const { return ir::ParseLocation(text).value_or(ir::Location{}); }
};

nb::object ShapeOf(const PyType& type) {
  const auto sizes = ir::Dimensions(type.Parsed().shape);
  if (!sizes) return nb::none();
  nb::list shape;
  for (const std::int64_t size : *sizes) shape.append(size);
  return nb::tuple(shape);
}

nb::object ColumnsOf(const PyLocation& location) {
  const auto columns = location.Parsed().columns;
  if (!columns) return nb::none();
  return nb::make_tuple(columns->begin, columns->end);
}

}  // namespace

nb::object MakeType(std::string_view text) { return nb::cast(PyType{std::string(text)}); }
nb::object MakeLocation(std::string_view text) { return nb::cast(PyLocation{std::string(text)}); }

void BindIrValues(nb::module_& module) {
  nb::class_<PyType>(
      module, "Type",
      "A type as a dump prints it, such as \"<Ref[Tensor[Float32]], (3, 4), ref_key=f.weight, "
      "is_parameter>\".")
      .def_prop_ro(
          "text", [](const PyType& self) { return ToStr(self.text); },
          "The type as the dump prints it.")
      .def_prop_ro(
          "name", [](const PyType& self) { return ToStr(self.Parsed().name); },
          "\"Ref[Tensor[Float32]]\", \"Int64\", \"Func\"; empty if it is not known.")
      .def_prop_ro(
          "element", [](const PyType& self) { return ToStr(ir::ElementType(self.Parsed())); },
          "The element type of a tensor, of a reference to one, or of a number: \"Float32\". Empty "
          "for others.")
      .def_prop_ro("shape", &ShapeOf,
                   "The sizes of a tensor's dimensions; -1 for an unknown size, a single -2 for an "
                   "unknown number of dimensions. None for others.")
      .def_prop_ro(
          "ref_key", [](const PyType& self) { return ToStr(self.Parsed().ref_key); },
          "The parameter that a reference refers to; empty for others.")
      .def("__str__", [](const PyType& self) { return ToStr(self.text); })
      .def("__repr__", [](const PyType& self) { return ToStr("Type(" + self.text + ")"); })
      .def(
          "__eq__", [](const PyType& self, const PyType& other) { return self.text == other.text; },
          nb::is_operator())
      .def("__hash__", [](const PyType& self) { return nb::hash(ToStr(self.text)); });

  nb::class_<PyLocation>(module, "Location", "A place in the user's source.")
      .def_prop_ro(
          "text", [](const PyLocation& self) { return ToStr(self.text); },
          "The location as the dump prints it.")
      .def_prop_ro(
          "path", [](const PyLocation& self) { return ToStr(self.Parsed().path); },
          "The path of the source, on the machine that compiled it.")
      .def_prop_ro(
          "first_line", [](const PyLocation& self) { return self.Parsed().first_line; },
          "The first line, from 1.")
      .def_prop_ro(
          "last_line", [](const PyLocation& self) { return self.Parsed().last_line; },
          "The last line, from 1.")
      .def_prop_ro("columns", &ColumnsOf,
                   "The columns from 0, the end exclusive; None for a whole function.")
      .def_prop_ro(
          "code", [](const PyLocation& self) { return ToStr(self.Parsed().code); },
          "The first line of the source, with its indentation.")
      .def("__str__", [](const PyLocation& self) { return ToStr(self.text); })
      .def("__repr__", [](const PyLocation& self) { return ToStr("Location(" + self.text + ")"); })
      .def(
          "__eq__",
          [](const PyLocation& self, const PyLocation& other) { return self.text == other.text; },
          nb::is_operator())
      .def("__hash__", [](const PyLocation& self) { return nb::hash(ToStr(self.text)); });

  nb::class_<ir::Problem>(
      module, "Problem",
      "Something that the grammar of dumps does not explain, or a count that does not hold.")
      .def_ro("line", &ir::Problem::line, "The line in the file, from 1.")
      .def_ro("column", &ir::Problem::column, "The column in bytes, from 1.")
      .def_prop_ro(
          "message", [](const ir::Problem& self) { return ToStr(self.message); }, "What is wrong.")
      .def("__repr__", [](const ir::Problem& self) {
        return ToStr("Problem(line " + std::to_string(self.line) + ", column " +
                     std::to_string(self.column) + ": " + self.message + ")");
      });
}

}  // namespace sightline::python
