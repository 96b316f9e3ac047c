// One of the two graphs while elements are matched: its elements, their keys, and their partners.
// Private to this folder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sightline/ir/compare/element.h"
#include "sightline/ir/compare/element_keys.h"

namespace sightline::ir {

struct MatchingSide {
  // The table must outlive it.
  explicit MatchingSide(const ElementTable& elements);

  bool is_free(std::uint32_t element) const { return pairs[element] == kNoIndex; }
  ElementKind kind(std::uint32_t element) const { return table.elements[element].kind; }
  std::uint32_t owner(std::uint32_t element) const { return table.elements[element].owner; }

  const ElementTable& table;
  const ElementKeys keys;
  std::vector<std::uint32_t> pairs;  // Of the other table; kNoIndex for none.
  std::vector<bool> ambiguous;
  // By subgraph.
  std::vector<std::uint32_t> returns;  // The last statement; kNoIndex for none.
  std::vector<std::vector<std::uint32_t>> parameters;
};

// Whether both graphs are of one run: then names with ids that both have ("CNode_12") belong to the
// same operators, with at most one exception in five.
bool AreOfOneRun(const MatchingSide& a, const MatchingSide& b);

// Calls visit(x, y) for the elements that two elements take at the same place, counted from the
// front; if one takes more than the other, also counted from the back.
template <typename Visit>
void ForOperandsInCommon(std::span<const Property> of_a, std::span<const Property> of_b,
                         const Visit& visit) {
  const auto visit_at = [&](const Property& x, const Property& y) {
    if (x.value.kind == Value::Kind::kElement && y.value.kind == Value::Kind::kElement)
      visit(x.value.index, y.value.index);
  };
  for (const PropertyKind kind : {PropertyKind::kCallee, PropertyKind::kCalled,
                                  PropertyKind::kOperand, PropertyKind::kParent}) {
    const auto by_kind = [](const Property& x, const Property& y) { return x.kind < y.kind; };
    const Property wanted{.kind = kind, .value = {}};
    const auto [a_begin, a_end] = std::equal_range(of_a.begin(), of_a.end(), wanted, by_kind);
    const auto [b_begin, b_end] = std::equal_range(of_b.begin(), of_b.end(), wanted, by_kind);
    const auto common = std::min(a_end - a_begin, b_end - b_begin);
    for (std::ptrdiff_t i = 0; i < common; ++i) visit_at(a_begin[i], b_begin[i]);
    if (a_end - a_begin == b_end - b_begin) continue;
    for (std::ptrdiff_t i = 1; i <= common; ++i) visit_at(a_end[-i], b_end[-i]);
  }
}

}  // namespace sightline::ir
