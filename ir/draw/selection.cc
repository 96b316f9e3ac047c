#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "sightline/ir/draw/view.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/query/node_filter.h"

namespace sightline::ir {
namespace {

constexpr std::uint32_t kAnyDistance = std::numeric_limits<std::uint32_t>::max();

// The nodes on the way of values. A call leads into the subgraph, at the nodes that take none of
// it, and out of it at its Return.
class Reach {
 public:
  Reach(const Module& module, const Dataflow& flow)
      : module_(module), flow_(flow), first_(module.nodes.size(), true) {
    for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
      ForEachSource(i, [&](const Source& source) {
        if (source.kind == SourceKind::kNode &&
            flow.SubgraphOfNode(source.index) == flow.SubgraphOfNode(i))
          first_[i] = false;
      });
    }
  }

  // The nodes that values of `starts` get to in at most so many steps, or that they come from.
  std::vector<bool> From(std::span<const std::uint32_t> starts, bool forward,
                         std::uint32_t distance) const {
    Search search(module_);
    for (const std::uint32_t start : starts) search.Visit(start, Way::kWithin);
    for (std::uint32_t step = 0; step < distance && !search.next.empty(); ++step) {
      for (const auto& [node, way] : std::exchange(search.next, {}))
        forward ? AddUsers(node, way, search) : AddProducers(node, way, search);
    }
    return std::move(search.seen);
  }

 private:
  // How a search came to a node: a call that was reached from its own subgraph does not lead back
  // into it.
  enum class Way : std::uint8_t { kWithin, kOutOfSubgraph };

  struct Search {
    explicit Search(const Module& module)
        : seen(module.nodes.size(), false),
          within(module.nodes.size(), false),
          crossed(module.subgraphs.size(), false) {}

    void Visit(std::uint32_t node, Way way) {
      if (way == Way::kWithin ? within[node] : seen[node]) return;
      seen[node] = true;
      if (way == Way::kWithin) within[node] = true;
      next.emplace_back(node, way);
    }

    std::vector<bool> seen;
    std::vector<bool> within;   // Those that were reached so.
    std::vector<bool> crossed;  // Subgraphs, where the way leads through their first nodes.
    std::vector<std::pair<std::uint32_t, Way>> next;
  };

  void ForEachSource(std::uint32_t node, const auto& visit) const {
    const Range operands = module_.nodes[node].operands;
    for (std::uint32_t i = operands.begin; i < operands.end(); ++i) visit(flow_.source(i));
    visit(flow_.callee(node));
  }
  // That a node calls or hands on.
  void ForEachSubgraph(std::uint32_t node, const auto& visit) const {
    for (const std::uint32_t subgraph : flow_.Calls(node)) visit(subgraph);
    ForEachSource(node, [&](const Source& source) {
      if (source.kind == SourceKind::kSubgraph) visit(source.index);
    });
  }

  void AddUsers(std::uint32_t node, Way way, Search& search) const {
    for (const std::uint32_t user : flow_.NodeUsers(node)) search.Visit(user, Way::kWithin);
    if (module_.nodes[node].kind == CalleeKind::kReturn) {
      for (const std::uint32_t user : flow_.SubgraphUsers(flow_.SubgraphOfNode(node)))
        search.Visit(user, Way::kOutOfSubgraph);
    }
    if (way == Way::kOutOfSubgraph) return;
    ForEachSubgraph(node, [&](std::uint32_t subgraph) {
      if (search.crossed[subgraph]) return;
      search.crossed[subgraph] = true;
      const Range nodes = module_.subgraphs[subgraph].nodes;
      for (std::uint32_t i = nodes.begin; i < nodes.end(); ++i)
        if (first_[i]) search.Visit(i, Way::kWithin);
    });
  }

