// Operators by what they are for, as pictures colour them.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

enum class OperatorKind : std::uint8_t {
  kMath,           // What is none of the others: Add, ReLU, LayerNorm, ...
  kMatrix,         // Products of matrices and convolutions, where the time goes.
  kShape,          // Moves, casts or puts together values and does not compute: Reshape, MakeTuple.
  kState,          // Reads or writes parameters, or keeps the order of that: Load, optimizers.
  kCommunication,  // Moves data between devices.
  kControl,        // Calls, branches, functions as values, Return.
};

// "MatMul" of "PrimFunc_MatMul": without what MindSpore puts in front of primitives that are
// functions.
std::string_view OperatorName(std::string_view callee);

// Whether a primitive, by OperatorName, moves data between devices.
bool IsCommunication(std::string_view name);

OperatorKind KindOfOperator(const Module& module, const Node& node);

}  // namespace sightline::ir
