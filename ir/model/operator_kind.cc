#include "sightline/ir/model/operator_kind.h"

#include <algorithm>
#include <array>

#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

constexpr std::array<std::string_view, 17> kCommunication = {
    "AllGather",         "AllReduce",      "AlltoAll",         "AlltoAllV",
    "AllToAllv",         "Barrier",        "Broadcast",        "CollectiveGather",
    "CollectiveScatter", "MirrorOperator", "NeighborExchange", "NeighborExchangeV2",
    "Receive",           "Reduce",         "ReduceScatter",    "Send",
    "_MirrorOperator"};

constexpr std::array<std::string_view, 8> kControl = {"J",           "Partial",        "Switch",
                                                      "SwitchLayer", "SwitchSimplify", "getattr",
                                                      "resolve",     "switch_layer"};

// Words in the names of operators, since these have variants: MatMulExt, Conv2DBackpropInput.
constexpr std::array<std::string_view, 4> kMatrixWords = {"MatMul", "Conv", "Dense", "Attention"};
constexpr std::array<std::string_view, 23> kShapeWords = {
    "Broadcast", "Cast",     "Concat", "Environ", "ExpandDims", "Flatten", "Gather", "GetItem",
    "MakeTuple", "MakeList", "Pack",   "Pad",     "Reshape",    "Shape",   "Slice",  "Split",
    "Squeeze",   "Stack",    "Tile",   "Tensor",  "Transpose",  "make_",   "tuple_"};
constexpr std::array<std::string_view, 15> kStateWords = {
    "Adam", "Apply",    "Assign",     "Depend", "FTRL", "Ftrl",   "Lamb",        "Load",
    "LARS", "Momentum", "RefToEmbed", "SGD",    "RMS",  "Update", "StopGradient"};

bool HasWord(std::string_view name, const auto& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

bool IsOneOf(std::string_view name, const auto& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view OperatorName(std::string_view callee) {
  Consume(callee, "PrimFunc_");
  return callee;
}

bool IsCommunication(std::string_view name) { return IsOneOf(name, kCommunication); }

OperatorKind KindOfOperator(const Module& module, const Node& node) {
  switch (node.kind) {
    case CalleeKind::kReturn:
    case CalleeKind::kCall:
    case CalleeKind::kClosure:
    case CalleeKind::kForeign:
    case CalleeKind::kParameter:
    case CalleeKind::kMeta:
      return OperatorKind::kControl;
    case CalleeKind::kPrimitive:
      break;
  }
  const std::string_view name = OperatorName(module.texts[node.callee]);
  // Actors that run no kernel: "LoopCountActor".
  if (IsOneOf(name, kControl) || name.ends_with("Actor")) return OperatorKind::kControl;
  if (IsCommunication(name)) return OperatorKind::kCommunication;
  if (HasWord(name, kMatrixWords)) return OperatorKind::kMatrix;
  if (HasWord(name, kStateWords)) return OperatorKind::kState;
  if (HasWord(name, kShapeWords)) return OperatorKind::kShape;
  return OperatorKind::kMath;
}

}  // namespace sightline::ir
