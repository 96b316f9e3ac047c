// Digest: a hash of a graph with 128 bits. Two dumps have the same digest if a pass changed nothing
// between them.
//
// It covers the parameters of the entry graph; subgraphs with their attributes, parents and
// parameters; and statements in their order with name, callee, operands, attributes, types, devices
// and side effects. It ignores addresses; ids (noise.h) in the names of statements and subgraphs,
// unique_id attributes and the time in compile_phase; names that MindSpore made up; scopes, since
// stages and passes print different ones; and source locations. Operands whose names differ only in
// ids are still distinguished: Sub(%para1_x_1, %para2_x_2) differs from Sub(%para2_x_2,
// %para1_x_1). docs/ir.md, "Equal dumps".
#pragma once

#include <cstdint>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const Digest&) const = default;
};

// Equal modules have the same digest on machines of the same byte order. Each distinct text is read
// once.
Digest DigestOf(const Module& module);

}  // namespace sightline::ir
