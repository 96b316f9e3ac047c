#include "sightline/ir/compare/element.h"

#include "sightline/ir/compare/actor_elements.h"
#include "sightline/ir/compare/graph_elements.h"

namespace sightline::ir {

std::string_view Describe(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kName:
      return "name";
    case PropertyKind::kCallee:
      return "callee";
    case PropertyKind::kCalled:
      return "may call";
    case PropertyKind::kOperand:
      return "input";
    case PropertyKind::kOperandType:
      return "type of input";
    case PropertyKind::kResultType:
      return "type of result";
    case PropertyKind::kOperandDevice:
      return "device of input";
    case PropertyKind::kResultDevice:
      return "device of result";
    case PropertyKind::kOperandObject:
      return "object of input";
    case PropertyKind::kResultObject:
      return "object of result";
    case PropertyKind::kOperandSymbols:
      return "symbols of input";
    case PropertyKind::kResultSymbols:
      return "symbols of result";
    case PropertyKind::kSideEffect:
      return "side effect";
    case PropertyKind::kType:
      return "type";
    case PropertyKind::kShape:
      return "shape";
    case PropertyKind::kDevice:
      return "device";
    case PropertyKind::kHasDefault:
      return "has a default";
    case PropertyKind::kIsWeight:
      return "is a weight";
    case PropertyKind::kParent:
      return "parent";
    case PropertyKind::kControl:
      return "waits for";
    case PropertyKind::kBlock:
      return "part of the set";
    case PropertyKind::kAttribute:
      return "attribute";
  }
  return {};
}

bool IsNumbered(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::kCalled:
    case PropertyKind::kOperand:
    case PropertyKind::kOperandType:
    case PropertyKind::kResultType:
    case PropertyKind::kOperandDevice:
    case PropertyKind::kResultDevice:
    case PropertyKind::kOperandObject:
    case PropertyKind::kResultObject:
    case PropertyKind::kOperandSymbols:
    case PropertyKind::kResultSymbols:
      return true;
    case PropertyKind::kName:
    case PropertyKind::kCallee:
    case PropertyKind::kSideEffect:
    case PropertyKind::kType:
    case PropertyKind::kShape:
    case PropertyKind::kDevice:
    case PropertyKind::kHasDefault:
    case PropertyKind::kIsWeight:
    case PropertyKind::kParent:
    case PropertyKind::kControl:
    case PropertyKind::kBlock:
    case PropertyKind::kAttribute:
      break;
  }
  return false;
}

ElementTable ListElements(const Module& module, TextPool& texts) {
  switch (module.form) {
    case Form::kGraph:
    case Form::kFailure:
      return ListGraphElements(module, Dataflow(module), texts);
    case Form::kActors:
    case Form::kActorSections:
      return ListActorElements(module, texts);
  }
  return {};
}

}  // namespace sightline::ir
