// The objects of sightline.ir: views of one dump. Each of them keeps the dump alive.
//
// All of them are immutable. They are equal if they are the same element of the same dump.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::python {

namespace nb = nanobind;

// A dump with its names resolved. It must not move, since the flow refers to the module.
struct Dump {
  explicit Dump(ir::Module read);
  ~Dump() = default;
  Dump(const Dump&) = delete;
  Dump& operator=(const Dump&) = delete;

  std::string_view Text(ir::TextId id) const { return module.texts[id]; }

  const ir::Module module;
  const ir::Dataflow flow;
  const std::vector<std::uint32_t> line_numbers;
};

// An element of one of the module's tables.
template <typename Kind>
struct Element {
  std::shared_ptr<const Dump> dump;
  std::uint32_t index = 0;

  bool operator==(const Element&) const = default;
};

using PyNode = Element<struct NodeTag>;
using PySubgraph = Element<struct SubgraphTag>;
using PyParameter = Element<struct ParameterTag>;

struct PyModule {
  std::shared_ptr<const Dump> dump;
};

// A text of a dump as a str. Bytes that are no UTF-8 become lone surrogates ("surrogateescape").
nb::str ToStr(std::string_view text);

// The object for an operand or a callee: a Node, Parameter or Subgraph, the text of a constant or
// primitive, or None if the dump does not have it.
nb::object ToObject(const std::shared_ptr<const Dump>& dump, ir::Source source);

// {"checkpoint": "Bool(1)"}; None for an attribute without a value.
nb::dict ToDict(const Dump& dump, ir::Range attributes);

// A list of the elements with the indices in a list or range.
template <typename Handle, typename Indices>
nb::list ToList(const std::shared_ptr<const Dump>& dump, const Indices& indices) {
  nb::list list;
  for (const std::uint32_t index : indices) list.append(Handle{dump, index});
  return list;
}
template <typename Handle>
nb::list ToList(const std::shared_ptr<const Dump>& dump, ir::Range range) {
  nb::list list;
  for (std::uint32_t i = range.begin; i < range.end(); ++i) list.append(Handle{dump, i});
  return list;
}

// A Subgraph, or None for kNoIndex.
nb::object SubgraphOrNone(const std::shared_ptr<const Dump>& dump, std::uint32_t index);

// Make a Type and a Location from their texts.
nb::object MakeType(std::string_view text);
nb::object MakeLocation(std::string_view text);

void BindIrValues(nb::module_& module);  // Type, Location, Problem
void BindIrNode(nb::module_& module);
void BindIrSubgraph(nb::module_& module);  // Also binds Parameter.
void BindIrDiff(nb::module_& module);

}  // namespace sightline::python
