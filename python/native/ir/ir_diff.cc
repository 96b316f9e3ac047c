// sightline.ir.diff: the differences of two dumps, as views of the dumps.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "sightline/ir/compare/diff.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/ir/ir_graph.h"

namespace sightline::python {
namespace {

// The comparison. Every object below keeps it alive. Immutable.
struct Comparison {
  std::shared_ptr<const Dump> a;
  std::shared_ptr<const Dump> b;
  ir::Diff diff;
};

struct PyDiff {
  std::shared_ptr<const Comparison> comparison;

  const ir::Diff& diff() const { return comparison->diff; }
};

struct PyChange : PyDiff {
  std::uint32_t index = 0;

  const ir::Change& change() const { return diff().changes[index]; }
};

struct PyPropertyChange : PyChange {
  std::uint32_t property_index = 0;

  const ir::PropertyChange& property() const { return change().properties[property_index]; }
};

// A Subgraph, Parameter or Node of A or B; None for kNoIndex.
nb::object ElementOf(const Comparison& comparison, bool of_b, std::uint32_t index) {
  if (index == ir::kNoIndex) return nb::none();
  const std::shared_ptr<const Dump>& dump = of_b ? comparison.b : comparison.a;
  const ir::Diff& diff = comparison.diff;
  const ir::Element& element = (of_b ? diff.b : diff.a).elements[index];
  switch (element.kind) {
    case ir::ElementKind::kSubgraph:
      return nb::cast(PySubgraph{dump, element.index});
    case ir::ElementKind::kParameter:
      return nb::cast(PyParameter{dump, element.index});
    case ir::ElementKind::kNode:
      return nb::cast(PyNode{dump, element.index});
    case ir::ElementKind::kActor:
      break;  // Compare refuses them.
  }
  return nb::none();
}

nb::object Before(const PyChange& self) {
  const bool added = self.change().kind == ir::ChangeKind::kAdded;
  return added ? nb::none() : ElementOf(*self.comparison, false, self.change().element);
}

nb::object After(const PyChange& self) {
  return ElementOf(*self.comparison, true, self.change().in_b);
}

// Each element's objects are those of its own dump.
nb::object ToObject(const PyPropertyChange& self, const std::optional<ir::ChangedValue>& value,
                    bool of_b) {
  if (!value) return nb::none();
  if (value->kind == ir::Value::Kind::kText)
    return ToStr(value->text == ir::kNoText ? "" : self.diff().texts[value->text]);
  const ir::ElementRef ref = value->element;
  if (!of_b || ref.added) return ElementOf(*self.comparison, of_b, ref.element);
  return ElementOf(*self.comparison, true, self.diff().a_to_b[ref.element]);
}

nb::list Properties(const PyChange& self) {
  nb::list properties;
  if (self.change().kind != ir::ChangeKind::kChanged) return properties;
  for (std::uint32_t i = 0; i < self.change().properties.size(); ++i)
    properties.append(PyPropertyChange{self, i});
  return properties;
}

const char* KindName(const PyChange& self) {
  switch (self.change().kind) {
    case ir::ChangeKind::kAdded:
      return "added";
    case ir::ChangeKind::kRemoved:
      return "removed";
    case ir::ChangeKind::kChanged:
      return "changed";
  }
  return "";
}

bool IsMoved(const ir::Change& change) {
  return change.kind == ir::ChangeKind::kChanged && change.place && change.place->other_subgraph;
}
bool IsReordered(const ir::Change& change) {
  return change.kind == ir::ChangeKind::kChanged && change.place && !change.place->other_subgraph;
}

template <typename Choose>
nb::list Changes(const PyDiff& self, const Choose& choose) {
  nb::list changes;
  for (std::uint32_t i = 0; i < self.diff().changes.size(); ++i)
    if (choose(self.diff().changes[i])) changes.append(PyChange{self, i});
  return changes;
}

template <typename Handle>
std::uint32_t FirstOf(const ir::ElementTable& table);
template <>
std::uint32_t FirstOf<PySubgraph>(const ir::ElementTable& /*table*/) {
  return 0;
}
template <>
std::uint32_t FirstOf<PyParameter>(const ir::ElementTable& table) {
  return table.first_parameter;
}
template <>
std::uint32_t FirstOf<PyNode>(const ir::ElementTable& table) {
  return table.first_node;
}

template <typename Handle>
nb::object PartnerOf(const PyDiff& self, const Handle& element) {
  const Comparison& comparison = *self.comparison;
  const ir::Diff& diff = comparison.diff;
  if (element.dump == comparison.a)
    return ElementOf(comparison, true, diff.a_to_b[FirstOf<Handle>(diff.a) + element.index]);
  if (element.dump != comparison.b) throw nb::value_error("the element is of neither dump");
  const std::uint32_t in_b = FirstOf<Handle>(diff.b) + element.index;
  const auto found = std::find(diff.a_to_b.begin(), diff.a_to_b.end(), in_b);
  if (found == diff.a_to_b.end()) return nb::none();
  return ElementOf(comparison, false, static_cast<std::uint32_t>(found - diff.a_to_b.begin()));
}

// Runs without the GIL, since large graphs take a while.
PyDiff Compare(const PyModule& a, const PyModule& b) {
  for (const ir::Form form : {a.dump->module.form, b.dump->module.form}) {
    if (form != ir::Form::kGraph && form != ir::Form::kFailure)
      throw nb::value_error("an actor set is not a graph; sightline ir diff compares two of them");
  }
  const auto compare = [&]() -> Result<PyDiff> {
    const nb::gil_scoped_release released;
    SIGHTLINE_ASSIGN_OR_RETURN(ir::Diff diff, ir::Compare(a.dump->module, b.dump->module));
    return PyDiff{std::make_shared<const Comparison>(Comparison{a.dump, b.dump, std::move(diff)})};
  };
  const Result<PyDiff> diff = compare();
  if (!diff) RaiseIfError(diff.error());
  return *diff;
}

void BindChange(nb::module_& module) {
  nb::class_<PyPropertyChange>(module, "PropertyChange", "A property that differs.")
      .def_prop_ro(
          "name",
          [](const PyPropertyChange& self) { return ToStr(Describe(self.property().kind)); },
          "The name as in `sightline ir diff`: \"callee\", \"input\", \"type of result\", "
          "\"attribute\".")
      .def_prop_ro(
          "key",
          [](const PyPropertyChange& self) -> nb::object {
            const ir::TextId key = self.property().key;
            if (key == ir::kNoText) return nb::none();
            return ToStr(self.diff().texts[key]);
          },
          "The key of an attribute: \"primitive_attrs.strides\", or \"less_bn\" of a subgraph. "
          "None for other properties.")
      .def_prop_ro(
          "position", [](const PyPropertyChange& self) { return self.property().position; },
          "The position among properties with this name and key, such as inputs; from 0.")
      .def_prop_ro(
          "before",
          [](const PyPropertyChange& self) {
            return ToObject(self, self.property().before, false);
          },
          "The value in the first dump: an element, or a text without addresses; None if there was "
          "none.")
      .def_prop_ro(
          "after",
          [](const PyPropertyChange& self) { return ToObject(self, self.property().after, true); },
          "The value in the second dump.")
      .def("__repr__", [](const PyPropertyChange& self) {
        return nb::str("PropertyChange({} {}: {} -> {})")
            .format(ToStr(Describe(self.property().kind)), self.property().position,
                    ToObject(self, self.property().before, false),
                    ToObject(self, self.property().after, true));
      });
  nb::class_<PyChange>(module, "Change", "An element that is not the same in both dumps.")
      .def_prop_ro("kind", &KindName, "What happened to the element.")
      .def_prop_ro("before", &Before, "The element in the first dump; None if it was added.")
      .def_prop_ro("after", &After, "The element in the second dump; None if it was removed.")
      .def_prop_ro(
          "ambiguous", [](const PyChange& self) { return self.change().ambiguous; },
          "Whether another element would match as well, since nothing distinguishes them.")
      .def_prop_ro(
          "moved", [](const PyChange& self) { return IsMoved(self.change()); },
          "Whether it is in another subgraph.")
      .def_prop_ro(
          "reordered", [](const PyChange& self) { return IsReordered(self.change()); },
          "Whether it is at another place in its subgraph.")
      .def_prop_ro(
          "properties", &Properties,
          "What changed. Empty for elements that were added or removed, or that only moved.")
      .def("__repr__", [](const PyChange& self) {
        const bool added = self.change().kind == ir::ChangeKind::kAdded;
        return nb::str("Change({} {}{})")
            .format(KindName(self), added ? After(self) : Before(self),
                    self.change().ambiguous ? ", ambiguous" : "");
      });
}

}  // namespace

void BindIrDiff(nb::module_& module) {
  using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)
  BindChange(module);
  const auto of_kind = [](ir::ChangeKind kind) {
    return [kind](const PyDiff& self) {
      return Changes(self, [kind](const ir::Change& change) { return change.kind == kind; });
    };
  };
  nb::class_<PyDiff>(module, "Diff",
                     "The differences of two dumps. Ids, addresses, scopes, source lines and the "
                     "order of subgraphs do not count.")
      .def_prop_ro(
          "equal", [](const PyDiff& self) { return self.diff().equal(); },
          "Whether nothing differs.")
      .def_prop_ro(
          "changes",
          [](const PyDiff& self) { return Changes(self, [](const ir::Change&) { return true; }); },
          "All changes: of subgraphs, parameters and nodes.")
      .def_prop_ro("added", of_kind(ir::ChangeKind::kAdded),
                   "Elements that only the second dump has.")
      .def_prop_ro("removed", of_kind(ir::ChangeKind::kRemoved),
                   "Elements that only the first dump has.")
      .def_prop_ro(
          "changed",
          [](const PyDiff& self) {
            return Changes(self, [](const ir::Change& change) {
              return change.kind == ir::ChangeKind::kChanged && !change.properties.empty();
            });
          },
          "Elements with other properties. They may also have moved.")
      .def_prop_ro(
          "moved", [](const PyDiff& self) { return Changes(self, &IsMoved); },
          "Elements that are in another subgraph.")
      .def_prop_ro(
          "reordered", [](const PyDiff& self) { return Changes(self, &IsReordered); },
          "Elements that are at another place in their subgraph.")
      .def("partner", &PartnerOf<PyNode>, "element"_a,
           "The same element in the other dump; None if it was added or removed. Raises ValueError "
           "for an element of any other dump.")
      .def("partner", &PartnerOf<PyParameter>, "element"_a)
      .def("partner", &PartnerOf<PySubgraph>, "element"_a)
      .def("__repr__", [](const PyDiff& self) {
        const ir::DiffCounts counts = ir::CountChanges(self.diff());
        return nb::str("Diff({} added, {} removed, {} changed, {} moved, {} reordered)")
            .format(counts.added, counts.removed, counts.changed, counts.moved, counts.reordered);
      });
  module.def("diff", &Compare, "a"_a, "b"_a,
             "Compares two dumps, as docs/ir.md describes (\"How graphs are compared\"). Raises "
             "ValueError for actor sets.");
}

}  // namespace sightline::python
