// What a graph is, in 128 bits: equal for two dumps that differ only in what does not mean
// anything, so that dumps in which a pass changed nothing can be told from the others.
//
// Counted: parameters of the entry graph; subgraphs with their attributes, parents and parameters;
// statements in their order with name, callee, operands, attributes, types, devices and side
// effects. Put aside: addresses; ids (noise.h: in the names of statements and subgraphs, unique_id
// attributes, the time in compile_phase), but not which of several names that differ in their ids
// alone an operand is: Sub(%para1_x_1, %para2_x_2) is not its swapped twin; names that MindSpore
// made up, scopes (a stage prints
// others than a pass) and source locations. docs/ir.md, "Equal dumps".
#pragma once

#include <cstdint>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const Digest&) const = default;
};

// Of equal modules equal on machines of the same byte order. Time is that of reading each distinct
// text once.
Digest DigestOf(const Module& module);

}  // namespace sightline::ir
