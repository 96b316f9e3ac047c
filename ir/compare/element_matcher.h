// Finds which elements of two graphs are the same, though they have other numbers, names and
// places.
//
// Elements are matched by several keys, the most certain first. docs/ir.md, "How graphs are
// compared":
//
// 1. The entry graphs are a pair. So are two elements if their key occurs once in each graph. The
//    keys are, in this order: properties with everything above and below (what it takes, what takes
//    it, and so on); the name, if both graphs are of one run; properties with everything above;
//    with everything below; with scope and source line; a name that MindSpore did not make up.
// 2. Then the neighbours of each pair: what both take at the same place, their users, their
//    subgraph. These may be paired by weaker keys, down to the operator alone. Two of different
//    operators are paired if they have another neighbour in common.
// 3. Elements that nothing distinguishes are paired in order, and marked as ambiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

struct Matching {
  // For each element of one table, its partner in the other; kNoIndex for none. Both have the same
  // ElementKind.
  std::vector<std::uint32_t> a_to_b;
  std::vector<std::uint32_t> b_to_a;
  // Another partner would fit as well.
  std::vector<bool> ambiguous_a;
  std::vector<bool> ambiguous_b;
};

// REQUIRES: the tables share their TextPool. Time and memory are in proportion to the size of both,
// times the logarithm of the number of users of an element. Any thread; nothing recurses.
Matching MatchElements(const ElementTable& a, const ElementTable& b);

}  // namespace sightline::ir
