#include "sightline/ir/query/dataflow.h"

#include <algorithm>
#include <array>

#include "sightline/ir/query/name_resolver.h"

namespace sightline::ir {
namespace {

// How far function values are followed: farther than any dump goes.
constexpr std::size_t kMaxSteps = 64;

}  // namespace

class DataflowBuilder {
 public:
  // Of a flow that knows its entry and the owners of nodes and parameters.
  DataflowBuilder(const Module& module, Dataflow& flow)
      : module_(module),
        flow_(flow),
        names_(module, flow.node_subgraphs_, flow.parameter_subgraphs_, flow.parents_),
        calls_(module.nodes.size()),
        node_users_(module.nodes.size()),
        parameter_users_(module.parameters.size()),
        subgraph_users_(module.subgraphs.size()),
        called_by_(module.subgraphs.size(), kNoIndex) {}

  void Build();

 private:
  void AddNode(std::uint32_t node);
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
  NameResolver names_;
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
    const Source found = names_.ResolveSubgraph(i, Text(parent));
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
    const Source source = names_.ResolveOperand(node, i);
    flow_.sources_[operands.begin + i] = source;
    Count(source);
    AddUse(source, node);
  }
  flow_.callees_[node] = names_.ResolveCallee(node);
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
    const Source source = names_.ResolveSubgraph(flow_.node_subgraphs_[node], name);
    if (source.kind == SourceKind::kUnresolved) ++flow_.unresolved_;
    AddCall(node, source);
  }
}

// Finds the subgraphs that the called value may be, through Partial and Switch.
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
      return "no subgraph has this parameter";
    case Unresolved::kNoSubgraph:
      return "no subgraph has this name";
    case Unresolved::kNoName:
      return "the subgraph has no such node";
  }
  return {};
}

}  // namespace sightline::ir
