// The values that a node takes and what it calls, for pictures. Private to this folder.
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
    kParameter,  // index: module.parameters; an argument of its subgraph
    kWeight,     // index: module.parameters; a parameter of the network
    kConstant,   // index: a TextId
    kSubgraph,   // index: module.subgraphs; called or passed on
  };
  Kind kind = Kind::kNode;
  std::uint32_t index = 0;
  std::string_view type;  // As printed; empty: not known.
};

// In the order of the operands, then the callee and the subgraphs that it may call. Left out are
// monads (values that only fix an order) that are constants, primitives, and unresolved names.
std::vector<Use> UsesOf(const Module& module, const Dataflow& flow, std::uint32_t node);

// The same, but the first operand of a node replaces it if the node is in `passed`, which is as
// long as module.nodes, or empty.
std::vector<Use> UsesThrough(const Module& module, const Dataflow& flow, std::uint32_t node,
                             const std::vector<bool>& passed);

// The nodes that only read parameters or keep effects in order - Load, Depend, UpdateState, and
// tuples that only these take - as long as module.nodes.
std::vector<bool> Bookkeeping(const Module& module, const Dataflow& flow);

// Whether it is a parameter of the network, not an input. In dumps without types it is recognized
// by the dot in its name, which no argument has.
bool IsWeight(const Module& module, const Parameter& parameter);

}  // namespace sightline::ir
