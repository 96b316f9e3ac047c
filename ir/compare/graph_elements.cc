#include "sightline/ir/compare/graph_elements.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/compare/element_builder.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/noise.h"

namespace sightline::ir {
namespace {

class Lister : public ElementBuilder {
 public:
  Lister(const Module& module, const Dataflow& flow, TextPool& texts)
      : ElementBuilder(module, texts), module_(module), flow_(flow) {}

  ElementTable List();

 private:
  void AddAttributes(TextId group, Range attributes);
  void AddTypes(const TypeLine& types, PropertyKind operands, PropertyKind results);

  void AddSubgraph(std::uint32_t index);
  void AddParameter(std::uint32_t index);
  void AddNode(std::uint32_t index);
  void AddLine(const Line& line);
  Value ValueOf(const Source& source, TextId text);
  TextId ScopeOf(const Node& node);
  TextId SubgraphName(TextId id);

  const Module& module_;
  const Dataflow& flow_;
  // By subgraph and by parameter: from the lines above a subgraph.
  std::vector<TextId> side_effects_;
  std::vector<TextId> types_;
  std::string buffer_;
};

void Lister::AddAttributes(TextId group, Range attributes) {
  for (std::uint32_t i = attributes.begin; i < attributes.end(); ++i) {
    const Attribute& attribute = module_.attributes[i];
    if (IsIdAttribute(module_.texts[attribute.key])) continue;
    TextId key = Exact(attribute.key);
    if (group != kNoText) {
      buffer_ = module_.texts[group];
      buffer_ += '.';
      buffer_ += module_.texts[attribute.key];
      key = texts().Intern(buffer_);
    }
    AddAttribute(key, Plain(attribute.value));
  }
}

void Lister::AddTypes(const TypeLine& types, PropertyKind operands, PropertyKind results) {
  for (std::uint32_t i = 0; i < types.inputs; ++i)
    AddText(operands, Plain(module_.types[types.begin + i]), i);
  for (std::uint32_t i = 0; i < types.outputs; ++i)
    AddText(results, Plain(module_.types[types.begin + types.inputs + i]), i);
}

void Lister::AddSubgraph(std::uint32_t index) {
  const Subgraph& subgraph = module_.subgraphs[index];
  Start(ElementKind::kSubgraph, index, kNoIndex);
  AddText(PropertyKind::kName, SubgraphName(subgraph.name));
  AddText(PropertyKind::kSideEffect, Plain(side_effects_[index]));
  if (const std::uint32_t parent = flow_.Parent(index); parent != kNoIndex) {
    AddElement(PropertyKind::kParent, parent);
  } else {
    AddText(PropertyKind::kParent, Name(subgraph.parent));
  }
  AddAttributes(kNoText, subgraph.attributes);
  Finish();
}

void Lister::AddParameter(std::uint32_t index) {
  const Parameter& parameter = module_.parameters[index];
  const std::uint32_t subgraph = flow_.SubgraphOfParameter(index);
  Start(ElementKind::kParameter, index, subgraph);
  // The names of the entry graph's are the network's own.
  AddText(PropertyKind::kName,
          subgraph == flow_.entry() ? Exact(parameter.name) : Name(parameter.name));
  AddText(PropertyKind::kType, Plain(parameter.type == kNoText ? types_[index] : parameter.type));
  AddText(PropertyKind::kShape, Plain(parameter.shape));
  AddText(PropertyKind::kDevice, Plain(parameter.device));
  if (parameter.has_default) Add(PropertyKind::kHasDefault, {});
  if (parameter.is_weight) Add(PropertyKind::kIsWeight, {});
  Finish();
}

Value Lister::ValueOf(const Source& source, TextId text) {
  switch (source.kind) {
    case SourceKind::kNode:
      return {Value::Kind::kElement, table().first_node + source.index};
    case SourceKind::kParameter:
      return {Value::Kind::kElement, table().first_parameter + source.index};
    case SourceKind::kSubgraph:
      return {Value::Kind::kElement, source.index};
    case SourceKind::kConstant:
    case SourceKind::kPrimitive:
      return TextValue(Plain(TextId{source.index}));
    case SourceKind::kUnresolved:
      break;
  }
  return TextValue(Name(text));
}

void Lister::AddLine(const Line& line) {
  const auto add_types = [&](PropertyKind operands, PropertyKind results) {
    AddTypes(module_.type_lines[line.index], operands, results);
  };
  if (line.kind == LineKind::kTypes)
    add_types(PropertyKind::kOperandType, PropertyKind::kResultType);
  if (line.kind == LineKind::kDeviceTypes)
    add_types(PropertyKind::kOperandDevice, PropertyKind::kResultDevice);
  if (line.kind == LineKind::kObjectTypes)
    add_types(PropertyKind::kOperandObject, PropertyKind::kResultObject);
  if (line.kind == LineKind::kSymbolicShapes)
    add_types(PropertyKind::kOperandSymbols, PropertyKind::kResultSymbols);
  if (line.kind == LineKind::kSideEffect)
    AddText(PropertyKind::kSideEffect, Plain(TextId{line.index}));
}

void Lister::AddNode(std::uint32_t index) {
  const Node& node = module_.nodes[index];
  Start(ElementKind::kNode, index, flow_.SubgraphOfNode(index));
  last().id = Exact(node.name);
  last().is_generated = IsGeneratedName(module_.texts[node.name]);
  if (!last().is_generated) AddText(PropertyKind::kName, Name(node.name));
  Add(PropertyKind::kCallee, ValueOf(flow_.callee(index), node.callee));
  if (node.kind != CalleeKind::kCall) {
    std::uint32_t position = 0;
    for (const std::uint32_t called : flow_.Calls(index))
      AddElement(PropertyKind::kCalled, called, position++);
  }
  for (std::uint32_t i = 0; i < node.operands.size; ++i) {
    const std::uint32_t operand = node.operands.begin + i;
    // The name of an unresolved operand; a constant's text is in its source.
    const bool named = module_.operands[operand].kind != OperandKind::kNode;
    const TextId text = named ? TextId{module_.operands[operand].index} : kNoText;
    Add(PropertyKind::kOperand, ValueOf(flow_.source(operand), text), i);
  }
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) {
    AddLine(module_.lines[i]);
    if (module_.lines[i].kind == LineKind::kLocation)
      last().location = Exact(TextId{module_.lines[i].index});
  }
  const Range groups = module_.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i)
    AddAttributes(module_.attribute_groups[i].name, module_.attribute_groups[i].attributes);
  last().scope = ScopeOf(node);
  Finish();
}

