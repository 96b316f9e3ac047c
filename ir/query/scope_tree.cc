#include "sightline/ir/query/scope_tree.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sightline/ir/model/lookup.h"

namespace sightline::ir {
namespace {

using Path = std::vector<std::string_view>;

Path Split(std::string_view scope) {
  Path path;
  while (!scope.empty()) {
    const std::size_t slash =
        path.size() + 1 == kMaxScopeDepth ? std::string_view::npos : scope.find('/');
    if (slash != 0) path.push_back(scope.substr(0, slash));
    scope.remove_prefix(slash == std::string_view::npos ? scope.size() : slash + 1);
  }
  return path;
}

class TreeBuilder {
 public:
  TreeBuilder(const Module& module, const Dataflow& flow, const std::vector<bool>& shown)
      : module_(module), flow_(flow), shown_(shown) {}

  ScopeTree Build() {
    tree_.groups.emplace_back();
    tree_.subgraph_groups.assign(module_.subgraphs.size(), kNoIndex);
    for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) AddSubgraph(i);
    Count();
    Dissolve();
    return std::move(tree_);
  }

 private:
  // Nodes repeat each other's scopes.
  const Path& PathOf(std::uint32_t node) {
    const std::string_view scope = FindScope(module_, module_.nodes[node]).path;
    const auto [found, is_new] = paths_.try_emplace(scope);
    if (is_new) found->second = Split(scope);
    return found->second;
  }

  void AddSubgraph(std::uint32_t index) {
    const Subgraph& subgraph = module_.subgraphs[index];
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = subgraph.nodes.begin; i < subgraph.nodes.end(); ++i)
      if (shown_[i]) nodes.push_back(i);
    if (nodes.empty()) return;
    const bool only = module_.subgraphs.size() == 1;
    const Path base = only || index == flow_.entry() ? Path() : CommonScope(nodes);
    std::uint32_t group = 0;
    for (const std::string_view part : base) group = Scope(group, part);
    if (!only) {
      group = AddGroup(group, ScopeTree::GroupKind::kSubgraph,
                       std::string(module_.texts[subgraph.name]));
    }
    tree_.subgraph_groups[index] = group;
    for (const std::uint32_t node : nodes) AddNode(node, base, group);
  }

  // The innermost scope that all nodes are in. MindSpore puts nodes of its own into the top scope
  // alone, which say nothing; between Default and Gradients the deeper nodes decide.
  Path CommonScope(const std::vector<std::uint32_t>& nodes) {
    std::map<std::string_view, std::size_t> depths;  // By top scope, of all of its nodes.
    for (const std::uint32_t node : nodes)
      if (const Path& path = PathOf(node); !path.empty()) depths[path[0]] += path.size();
    if (depths.empty()) return {};
    const std::string_view top =
        std::max_element(depths.begin(), depths.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    Path common;
    for (const std::uint32_t node : nodes) {
      const Path& path = PathOf(node);
      if (path.size() < 2 || path[0] != top) continue;
      if (common.empty()) common = path;
      const auto [end, other] =
          std::mismatch(common.begin(), common.end(), path.begin(), path.end());
      common.erase(end, common.end());
    }
    return common.empty() ? Path{top} : common;
  }

  void AddNode(std::uint32_t node, const Path& base, std::uint32_t group) {
    const Path& path = PathOf(node);
    const bool within =
        path.size() > base.size() && std::equal(base.begin(), base.end(), path.begin());
    for (std::size_t i = base.size(); within && i < path.size(); ++i) group = Scope(group, path[i]);
    tree_.groups[group].items.push_back({false, static_cast<std::uint32_t>(tree_.leaves.size())});
    tree_.leaves.push_back({node});
  }

  std::uint32_t Scope(std::uint32_t parent, std::string_view title) {
    const auto [found, is_new] = scopes_.try_emplace({parent, title}, 0);
    if (is_new) found->second = AddGroup(parent, ScopeTree::GroupKind::kScope, std::string(title));
    return found->second;
  }

  std::uint32_t AddGroup(std::uint32_t parent, ScopeTree::GroupKind kind, std::string title) {
    const auto index = static_cast<std::uint32_t>(tree_.groups.size());
    tree_.groups.push_back({kind, std::move(title), parent, 1, 0, {}});
    tree_.groups[parent].items.push_back({true, index});
    return index;
  }

  // Groups come after their parents.
  void Count() {
    for (std::size_t i = tree_.groups.size(); i-- > 0;) {
      ScopeTree::Group& group = tree_.groups[i];
      for (const ScopeTree::Item& item : group.items) group.nodes += item.is_group ? 0 : 1;
      if (i > 0) tree_.groups[group.parent].nodes += group.nodes;
    }
  }

  // Puts the node of a scope that has no other in the place of the scope.
  void Dissolve() {
    for (ScopeTree::Group& group : tree_.groups) {
      for (ScopeTree::Item& item : group.items) {
        while (item.is_group && tree_.groups[item.index].nodes == 1 &&
               tree_.groups[item.index].kind == ScopeTree::GroupKind::kScope)
          item = ScopeTree::Item(tree_.groups[item.index].items.front());
      }
    }
  }

  const Module& module_;
  const Dataflow& flow_;
  const std::vector<bool>& shown_;
  ScopeTree tree_;
  std::unordered_map<std::string_view, Path> paths_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> scopes_;
};

}  // namespace

ScopeTree MakeScopeTree(const Module& module, const Dataflow& flow,
                        const std::vector<bool>& shown) {
  return TreeBuilder(module, flow, shown).Build();
}

}  // namespace sightline::ir
