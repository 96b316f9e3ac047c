// Kinds of operators, by which pictures colour them.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

enum class OperatorKind : std::uint8_t {
  kMath,           // All others: Add, ReLU, LayerNorm, ...
  kMatrix,         // Matrix products and convolutions.
  kShape,          // Moves, casts or combines values without computing: Reshape, MakeTuple.
  kState,          // Reads or writes parameters, or orders that: Load, optimizers.
  kCommunication,  // Moves data between devices.
  kControl,        // Calls, branches, functions as values, Return.
};

// "MatMul" for "PrimFunc_MatMul": without the prefix that MindSpore gives to primitives that are
// functions.
std::string_view OperatorName(std::string_view callee);

// Whether a primitive (its OperatorName) moves data between devices.
bool IsCommunication(std::string_view name);

OperatorKind KindOfOperator(const Module& module, const Node& node);

}  // namespace sightline::ir
