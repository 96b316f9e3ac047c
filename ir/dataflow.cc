#include "sightline/ir/dataflow.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sightline/ir/cursor.h"
#include "sightline/ir/lookup.h"
#include "sightline/ir/name_index.h"

namespace sightline::ir {
namespace {

// How far names are looked for in parents and among nodes of one name, and how far function values
// are followed: farther than any dump goes.
constexpr std::size_t kMaxSteps = 64;

Source Unknown(Unresolved reason) {
  return {SourceKind::kUnresolved, false, static_cast<std::uint32_t>(reason)};
}

}  // namespace

// Collects items element by element, in any order of the elements.
class IndexListsBuilder {
 public:
  explicit IndexListsBuilder(std::size_t elements) : last_(elements, kNoIndex) {}

  // An item that was the element's last one is not added again.
  void Add(std::uint32_t element, std::uint32_t item) {
    if (last_[element] == item) return;
    last_[element] = item;
    added_.push_back({element, item});
  }

  IndexLists Build() const {
    IndexLists lists;
    lists.begins_.assign(last_.size() + 1, 0);
    for (const Added& added : added_) ++lists.begins_[added.element + 1];
    for (std::size_t i = 1; i < lists.begins_.size(); ++i) lists.begins_[i] += lists.begins_[i - 1];
    lists.items_.resize(added_.size());
    std::vector<std::uint32_t> next(lists.begins_.begin(), lists.begins_.end() - 1);
    for (const Added& added : added_) lists.items_[next[added.element]++] = added.item;
    return lists;
  }

 private:
  struct Added {
    std::uint32_t element;
    std::uint32_t item;
  };
  std::vector<std::uint32_t> last_;  // Of each element.
  std::vector<Added> added_;
};

class DataflowBuilder {
 public:
  // Of a flow that knows its entry and the owners of nodes and parameters.
  DataflowBuilder(const Module& module, Dataflow& flow)
      : module_(module),
        flow_(flow),
        names_(module, flow.parameter_subgraphs_),
        calls_(module.nodes.size()),
        node_users_(module.nodes.size()),
        parameter_users_(module.parameters.size()),
        subgraph_users_(module.subgraphs.size()),
        called_by_(module.subgraphs.size(), kNoIndex) {}

  void Build();

 private:
  void AddNode(std::uint32_t node);
  Source ResolveOperand(std::uint32_t node, std::uint32_t position);
  Source ResolveCallee(std::uint32_t index);
  Source ResolveNumber(std::uint32_t node, std::uint32_t number);
  // "para3_x"
  Source ResolveParameter(std::uint32_t subgraph, std::string_view text);
  Source ResolveFunctionParameter(std::uint32_t subgraph, std::string_view name);
  Source ResolveSubgraph(std::uint32_t from, std::string_view name);
  // "GRAPH:NAME"; `type` is what is expected of it, empty for anything.
  Source ResolveForeign(std::uint32_t from, std::string_view text, TextId type);
  // The first of these nodes whose result has the type; the first of all where none has.
  Source Choose(NameIndex::Found nodes, TextId type) const;
  void AddCalls(std::uint32_t node);
  void AddCall(std::uint32_t node, const Source& source);
  void FollowFunction(std::uint32_t node);
  void AddUse(const Source& source, std::uint32_t user);
  void Count(const Source& source) {
    if (source.kind == SourceKind::kUnresolved) ++flow_.unresolved_;
    if (source.ambiguous) ++flow_.ambiguous_;
  }
  std::string_view Text(TextId id) const { return module_.texts[id]; }

  const Module& module_;
  Dataflow& flow_;
  NameIndex names_;
  IndexListsBuilder calls_;
  IndexListsBuilder node_users_;
  IndexListsBuilder parameter_users_;
  IndexListsBuilder subgraph_users_;
  std::vector<std::uint32_t> called_by_;  // The last node that calls each subgraph.
};

void DataflowBuilder::Build() {
  flow_.sources_.resize(module_.operands.size());
  for (std::size_t i = 0; i < module_.operands.size(); ++i)
    flow_.sources_[i] = {SourceKind::kConstant, false, module_.operands[i].index};
  flow_.callees_.resize(module_.nodes.size());
  for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) {
    const TextId parent = module_.subgraphs[i].parent;
    if (parent == kNoText) continue;
    const Source found = ResolveSubgraph(i, Text(parent));
    if (found.kind == SourceKind::kSubgraph) flow_.parents_[i] = found.index;
  }
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i) AddNode(i);
  flow_.calls_ = calls_.Build();
  flow_.node_users_ = node_users_.Build();
  flow_.parameter_users_ = parameter_users_.Build();
  flow_.subgraph_users_ = subgraph_users_.Build();
}

