#include "sightline/ir/draw/dot_style.h"

namespace sightline::ir {

Colours ColoursOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kMath:
      return {"#f3f6f1", "#8a9a80"};
    case OperatorKind::kMatrix:
      return {"#dfe9f7", "#5d83b8"};
    case OperatorKind::kShape:
      return {"#f7f7f8", "#b4b8bf"};
    case OperatorKind::kState:
      return {"#f8f0de", "#b99a55"};
    case OperatorKind::kCommunication:
      return {"#f7e1e1", "#b86a6a"};
    case OperatorKind::kControl:
      return {"#ebe6f5", "#8a77b5"};
  }
  return {};
}

std::string_view MeaningOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kMath:
      return "arithmetic";
    case OperatorKind::kMatrix:
      return "matrix products";
    case OperatorKind::kShape:
      return "shapes and tuples";
    case OperatorKind::kState:
      return "state and order";
    case OperatorKind::kCommunication:
      return "communication";
    case OperatorKind::kControl:
      return "control";
  }
  return {};
}

}  // namespace sightline::ir
