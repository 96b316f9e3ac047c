// Which elements of two graphs are the same, though they have other numbers, names and places.
//
// Elements are matched by several keys, the surest first. docs/ir.md, "How graphs are compared":
//
// 1. The entry graphs are a pair. So are elements of which each graph has one only with its key:
//    properties with everything above and below it (what it takes, what takes it, and so on); its
//    name, where both graphs are of one run; properties with everything above; with everything
//    below; with scope and source line; at last a name that MindSpore did not make up.
// 2. From each pair on, its neighbours: what both take at the same place, the users, the subgraph
//    of both. These may be paired by weaker keys, down to the operator alone; and two of different
//    operators when they have another neighbour in common.
// 3. Equal ones of which there are several are paired in order, and said to be ambiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "sightline/ir/compare/element.h"

namespace sightline::ir {

struct Matching {
  // For each element of one table that of the other; kNoIndex for none. Of the same ElementKind.
  std::vector<std::uint32_t> a_to_b;
  std::vector<std::uint32_t> b_to_a;
  // Others would have done as well.
  std::vector<bool> ambiguous_a;
  std::vector<bool> ambiguous_b;
};

// The tables share their TextPool. Time and memory are in proportion to both, times the logarithm
// of how many users one element has. Any thread; nothing recurses.
Matching MatchElements(const ElementTable& a, const ElementTable& b);

}  // namespace sightline::ir
