#include "sightline/ir/read/printer.h"

#include <charconv>

namespace sightline::ir {
namespace {

class Printer {
 public:
  Printer(const Module& module, std::string& out) : module_(module), out_(out) {}

  void Print(const Line& line);

 private:
  void Text(std::string_view text) { out_.append(text); }
  void Text(TextId id) { out_.append(module_.texts[id]); }
  void Number(std::uint32_t number);
  // `before`, the line's text, `after`.
  void Around(std::string_view before, const Line& line, std::string_view after) {
    Text(before);
    Text(TextId{line.index});
    Text(after);
  }
  void Numbered(std::string_view before, const Line& line) {
    Text(before);
    Number(line.index);
  }

  void PrintAttribute(const Attribute& attribute);
  void PrintAddress(std::string_view before, const Attribute& attribute);
  void PrintParameter(const Parameter& parameter);
  void PrintParameterName(const Parameter& parameter);
  void PrintSubgraph(const Subgraph& subgraph);
  void PrintTypes(const TypeLine& types);
  void PrintTypeList(std::uint32_t begin, std::uint32_t size);
  void PrintNode(const Node& node);
  void PrintCallee(const Node& node);
  void PrintActor(const Actor& actor);
  void PrintOperands(Range operands);
  void PrintOperand(const Operand& operand);
  void PrintGroups(Range groups);

  const Module& module_;
  std::string& out_;
};

void Printer::Number(std::uint32_t number) {
  char digits[10];
  out_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

void Printer::PrintAttribute(const Attribute& attribute) {
  Text(attribute.key);
  if (!attribute.has_value) return;
  Text(": ");
  Text(attribute.value);
}

void Printer::PrintAddress(std::string_view before, const Attribute& attribute) {
  Text(before);
  Text(attribute.key);
  Text(" : ");
  Text(attribute.value);
}

void Printer::PrintParameterName(const Parameter& parameter) {
  Text("%para");
  Number(parameter.number);
  Text("_");
  Text(parameter.name);
}

void Printer::PrintParameter(const Parameter& parameter) {
  PrintParameterName(parameter);
  Text(": ");
  Text(parameter.type);
  if (parameter.shape != kNoText) {
    Text(" : ");
    Text(parameter.shape);
  }
  if (parameter.has_default) Text("  :  has_default");
  if (parameter.device == kNoText) return;
  Text("  :  ");
  Text(parameter.device);
  Text(parameter.is_weight ? "  :  IsWeight: true" : "  :  IsWeight: false");
}

void Printer::PrintSubgraph(const Subgraph& subgraph) {
  Text("subgraph @");
  Text(subgraph.name);
  if (subgraph.parent != kNoText) {
    Text(" parent: [subgraph @");
    Text(subgraph.parent);
    Text("]");
  }
  Text("(");
  for (std::uint32_t i = 0; i < subgraph.parameters.size; ++i) {
    if (i > 0) Text(", ");
    PrintParameterName(module_.parameters[subgraph.parameters.begin + i]);
  }
  Text(") {");
}

void Printer::PrintTypeList(std::uint32_t begin, std::uint32_t size) {
  Text("(");
  for (std::uint32_t i = 0; i < size; ++i) {
    if (i > 0) Text(", ");
    Text(module_.types[begin + i]);
  }
  Text(")");
}

void Printer::PrintTypes(const TypeLine& types) {
  PrintTypeList(types.begin, types.inputs);
  if (!types.has_arrow) return;
  Text(" -> ");
  PrintTypeList(types.begin + types.inputs, types.outputs);
}

void Printer::PrintOperand(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kNode:
      Text("%");
      return Number(operand.index);
    case OperandKind::kParameter:
      Text("%");
      return Text(TextId{operand.index});
    case OperandKind::kForeign:
      Text("$(@");
      Text(TextId{operand.index});
      return Text(")");
    case OperandKind::kGraph:
      Text("@");
      return Text(TextId{operand.index});
    case OperandKind::kValue:
      return Text(TextId{operand.index});
  }
}

void Printer::PrintOperands(Range operands) {
  Text("(");
  for (std::uint32_t i = operands.begin; i < operands.end(); ++i) {
    if (i > operands.begin) Text(", ");
    PrintOperand(module_.operands[i]);
  }
  Text(")");
}

void Printer::PrintCallee(const Node& node) {
  switch (node.kind) {
    case CalleeKind::kReturn:
    case CalleeKind::kPrimitive:
    case CalleeKind::kMeta:
    case CalleeKind::kParameter:
      Text(node.callee);
      break;
    case CalleeKind::kCall:
      Text("call @");
      Text(node.callee);
      break;
    case CalleeKind::kClosure:
      Text("%");
      Text(node.callee);
      break;
    case CalleeKind::kForeign:
      Text("$(@");
      Text(node.callee);
      Text(")");
      break;
  }
  Text(node.closure);
}

void Printer::PrintGroups(Range groups) {
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    const AttributeGroup& group = module_.attribute_groups[i];
    Text(" ");
    Text(group.name);
    Text(group.name == kNoText ? "{" : ": {");
    for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k) {
      if (k > group.attributes.begin) Text(", ");
      PrintAttribute(module_.attributes[k]);
    }
    Text("}");
  }
}

