#include "sightline/ir/dump/dump_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/dump/dump_layout.h"
#include "sightline/ir/dump/readable.h"
#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/module_builder.h"
#include "sightline/ir/read/note_reader.h"

namespace sightline::ir {
namespace {

using Place = DumpLayout::Place;

constexpr std::string_view kUnknown = "ValueProblem[DeadNode]";

class Converter {
 public:
  Converter(const TapedGraph& graph, ScopeForm scope)
      : graph_(graph), scope_(scope), layout_(graph), builder_(Header()) {}

  Module Convert() &&;

 private:
  HeaderSpec Header() const;
  std::uint32_t CountNodes() const;
  std::vector<ParameterSpec> EntryParameters() const;
  void AddSubgraph(std::uint32_t index);
  void AddNode(std::uint32_t index);

  Operand ReferenceTo(const Place& place);
  Operand ToOperand(const DumpValue& value);
  // "GRAPH:NAME", what "$(@GRAPH:NAME)" says.
  std::string ForeignName(const Place& place) const;
  // "[@GRAPH]"; empty if it is not known what is called.
  std::string ClosureOf(const TapedNode& node) const;
  void SetCallee(const TapedNode& node, NodeSpec& spec) const;
  void SetCalledValue(const Place& place, NodeSpec& spec) const;
  // All lines of types, without those that a reader would take for others.
  static void SetTypes(const TapedNode& node, NodeSpec& spec);
  void SetNotes(const TapedNode& node, NodeSpec& spec) const;

