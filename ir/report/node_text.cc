#include "sightline/ir/report/node_text.h"

#include <fmt/format.h>

#include <string_view>

#include "sightline/base/text/printable.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/type.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kLongestText = 60;

constexpr const char* kUnknown = "?";

// At most kLongestText bytes of a text, and "..." if there are more.
std::string Shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  // A continuation byte of UTF-8 is not a place to cut.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

std::string TypeText(std::string_view text) {
  const auto type = ParseType(text);
  if (!type || type->name.empty()) return kUnknown;
  const std::string_view element = ElementType(*type);
  if (element.empty()) return Printable(type->name);
  if (!type->shape.starts_with('(')) return Printable(element);
  return Printable(element) + " " + Printable(type->shape);
}

// The texts of module.types[range].
std::vector<std::string> TypeTexts(const Module& module, Range range) {
  std::vector<std::string> texts;
  for (std::uint32_t i = range.begin; i < range.end(); ++i)
    texts.push_back(TypeText(module.texts[module.types[i]]));
  return texts;
}

}  // namespace

std::string NodeText::Text(TextId id) const { return Printable(module_.texts[id]); }

std::string NodeText::Operands(const Node& node) const {
  std::string text;
  for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i) {
    if (i > node.operands.begin) text += ", ";
    const Operand& operand = module_.operands[i];
    switch (operand.kind) {
      case OperandKind::kNode:
        text += fmt::format("%{}", operand.index);
        break;
      case OperandKind::kParameter:
        text += "%" + Text(TextId{operand.index});
        break;
      case OperandKind::kForeign:
        text += "$(@" + Text(TextId{operand.index}) + ")";
        break;
      case OperandKind::kGraph:
        text += "@" + Text(TextId{operand.index});
        break;
      case OperandKind::kValue:
        text += Shortened(Text(TextId{operand.index}));
        break;
    }
  }
  return text;
}

std::string NodeText::Statement(std::uint32_t index) const {
  const Node& node = module_.nodes[index];
  std::string callee = Shortened(Text(node.callee));
  switch (node.kind) {
    case CalleeKind::kCall:
      callee = "call @" + callee;
      break;
    case CalleeKind::kClosure:
      callee = "%" + callee;
      break;
    case CalleeKind::kForeign:
      callee = "$(@" + callee + ")";
      break;
    case CalleeKind::kReturn:
      return fmt::format("Return({})", Operands(node));
    case CalleeKind::kPrimitive:
    case CalleeKind::kMeta:
    case CalleeKind::kParameter:
      break;
  }
  return fmt::format("%{}({}) = {}({})", node.number, Text(node.name), callee, Operands(node));
}

std::vector<std::string> NodeText::OperandTypes(std::uint32_t node) const {
  const TypeLine* types = FindTypes(module_, module_.nodes[node]);
  if (types == nullptr) return {};
  return TypeTexts(module_, {types->begin, types->inputs});
}

std::vector<std::string> NodeText::ResultTypes(std::uint32_t node) const {
  const TypeLine* types = FindTypes(module_, module_.nodes[node]);
  if (types == nullptr) return {};
  return TypeTexts(module_, {types->begin + types->inputs, types->outputs});
}

std::string NodeText::Result(std::uint32_t node) const {
  const auto results = ResultTypes(node);
  return results.empty() || results.front() == kUnknown ? "" : results.front();
}

std::string NodeText::Name(std::uint32_t index) const {
  const Node& node = module_.nodes[index];
  const std::string subgraph = Text(module_.subgraphs[flow_.SubgraphOfNode(index)].name);
  if (node.kind == CalleeKind::kReturn) return fmt::format("@{} Return", subgraph);
  return fmt::format("@{} %{}({})", subgraph, node.number, Text(node.name));
}

std::string NodeText::Name(const Source& source) const {
  switch (source.kind) {
    case SourceKind::kNode:
      return Name(source.index);
    case SourceKind::kParameter: {
      const Parameter& parameter = module_.parameters[source.index];
      const std::uint32_t owner = flow_.SubgraphOfParameter(source.index);
      return fmt::format("%para{}_{} of @{}", parameter.number, Text(parameter.name),
                         owner == kNoIndex ? kUnknown : Text(module_.subgraphs[owner].name));
    }
    case SourceKind::kSubgraph:
      return "@" + Text(module_.subgraphs[source.index].name);
    case SourceKind::kConstant:
    case SourceKind::kPrimitive:
      return Shortened(Text(TextId{source.index}));
    case SourceKind::kUnresolved:
      return fmt::format("? ({})", Describe(static_cast<Unresolved>(source.index)));
  }
  return {};
}

std::vector<Location> NodeText::Locations(std::uint32_t node) const {
  std::vector<Location> locations;
  for (const TextId text : LocationsOf(module_, module_.nodes[node])) {
    if (const auto location = ParseLocation(module_.texts[text])) locations.push_back(*location);
  }
  return locations;
}

std::optional<Location> NodeText::OwnLocation(std::uint32_t node) const {
  const auto locations = Locations(node);
  if (!locations.empty()) return locations.back();
  const std::uint32_t line = module_.subgraphs[flow_.SubgraphOfNode(node)].line;
  if (line == 0 || module_.lines[line - 1].kind != LineKind::kSubgraphLocation) return std::nullopt;
  return ParseLocation(module_.texts[TextId{module_.lines[line - 1].index}]);
}

}  // namespace sightline::ir