void Printer::PrintNode(const Node& node) {
  Text("  ");
  if (node.kind != CalleeKind::kReturn) {
    Text("%");
    Number(node.number);
    Text("(");
    Text(node.name);
    Text(") = ");
  }
  PrintCallee(node);
  PrintOperands(node.operands);
  PrintGroups(module_.node_attributes[node.attributes].groups);
}

void Printer::PrintActor(const Actor& actor) {
  Text("%");
  Number(actor.number);
  Text(" = ");
  Text(actor.name);
  PrintOperands(actor.operands);
  if (!actor.has_controls) return;
  Text(" op control");
  PrintOperands(actor.controls);
}

void Printer::Print(const Line& line) {
  switch (line.kind) {
    case LineKind::kBlank:
      return void(out_.append(line.index - 1, '\n'));
    case LineKind::kUnexplained:
    case LineKind::kText:
    case LineKind::kOrder:
    case LineKind::kField:
      return Text(TextId{line.index});
    case LineKind::kEntry:
      return Around("# IR entry: @", line, "");
    case LineKind::kTotalSubgraphs:
      return Numbered("# Total subgraphs: ", line);
    case LineKind::kTotalSubgraph:
      return Numbered("# Total subgraph: ", line);
    case LineKind::kTotalParameters:
      return Numbered("# Total params: ", line);
    case LineKind::kTotalNodes:
      return Numbered("Total number of nodes: ", line);
    case LineKind::kTotalCnodes:
      return Numbered("Total number of cnodes: ", line);
    case LineKind::kIndirect:
      return Numbered("indirect: ", line);
    case LineKind::kAttribute:
      return PrintAttribute(module_.attributes[line.index]);
    case LineKind::kParameter:
      return PrintParameter(module_.parameters[line.index]);
    case LineKind::kInstance:
      return PrintAddress("subgraph instance: ", module_.attributes[line.index]);
    case LineKind::kEngine:
      return PrintAddress("subgraph symbol engine: ", module_.attributes[line.index]);
    case LineKind::kParameterTypes:
      Numbered("# Parameters: ", {line.kind, module_.type_lines[line.index].inputs});
      Text(", ");
      return PrintTypes(module_.type_lines[line.index]);
    case LineKind::kSubgraph:
      return PrintSubgraph(module_.subgraphs[line.index]);
    case LineKind::kSubgraphEnd:
      return Text("}");
    case LineKind::kEvaluated:
      return Numbered("#------------------------> ", line);
    case LineKind::kNode:
      return PrintNode(module_.nodes[line.index]);
    case LineKind::kTypes:
    case LineKind::kDeviceTypes:
    case LineKind::kObjectTypes:
    case LineKind::kSymbolicShapes:
      Text("      : ");
      return PrintTypes(module_.type_lines[line.index]);
    case LineKind::kFullname:
      return Around("      # Fullname with scope: (", line, ")");
    case LineKind::kScope:
      return Around("      # Scope: (", line, ")");
    case LineKind::kFailureScope:
      return Around("      #scope: (", line, ")");
    case LineKind::kSideEffect:
      return Around("      # SideEffect: { ", line, "}");
    case LineKind::kSubgraphSideEffect:
      return Around("# SideEffect: { ", line, "}");
    case LineKind::kLocation:
    case LineKind::kNote:
      return Around("      # ", line, "");
    case LineKind::kSubgraphLocation:
      return Around("# ", line, "");
    case LineKind::kActor:
      return PrintActor(module_.actors[line.index]);
    case LineKind::kSection:
      return Around("[", line, "]");
  }
}

}  // namespace

std::string PrintIr(const Module& module) {
  std::string out;
  Printer printer(module, out);
  for (const Line& line : module.lines) {
    printer.Print(line);
    out += '\n';
  }
  if (!module.ends_with_newline) out.pop_back();
  return out;
}

}  // namespace sightline::ir
