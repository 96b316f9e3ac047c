#include "sightline/python/native/ir/ir_graph.h"

#include <utility>

#include "sightline/ir/model/lookup.h"

namespace sightline::python {

Dump::Dump(ir::Module read)
    : module(std::move(read)), flow(module), line_numbers(ir::LineNumbers(module)) {}

nb::str ToStr(std::string_view text) {
  PyObject* const decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

nb::object ToObject(const std::shared_ptr<const Dump>& dump, ir::Source source) {
  switch (source.kind) {
    case ir::SourceKind::kNode:
      return nb::cast(PyNode{dump, source.index});
    case ir::SourceKind::kParameter:
      return nb::cast(PyParameter{dump, source.index});
    case ir::SourceKind::kSubgraph:
      return nb::cast(PySubgraph{dump, source.index});
    case ir::SourceKind::kConstant:
    case ir::SourceKind::kPrimitive:
      return ToStr(dump->Text(ir::TextId{source.index}));
    case ir::SourceKind::kUnresolved:
      return nb::none();
  }
  return nb::none();
}

nb::dict ToDict(const Dump& dump, ir::Range attributes) {
  nb::dict dict;
  for (std::uint32_t i = attributes.begin; i < attributes.end(); ++i) {
    const ir::Attribute& attribute = dump.module.attributes[i];
    const nb::object value =
        attribute.has_value ? nb::object(ToStr(dump.Text(attribute.value))) : nb::none();
    dict[ToStr(dump.Text(attribute.key))] = value;
  }
  return dict;
}

nb::object SubgraphOrNone(const std::shared_ptr<const Dump>& dump, std::uint32_t index) {
  return index == ir::kNoIndex ? nb::none() : nb::cast(PySubgraph{dump, index});
}

}  // namespace sightline::python