void DataflowBuilder::AddNode(std::uint32_t node) {
  const Range operands = module_.nodes[node].operands;
  for (std::uint32_t i = 0; i < operands.size; ++i) {
    const Source source = ResolveOperand(node, i);
    flow_.sources_[operands.begin + i] = source;
    Count(source);
    AddUse(source, node);
  }
  flow_.callees_[node] = ResolveCallee(node);
  Count(flow_.callees_[node]);
  AddUse(flow_.callees_[node], node);
  AddCalls(node);
}

void DataflowBuilder::AddUse(const Source& source, std::uint32_t user) {
  switch (source.kind) {
    case SourceKind::kNode:
      return node_users_.Add(source.index, user);
    case SourceKind::kParameter:
      return parameter_users_.Add(source.index, user);
    case SourceKind::kSubgraph:
      return subgraph_users_.Add(source.index, user);
    case SourceKind::kConstant:
    case SourceKind::kPrimitive:
    case SourceKind::kUnresolved:
      return;
  }
}

Source DataflowBuilder::ResolveOperand(std::uint32_t node, std::uint32_t position) {
  const Operand& operand = module_.operands[module_.nodes[node].operands.begin + position];
  const std::uint32_t subgraph = flow_.node_subgraphs_[node];
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

Source DataflowBuilder::ResolveCallee(std::uint32_t index) {
  const Node& node = module_.nodes[index];
  const std::uint32_t subgraph = flow_.node_subgraphs_[index];
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
Source DataflowBuilder::ResolveNumber(std::uint32_t node, std::uint32_t number) {
  const std::uint32_t begin = module_.subgraphs[flow_.node_subgraphs_[node]].nodes.begin;
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

Source DataflowBuilder::ResolveParameter(std::uint32_t subgraph, std::string_view text) {
  Consume(text, "para");
  const auto number = ConsumeNumber(text);
  if (!number || !Consume(text, "_")) return Unknown(Unresolved::kNoParameter);
  const NameIndex::Found same_number = names_.Numbered(*number);
  if (same_number.size() == 1) return {SourceKind::kParameter, false, same_number[0]};
  std::size_t steps = 0;
  for (std::uint32_t at = subgraph; at != kNoIndex && steps < kMaxSteps; ++steps) {
    const NameIndex::Found found = names_.Numbered(*number, at, text);
    if (!found.empty()) return {SourceKind::kParameter, found.size() > 1, found[0]};
    at = flow_.parents_[at];
  }
  // Its name may have changed since the list of parameters was printed.
  const NameIndex::Found own = names_.Numbered(*number, subgraph);
  if (own.size() == 1) return {SourceKind::kParameter, false, own[0]};
  return Unknown(Unresolved::kNoParameter);
}

Source DataflowBuilder::ResolveFunctionParameter(std::uint32_t subgraph, std::string_view name) {
  std::size_t steps = 0;
  for (std::uint32_t at = subgraph; at != kNoIndex && steps < kMaxSteps; ++steps) {
    const NameIndex::Found found = names_.Parameters(at, name);
    if (!found.empty()) return {SourceKind::kParameter, found.size() > 1, found[0]};
    at = flow_.parents_[at];
  }
  return Unknown(Unresolved::kNoParameter);
}

Source DataflowBuilder::ResolveSubgraph(std::uint32_t from, std::string_view name) {
  const NameIndex::Found found = names_.Subgraphs(name);
  if (found.empty()) return Unknown(Unresolved::kNoSubgraph);
  if (found.size() == 1) return {SourceKind::kSubgraph, false, found[0]};
  return {SourceKind::kSubgraph, found.size() > 2, found[0] == from ? found[1] : found[0]};
}

Source DataflowBuilder::ResolveForeign(std::uint32_t from, std::string_view text, TextId type) {
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

Source DataflowBuilder::Choose(NameIndex::Found nodes, TextId type) const {
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

void DataflowBuilder::AddCall(std::uint32_t node, const Source& source) {
  if (source.kind != SourceKind::kSubgraph || called_by_[source.index] == node) return;
  called_by_[source.index] = node;
  calls_.Add(node, source.index);
  subgraph_users_.Add(source.index, node);
}

void DataflowBuilder::AddCalls(std::uint32_t node) {
  std::string_view closure = Text(module_.nodes[node].closure);
  if (closure.empty()) return FollowFunction(node);
  // "[@FuncUnion(@g, Partial(@h))]"
  closure.remove_prefix(2);
  for (std::size_t at = closure.find('@'); at != std::string_view::npos; at = closure.find('@')) {
    closure.remove_prefix(at + 1);
    const std::string_view name = closure.substr(0, closure.find_first_of(",)]"));
    const Source source = ResolveSubgraph(flow_.node_subgraphs_[node], name);
    if (source.kind == SourceKind::kUnresolved) ++flow_.unresolved_;
    AddCall(node, source);
  }
}

// What the called value is made of, through Partial and Switch.
void DataflowBuilder::FollowFunction(std::uint32_t node) {
  std::array<Source, kMaxSteps> open;
  std::size_t count = 0;
  open[count++] = flow_.callees_[node];
  for (std::size_t at = 0; at < count; ++at) {
    AddCall(node, open[at]);
    if (open[at].kind != SourceKind::kNode) continue;
    const Node& maker = module_.nodes[open[at].index];
    const std::string_view name = Text(maker.callee);
    const bool partial = name == "Partial";
    if (!partial && name != "Switch") continue;
    // Partial(FUNCTION, ...), Switch(CONDITION, FUNCTION, FUNCTION)
    const std::uint32_t first = partial ? 0 : 1;
    const std::uint32_t last = std::min(maker.operands.size, partial ? 1U : 3U);
    for (std::uint32_t i = first; i < last && count < kMaxSteps; ++i)
      open[count++] = flow_.sources_[maker.operands.begin + i];
  }
}

Dataflow::Dataflow(const Module& module)
    : node_subgraphs_(module.nodes.size(), kNoIndex),
      parameter_subgraphs_(module.parameters.size(), kNoIndex),
      parents_(module.subgraphs.size(), kNoIndex) {
  for (std::uint32_t i = 0; i < module.subgraphs.size(); ++i) {
    const Subgraph& subgraph = module.subgraphs[i];
    std::fill_n(node_subgraphs_.begin() + subgraph.nodes.begin, subgraph.nodes.size, i);
    std::fill_n(parameter_subgraphs_.begin() + subgraph.parameters.begin, subgraph.parameters.size,
                i);
    // The entry's parameters are in the header. In analyze_fail.ir others may have its name.
    if (subgraph.name == module.header.entry &&
        (entry_ == kNoIndex ||
         (module.subgraphs[entry_].parameters.size > 0 && subgraph.parameters.size == 0)))
      entry_ = i;
  }
  const Range parameters = module.header.parameters;
  std::fill_n(parameter_subgraphs_.begin() + parameters.begin, parameters.size, entry_);
  DataflowBuilder(module, *this).Build();
}

Range ParametersOf(const Module& module, const Dataflow& flow, std::uint32_t subgraph) {
  const Range own = module.subgraphs[subgraph].parameters;
  return own.size == 0 && subgraph == flow.entry() ? module.header.parameters : own;
}

std::string_view Describe(Unresolved reason) {
  switch (reason) {
    case Unresolved::kNoEarlierNode:
      return "no earlier statement of the subgraph has this number";
    case Unresolved::kNoParameter:
      return "there is no such parameter";
    case Unresolved::kNoSubgraph:
      return "there is no such subgraph";
    case Unresolved::kNoName:
      return "the subgraph has no such node";
  }
  return {};
}

}  // namespace sightline::ir