// Dumps print only a number as the scope of a call through a closure; it is ignored.
TextId Lister::ScopeOf(const Node& node) {
  const std::string_view path = FindScope(module_, node).path;
  return path.empty() || (path[0] >= '0' && path[0] <= '9') ? kNoText : texts().Intern(path);
}

// "298_297_1_construct_814" is "construct": the numbers are of the graph and those it is a clone
// of.
TextId Lister::SubgraphName(TextId id) {
  WithoutIds(module_.texts[id], buffer_);
  std::string_view name = buffer_;
  while (Consume(name, "#_")) {
  }
  ConsumeSuffix(name, "_#");
  return texts().Intern(name);
}

ElementTable Lister::List() {
  side_effects_.assign(module_.subgraphs.size(), kNoText);
  types_.assign(module_.parameters.size(), kNoText);
  const TypeLine* types = nullptr;
  TextId side_effect = kNoText;
  for (const Line& line : module_.lines) {
    if (line.kind == LineKind::kParameterTypes) types = &module_.type_lines[line.index];
    if (line.kind == LineKind::kSubgraphSideEffect) side_effect = TextId{line.index};
    if (line.kind != LineKind::kSubgraph) continue;
    side_effects_[line.index] = side_effect;
    const Range parameters = module_.subgraphs[line.index].parameters;
    for (std::uint32_t i = 0; types != nullptr && i < std::min(parameters.size, types->inputs); ++i)
      types_[parameters.begin + i] = module_.types[types->begin + i];
    types = nullptr;
    side_effect = kNoText;
  }
  table().first_parameter = static_cast<std::uint32_t>(module_.subgraphs.size());
  table().first_node =
      table().first_parameter + static_cast<std::uint32_t>(module_.parameters.size());
  table().entry = flow_.entry();
  for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) AddSubgraph(i);
  for (std::uint32_t i = 0; i < module_.parameters.size(); ++i) AddParameter(i);
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i) AddNode(i);
  return std::move(table());
}

}  // namespace

ElementTable ListGraphElements(const Module& module, const Dataflow& flow, TextPool& texts) {
  return Lister(module, flow, texts).List();
}

}  // namespace sightline::ir
