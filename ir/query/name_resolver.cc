#include "sightline/ir/query/name_resolver.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/lookup.h"

namespace sightline::ir {
namespace {

// How far names are looked for in parents and among nodes of one name: farther than any dump goes.
constexpr std::size_t kMaxSteps = 64;

Source Unknown(Unresolved reason) {
  return {SourceKind::kUnresolved, false, static_cast<std::uint32_t>(reason)};
}

}  // namespace

Source NameResolver::ResolveOperand(std::uint32_t node, std::uint32_t position) {
  const Operand& operand = module_.operands[module_.nodes[node].operands.begin + position];
  const std::uint32_t subgraph = node_subgraphs_[node];
  switch (operand.kind) {
    case OperandKind::kNode:
      return ResolveNumber(node, operand.index);
    case OperandKind::kParameter:
      return ResolveParameter(subgraph, Text(TextId{operand.index}));
    case OperandKind::kForeign: {
      const TypeLine* types = FindTypes(module_, module_.nodes[node]);
      const bool typed = types != nullptr && position < types->inputs;
      return ResolveForeign(subgraph, Text(TextId{operand.index}),
                            typed ? module_.types[types->begin + position] : kNoText);
    }
    case OperandKind::kGraph:
      return ResolveSubgraph(subgraph, Text(TextId{operand.index}));
    case OperandKind::kValue:
      break;
  }
  return {SourceKind::kConstant, false, operand.index};
}

Source NameResolver::ResolveCallee(std::uint32_t index) {
  const Node& node = module_.nodes[index];
  const std::uint32_t subgraph = node_subgraphs_[index];
  std::string_view callee = Text(node.callee);
  switch (node.kind) {
    case CalleeKind::kCall:
      return ResolveSubgraph(subgraph, callee);
    case CalleeKind::kClosure:
      return ResolveNumber(index, ParseNumber(callee).value_or(kNoIndex));
    case CalleeKind::kForeign:
      return ResolveForeign(subgraph, callee, kNoText);
    case CalleeKind::kParameter:
      return ResolveFunctionParameter(subgraph, callee);
    case CalleeKind::kPrimitive:
      // A parameter that is a function whose closure is not known.
      if (callee.starts_with("%para")) return ResolveParameter(subgraph, callee.substr(1));
      break;
    case CalleeKind::kReturn:
    case CalleeKind::kMeta:
      break;
  }
  return {SourceKind::kPrimitive, false, static_cast<std::uint32_t>(node.callee)};
}

// Statements are numbered without gaps, unless the file is damaged.
Source NameResolver::ResolveNumber(std::uint32_t node, std::uint32_t number) {
  const std::uint32_t begin = module_.subgraphs[node_subgraphs_[node]].nodes.begin;
  const std::span earlier(module_.nodes.data() + begin, node - begin);
  const auto has_number = [&](std::size_t i) {
    return earlier[i].number == number && earlier[i].kind != CalleeKind::kReturn;
  };
  std::size_t at = number;
  if (at >= earlier.size() || !has_number(at)) {
    const auto found =
        std::lower_bound(earlier.begin(), earlier.end(), number,
                         [](const Node& a, std::uint32_t b) { return a.number < b; });
    at = static_cast<std::size_t>(found - earlier.begin());
    if (at == earlier.size() || !has_number(at)) return Unknown(Unresolved::kNoEarlierNode);
  }
  return {SourceKind::kNode, false, begin + static_cast<std::uint32_t>(at)};
}

Source NameResolver::ResolveParameter(std::uint32_t subgraph, std::string_view text) {
  Consume(text, "para");
  const auto number = ConsumeNumber(text);
  if (!number || !Consume(text, "_")) return Unknown(Unresolved::kNoParameter);
  const NameIndex::Found same_number = names_.Numbered(*number);
  if (same_number.size() == 1) return {SourceKind::kParameter, false, same_number[0]};
  std::size_t steps = 0;
  for (std::uint32_t at = subgraph; at != kNoIndex && steps < kMaxSteps; ++steps) {
    const NameIndex::Found found = names_.Numbered(*number, at, text);
    if (!found.empty()) return {SourceKind::kParameter, found.size() > 1, found[0]};
    at = parents_[at];
  }
  // Its name may have changed since the list of parameters was printed.
  const NameIndex::Found own = names_.Numbered(*number, subgraph);
  if (own.size() == 1) return {SourceKind::kParameter, false, own[0]};
  return Unknown(Unresolved::kNoParameter);
}

Source NameResolver::ResolveFunctionParameter(std::uint32_t subgraph, std::string_view name) {
  std::size_t steps = 0;
  for (std::uint32_t at = subgraph; at != kNoIndex && steps < kMaxSteps; ++steps) {
    const NameIndex::Found found = names_.Parameters(at, name);
    if (!found.empty()) return {SourceKind::kParameter, found.size() > 1, found[0]};
    at = parents_[at];
  }
  return Unknown(Unresolved::kNoParameter);
}

Source NameResolver::ResolveSubgraph(std::uint32_t from, std::string_view name) {
  const NameIndex::Found found = names_.Subgraphs(name);
  if (found.empty()) return Unknown(Unresolved::kNoSubgraph);
  if (found.size() == 1) return {SourceKind::kSubgraph, false, found[0]};
  return {SourceKind::kSubgraph, found.size() > 2, found[0] == from ? found[1] : found[0]};
}

Source NameResolver::ResolveForeign(std::uint32_t from, std::string_view text, TextId type) {
  const std::size_t colon = text.find(':');
  const Source owner = ResolveSubgraph(from, text.substr(0, colon));
  if (owner.kind != SourceKind::kSubgraph || colon == std::string_view::npos) return owner;
  const std::string_view name = text.substr(colon + 1);
  Source found = Unknown(Unresolved::kNoName);
  if (name.starts_with("para")) found = ResolveParameter(owner.index, name);
  if (found.kind == SourceKind::kUnresolved) {
    const NameIndex::Found nodes = names_.Nodes(owner.index, name);
    found = nodes.empty() ? Unknown(Unresolved::kNoName) : Choose(nodes, type);
  }
  found.ambiguous |= owner.ambiguous;
  return found;
}

Source NameResolver::Choose(NameIndex::Found nodes, TextId type) const {
  Source source{SourceKind::kNode, nodes.size() > 1, nodes[0]};
  if (nodes.size() == 1 || type == kNoText) return source;
  std::size_t fitting = 0;
  for (const std::uint32_t node : nodes.first(std::min(nodes.size(), kMaxSteps))) {
    const TypeLine* types = FindTypes(module_, module_.nodes[node]);
    if (types == nullptr || types->outputs == 0) continue;
    if (module_.types[types->begin + types->inputs] != type) continue;
    if (++fitting == 1) source.index = node;
  }
  source.ambiguous = fitting != 1 || nodes.size() > kMaxSteps;
  return source;
}

}  // namespace sightline::ir
