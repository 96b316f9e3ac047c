#include "sightline/ir/query/call_graph.h"

namespace sightline::ir {
namespace {

// Looks at the subgraphs one after the other.
class Collector {
 public:
  Collector(const Module& module, const Dataflow& flow, std::vector<CallGraph::Entry>& entries)
      : module_(module),
        flow_(flow),
        entries_(entries),
        positions_(module.subgraphs.size()),
        referred_by_(module.subgraphs.size(), kNoIndex),
        node_used_by_(module.nodes.size(), kNoIndex),
        parameter_used_by_(module.parameters.size(), kNoIndex) {}

  void Collect(std::uint32_t subgraph) {
    subgraph_ = subgraph;
    const Range nodes = module_.subgraphs[subgraph].nodes;
    for (std::uint32_t node = nodes.begin; node < nodes.end(); ++node) {
      for (const std::uint32_t called : flow_.Calls(node)) ++Refer(called).calls;
      Use(flow_.callee(node), false);
      const Range operands = module_.nodes[node].operands;
      for (std::uint32_t i = operands.begin; i < operands.end(); ++i) Use(flow_.source(i), true);
    }
  }

 private:
  CallGraph::Reference& Refer(std::uint32_t to) {
    auto& references = entries_[subgraph_].references;
    if (referred_by_[to] != subgraph_) {
      referred_by_[to] = subgraph_;
      positions_[to] = references.size();
      references.push_back({to, 0, 0});
      entries_[to].used_by.push_back(subgraph_);
    }
    return references[positions_[to]];
  }

  void Use(const Source& source, bool operand) {
    switch (source.kind) {
      case SourceKind::kSubgraph:
        if (operand) ++Refer(source.index).values;
        return;
      case SourceKind::kNode:
        return UseFree(flow_.SubgraphOfNode(source.index), node_used_by_[source.index], source);
      case SourceKind::kParameter:
        return UseFree(flow_.SubgraphOfParameter(source.index), parameter_used_by_[source.index],
                       source);
      case SourceKind::kConstant:
      case SourceKind::kPrimitive:
      case SourceKind::kUnresolved:
        return;
    }
  }
  void UseFree(std::uint32_t owner, std::uint32_t& used_by, const Source& source) {
    if (owner == subgraph_ || used_by == subgraph_) return;
    used_by = subgraph_;
    entries_[subgraph_].free_variables.push_back(source);
  }

  const Module& module_;
  const Dataflow& flow_;
  std::vector<CallGraph::Entry>& entries_;
  std::uint32_t subgraph_ = 0;
  std::vector<std::size_t> positions_;  // Of references to each subgraph, where there is one.
  // The last subgraph that refers to each, and that uses each node or parameter of another.
  std::vector<std::uint32_t> referred_by_;
  std::vector<std::uint32_t> node_used_by_;
  std::vector<std::uint32_t> parameter_used_by_;
};

}  // namespace

CallGraph::CallGraph(const Module& module, const Dataflow& flow)
    : entries_(module.subgraphs.size()) {
  Collector collector(module, flow, entries_);
  for (std::uint32_t i = 0; i < module.subgraphs.size(); ++i) collector.Collect(i);
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t subgraph) {
    if (entries_[subgraph].reachable) return;
    entries_[subgraph].reachable = true;
    open.push_back(subgraph);
  };
  if (flow.entry() != kNoIndex) reach(flow.entry());
  while (!open.empty()) {
    const std::uint32_t subgraph = open.back();
    open.pop_back();
    for (const Reference& reference : entries_[subgraph].references) reach(reference.subgraph);
    // A value of another subgraph is computed there.
    for (const Source& source : entries_[subgraph].free_variables) {
      const std::uint32_t owner = source.kind == SourceKind::kNode
                                      ? flow.SubgraphOfNode(source.index)
                                      : flow.SubgraphOfParameter(source.index);
      if (owner != kNoIndex) reach(owner);
    }
  }
}

}  // namespace sightline::ir