  void AddProducers(std::uint32_t node, Way way, Search& search) const {
    ForEachSource(node, [&](const Source& source) {
      if (source.kind == SourceKind::kNode) search.Visit(source.index, Way::kWithin);
    });
    if (way == Way::kWithin) {
      ForEachSubgraph(node, [&](std::uint32_t subgraph) {
        const Range nodes = module_.subgraphs[subgraph].nodes;
        if (nodes.size > 0) search.Visit(nodes.end() - 1, Way::kWithin);
      });
    }
    const std::uint32_t own = flow_.SubgraphOfNode(node);
    if (!first_[node] || search.crossed[own]) return;
    search.crossed[own] = true;
    for (const std::uint32_t user : flow_.SubgraphUsers(own))
      search.Visit(user, Way::kOutOfSubgraph);
  }

  const Module& module_;
  const Dataflow& flow_;
  std::vector<bool> first_;  // Takes no node of its own subgraph.
};

// Gradients and the optimizer have scopes of their own, and subgraphs of gradients a mark.
bool IsBackward(const Module& module, const Dataflow& flow, std::uint32_t node) {
  const std::string_view scope = FindScope(module, module.nodes[node]).path;
  if (scope == "Gradients" || scope.starts_with("Gradients/")) return true;
  if (scope.starts_with("Default/optimizer-")) return true;
  const TextId subgraph = module.subgraphs[flow.SubgraphOfNode(node)].name;
  return module.texts[subgraph].find("◂") != std::string_view::npos;
}

class Selector {
 public:
  Selector(const Module& module, const Dataflow& flow)
      : module_(module), flow_(flow), shown_(module.nodes.size(), true) {}

  Result<std::vector<bool>> Select(const View& view) {
    if (view.scope) {
      const NodeFilter filter = {.scope = view.scope};
      Keep([&](std::uint32_t node) { return Matches(module_, flow_, node, filter); });
      if (Count() == 0)
        return Error(StatusCode::kNotFound, fmt::format("no node is in the scope {}", *view.scope));
    }
    if (view.pass != Pass::kBoth) {
      const bool backward = view.pass == Pass::kBackward;
      Keep([&](std::uint32_t node) { return IsBackward(module_, flow_, node) == backward; });
    }
    if (view.node || view.from || view.to) {
      const Reach reach(module_, flow_);
      SIGHTLINE_RETURN_IF_ERROR(KeepAround(reach, view));
      SIGHTLINE_RETURN_IF_ERROR(KeepReached(reach, view.from, true));
      SIGHTLINE_RETURN_IF_ERROR(KeepReached(reach, view.to, false));
    }
    if (Count() == 0 && !module_.nodes.empty())
      return Error(StatusCode::kNotFound, "no node meets all conditions");
    return std::move(shown_);
  }

 private:
  void Keep(const auto& condition) {
    for (std::uint32_t i = 0; i < shown_.size(); ++i) shown_[i] = shown_[i] && condition(i);
  }
  std::size_t Count() const {
    return static_cast<std::size_t>(std::count(shown_.begin(), shown_.end(), true));
  }
  Result<std::vector<std::uint32_t>> Find(const std::string& name) const {
    std::vector<std::uint32_t> nodes = FindNodes(module_, name);
    if (nodes.empty())
      return Error(StatusCode::kNotFound, fmt::format("no node is named {}", name));
    return nodes;
  }

  Status KeepAround(const Reach& reach, const View& view) {
    if (!view.node) return {};
    SIGHTLINE_ASSIGN_OR_RETURN(const auto nodes, Find(*view.node));
    const auto after = reach.From(nodes, true, view.around);
    const auto before = reach.From(nodes, false, view.around);
    Keep([&](std::uint32_t node) { return after[node] || before[node]; });
    return {};
  }
  Status KeepReached(const Reach& reach, const std::optional<std::string>& name, bool forward) {
    if (!name) return {};
    SIGHTLINE_ASSIGN_OR_RETURN(const auto nodes, Find(*name));
    const auto reached = reach.From(nodes, forward, kAnyDistance);
    Keep([&](std::uint32_t node) { return reached[node]; });
    return {};
  }

  const Module& module_;
  const Dataflow& flow_;
  std::vector<bool> shown_;
};

}  // namespace

Result<std::vector<bool>> SelectNodes(const Module& module, const Dataflow& flow,
                                      const View& view) {
  return Selector(module, flow).Select(view);
}

}  // namespace sightline::ir
