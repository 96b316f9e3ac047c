#include "sightline/ir/report/diff_text.h"

#include "sightline/base/text/printable.h"

namespace sightline::ir {

const Element& DiffText::ElementOf(const Change& change) const {
  const bool added = change.kind == ChangeKind::kAdded;
  return (added ? diff_.b : diff_.a).elements[change.element];
}

const NodeText& DiffText::NodesOf(const Change& change) const {
  return change.kind == ChangeKind::kAdded ? b_ : a_;
}

std::string DiffText::Name(const ElementRef& ref) const {
  if (ref.element == kNoIndex) return "none";
  const NodeText& nodes = ref.added ? b_ : a_;
  const Element& element = (ref.added ? diff_.b : diff_.a).elements[ref.element];
  switch (element.kind) {
    case ElementKind::kSubgraph:
      return nodes.Name({SourceKind::kSubgraph, false, element.index});
    case ElementKind::kParameter:
      return nodes.Name({SourceKind::kParameter, false, element.index});
    case ElementKind::kNode:
      return nodes.Name(element.index);
    case ElementKind::kActor:
      return Printable(diff_.texts[element.id]);
  }
  return {};
}

std::string DiffText::Name(const Change& change) const {
  return Name({change.kind == ChangeKind::kAdded, change.element});
}

std::string DiffText::Value(const ChangedValue& value) const {
  if (value.kind == ir::Value::Kind::kElement) return Name(value.element);
  return value.text == kNoText ? "yes" : Printable(diff_.texts[value.text]);
}

std::array<std::pair<std::string_view, std::uint32_t>, 5> NamedCounts(const DiffCounts& counts) {
  return {{{"added", counts.added},
           {"removed", counts.removed},
           {"changed", counts.changed},
           {"moved", counts.moved},
           {"reordered", counts.reordered}}};
}

}  // namespace sightline::ir
