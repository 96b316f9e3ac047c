// What a node takes and calls, as pictures show it. Private to this folder.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

struct Use {
  enum class Kind : std::uint8_t {
    kNode,       // index: module.nodes
    kParameter,  // index: module.parameters; what its subgraph is called with
    kWeight,     // index: module.parameters; what the network learns
    kConstant,   // index: a TextId
    kSubgraph,   // index: module.subgraphs; it may be called, or is handed on
  };
  Kind kind = Kind::kNode;
  std::uint32_t index = 0;
  std::string_view type;  // As printed; empty: not known.
};

// In the order of the operands, then the callee and the subgraphs that it may call. Monads that are
// constants, primitives, and names that mean nothing are left out.
std::vector<Use> UsesOf(const Module& module, const Dataflow& flow, std::uint32_t node);

// A parameter of the network, rather than what comes in. Dumps without types know it by the dot in
// its name, which no argument has.
bool IsWeight(const Module& module, const Parameter& parameter);

}  // namespace sightline::ir