  const TapedGraph& graph_;
  const ScopeForm scope_;
  const DumpLayout layout_;
  ModuleBuilder builder_;
  std::uint32_t subgraph_ = 0;  // The one that is being added.
};

std::vector<AttributeSpec> AttributesOf(const TapedSubgraph& subgraph) {
  std::vector<AttributeSpec> attributes;
  for (const DumpAttribute& one : subgraph.attributes)
    attributes.push_back({OneLine(one.key), OneLine(one.value)});
  return attributes;
}

std::vector<ParameterSpec> Converter::EntryParameters() const {
  const auto bracketed = [](std::string_view text) {
    return !text.empty() && BracketedSize(text) == text.size() ? OneLine(text) : "";
  };
  std::vector<ParameterSpec> parameters;
  for (const TapedParameter& taped : graph_.subgraphs.front().parameters) {
    parameters.push_back({CleanName(taped.name), ReadableType(taped.type), bracketed(taped.shape),
                          bracketed(taped.device), taped.has_default, taped.is_weight});
  }
  return parameters;
}

// As MindSpore counts: each parameter, each statement, each callee that is not a value, and each
// operand that is not the result of another node.
std::uint32_t Converter::CountNodes() const {
  const auto is_value = [this](const void* key) {
    const Place* place = layout_.Find(key);
    return place != nullptr && place->kind != Place::Kind::kSubgraph;
  };
  std::size_t count = 0;
  for (const TapedSubgraph& subgraph : graph_.subgraphs) {
    count += subgraph.parameters.size();
    for (const TapedNode& node : subgraph.nodes) {
      count += is_value(node.called) ? 1U : 2U;
      for (const DumpValue& operand : node.operands) count += is_value(operand.key) ? 0U : 1U;
    }
  }
  return static_cast<std::uint32_t>(count);
}

HeaderSpec Converter::Header() const {
  return {layout_.subgraph(0).name, static_cast<std::uint32_t>(graph_.subgraphs.size()),
          EntryParameters(), AttributesOf(graph_.subgraphs.front()), CountNodes()};
}

std::string Converter::ForeignName(const Place& place) const {
  const DumpLayout::Subgraph& subgraph = layout_.subgraph(place.subgraph);
  const bool parameter = place.kind == Place::Kind::kParameter;
  return subgraph.name + ":" +
         (parameter ? subgraph.parameters[place.index] : subgraph.names[place.index]);
}

Operand Converter::ReferenceTo(const Place& place) {
  const DumpLayout::Subgraph& subgraph = layout_.subgraph(place.subgraph);
  if (place.kind == Place::Kind::kSubgraph)
    return builder_.TextOperand(OperandKind::kGraph, subgraph.name);
  if (place.subgraph != subgraph_)
    return builder_.TextOperand(OperandKind::kForeign, ForeignName(place));
  if (place.kind == Place::Kind::kParameter)
    return builder_.TextOperand(OperandKind::kParameter, subgraph.parameters[place.index]);
  return ModuleBuilder::NodeOperand(subgraph.numbers[place.index]);
}

Operand Converter::ToOperand(const DumpValue& value) {
  const Place* place = layout_.Find(value.key);
  if (place != nullptr) return ReferenceTo(*place);
  return builder_.TextOperand(OperandKind::kValue,
                              value.key == nullptr ? value.constant : kUnknown);
}

std::string Converter::ClosureOf(const TapedNode& node) const {
  // More than any reader follows.
  constexpr std::uint32_t kMostPartials = 64;
  std::string functions;
  std::size_t count = 0;
  for (const DumpFunction& function : node.closure) {
    const DumpLayout::Subgraph* subgraph = layout_.FindSubgraph(function.key);
    if (subgraph == nullptr) continue;
    if (count++ > 0) functions += ", ";
    const std::uint32_t partials = std::min(function.partials, kMostPartials);
    for (std::uint32_t i = 0; i < partials; ++i) functions += "Partial(";
    functions += "@" + subgraph->name + std::string(partials, ')');
  }
  if (count == 0) return "";
  return count == 1 ? "[@" + functions + "]" : "[@FuncUnion(" + functions + ")]";
}

// A node or parameter that is a function.
void Converter::SetCalledValue(const Place& place, NodeSpec& spec) const {
  const DumpLayout::Subgraph& subgraph = layout_.subgraph(place.subgraph);
  const bool parameter = place.kind == Place::Kind::kParameter;
  if (place.subgraph == subgraph_ && !parameter) {
    spec.kind = CalleeKind::kClosure;
    spec.callee = std::to_string(subgraph.numbers[place.index]);
    return;
  }
  spec.kind = CalleeKind::kForeign;
  spec.callee = ForeignName(place);
  if (place.subgraph != subgraph_) return;
  // A parameter of the same subgraph is printed by its name alone if the name is unique.
  const std::vector<TapedParameter>& own = graph_.subgraphs[place.subgraph].parameters;
  const std::string_view name = own[place.index].name;
  const auto same = std::count_if(
      own.begin(), own.end(), [name](const TapedParameter& other) { return other.name == name; });
  if (spec.closure.empty()) {
    spec.kind = CalleeKind::kPrimitive;
    spec.callee = "%" + subgraph.parameters[place.index];
  } else if (same == 1) {
    spec.kind = CalleeKind::kParameter;
    spec.callee = CleanName(name);
  }
}

void Converter::SetCallee(const TapedNode& node, NodeSpec& spec) const {
  const Place* place = layout_.Find(node.called);
  if (node.is_return) {
    spec.kind = CalleeKind::kReturn;
  } else if (node.called == nullptr || place == nullptr) {
    spec.callee = node.called == nullptr ? ReadableCallee(node.primitive) : std::string(kUnknown);
    if (spec.callee.find_first_of("[{") != std::string::npos) spec.kind = CalleeKind::kMeta;
  } else if (place->kind == Place::Kind::kSubgraph) {
    spec.kind = CalleeKind::kCall;
    spec.callee = layout_.subgraph(place->subgraph).name;
  } else {
    spec.closure = ClosureOf(node);
    SetCalledValue(*place, spec);
  }
}

// The line of types that a reader would take these for; kUnexplained if it would misread one.
LineKind KindOf(const TapedSignature& signature) {
  LineKind kind = LineKind::kTypes;
  for (const auto* items : {&signature.inputs, &signature.outputs}) {
    for (const std::string_view item : *items) {
      if (!IsItem(item)) return LineKind::kUnexplained;
      kind = WithType(kind, item);
    }
  }
  return kind;
}

void Converter::SetTypes(const TapedNode& node, NodeSpec& spec) {
  const std::size_t inputs = node.operands.size();
  const std::size_t outputs = node.is_return ? 0 : 1;
  // Readers recognize a line of types only if it has a type for each operand.
  if (node.types.size() != inputs + outputs) return;
  for (const std::string_view type : node.types) spec.types.push_back(ReadableType(type));
  const auto add = [&](LineKind kind, const TapedSignature& taped) {
    if (taped.inputs.empty() && taped.outputs.empty()) return;
    SignatureSpec line{kind, {taped.inputs.begin(), taped.inputs.end()}, {}};
    if (!node.is_return) line.outputs.assign(taped.outputs.begin(), taped.outputs.end());
    spec.signatures.push_back(std::move(line));
  };
  const TapedSignature& shapes = node.symbolic_shapes;
  // A second line of "<null>" is one of shapes too.
  const LineKind kind = KindOf(shapes);
  if (shapes.inputs.size() == inputs && shapes.outputs.size() == outputs &&
      (kind == LineKind::kSymbolicShapes || kind == LineKind::kTypes))
    add(LineKind::kSymbolicShapes, shapes);
  if (KindOf(node.devices) == LineKind::kDeviceTypes) add(LineKind::kDeviceTypes, node.devices);
  if (KindOf(node.objects) == LineKind::kObjectTypes) add(LineKind::kObjectTypes, node.objects);
}

std::string_view HeadingOf(DumpOrigin::Kind kind) {
  switch (kind) {
    case DumpOrigin::Kind::kForward:
      return "Corresponding forward node candidate:";
    case DumpOrigin::Kind::kFused:
      return "Corresponding code candidate:";
  }
  return {};
}

void AddLocations(const std::vector<Location>& locations, NodeSpec& spec) {
  spec.notes.reserve(spec.notes.size() + locations.size() + 2);
  for (const Location& location : locations) {
    std::string text;
    text.reserve(64 + location.path.size() + location.code.size());
    AppendLocation(location, text);
    spec.notes.push_back({LineKind::kLocation, std::move(text)});
  }
}

void Converter::SetNotes(const TapedNode& node, NodeSpec& spec) const {
  if (!node.full_name.empty()) {
    const bool full = scope_ == ScopeForm::kFullName;
    const std::size_t end = full ? std::string_view::npos : node.full_name.rfind('/');
    spec.notes.push_back(
        {full ? LineKind::kFullname : LineKind::kScope, OneLine(node.full_name.substr(0, end))});
  }
  AddLocations(node.locations, spec);
  for (const TapedOrigin& origin : node.origins) {
    spec.notes.push_back({LineKind::kNote, std::string(HeadingOf(origin.kind))});
    AddLocations(origin.locations, spec);
  }
  if (!node.side_effect.empty())
    spec.notes.push_back({LineKind::kSideEffect, OneLine(node.side_effect)});
}

void Converter::AddNode(std::uint32_t index) {
  const TapedNode& node = graph_.subgraphs[subgraph_].nodes[index];
  NodeSpec spec;
  if (!node.is_return) spec.name = layout_.subgraph(subgraph_).names[index];
  SetCallee(node, spec);
  for (const DumpValue& operand : node.operands) spec.operands.push_back(ToOperand(operand));
  for (const DumpAttribute& one : node.attributes) {
    spec.attributes.push_back(
        {ReadableKey(one.key), std::string(one.value), ReadableKey(one.group)});
  }
  SetTypes(node, spec);
  SetNotes(node, spec);
  builder_.AddNode(spec);
}

void Converter::AddSubgraph(std::uint32_t index) {
  const TapedSubgraph& taped = graph_.subgraphs[index];
  const DumpLayout::Subgraph& layout = layout_.subgraph(index);
  SubgraphSpec spec;
  spec.name = layout.name;
  spec.instance = fmt::format("{:#x}", reinterpret_cast<std::uintptr_t>(taped.key));
  for (std::size_t i = 0; index > 0 && i < taped.parameters.size(); ++i) {
    const TapedParameter& one = taped.parameters[i];
    spec.parameters.push_back({CleanName(one.name), ReadableType(one.type)});
  }
  if (const auto* parent = layout_.FindSubgraph(taped.parent)) spec.parent = parent->name;
  spec.attributes = AttributesOf(taped);
  spec.side_effect = OneLine(taped.side_effect);
  spec.location = taped.location;
  builder_.StartSubgraph(spec);
  subgraph_ = index;
  for (const std::uint32_t node : layout.order) AddNode(node);
  builder_.EndSubgraph();
}

Module Converter::Convert() && {
  for (std::uint32_t i = 0; i < graph_.subgraphs.size(); ++i) AddSubgraph(i);
  return std::move(builder_).Finish();
}

}  // namespace

Module DumpModule(const TapedGraph& graph, ScopeForm scope) {
  return Converter(graph, scope).Convert();
}

}  // namespace sightline::ir
