#include "sightline/ir/draw/collapse.h"

#include <map>
#include <queue>
#include <span>
#include <string>
#include <utility>

#include "sightline/ir/draw/box_graph.h"
#include "sightline/ir/model/label.h"

namespace sightline::ir {
namespace {

// A group that has too many items is cut into about so many.
constexpr std::size_t kRuns = 16;
// So many groups that are named alike are first shown as one.
constexpr std::size_t kMany = 4;

class Opener {
 public:
  Opener(const Module& module, const Dataflow& flow, ScopeTree& tree, const DrawingBudget& budget,
         const MayOpen& may_open)
      : tree_(tree),
        budget_(budget),
        may_open_(may_open),
        graph_(module, flow, tree),
        open_(tree.groups.size(), false) {}

  // Opens group by group.
  void Run() {
    const bool all = CountLeaves() <= budget_.most;
    if (!all) PutAlikeTogether();
    AddClosed(0);
    while (graph_.boxes() < (all ? budget_.most : budget_.least)) {
      if (closed_.empty()) {
        if (too_large_.empty() || graph_.boxes() >= budget_.least) break;
        const std::uint32_t group = too_large_.top().index;
        too_large_.pop();
        if (!OpenAsRuns(group)) OpenAsRest(group);
        continue;
      }
      const Closed group = closed_.top();
      closed_.pop();
      if (may_open_(tree_, group.index) && !OpenWhole(group.index)) too_large_.push(group);
    }
  }

  // Takes out single nodes.
  void RunWithoutScopes() {
    AddClosed(0);
    while (graph_.boxes() < budget_.least && !closed_.empty()) {
      const std::uint32_t group = closed_.top().index;
      closed_.pop();
      if (!may_open_(tree_, group)) continue;
      Flatten(group);
      OpenAsRest(group);
    }
  }

  std::uint32_t edges() const { return graph_.edges(); }
  std::vector<bool> TakeOpen() {
    open_.resize(tree_.groups.size());
    open_[0] = true;
    return std::move(open_);
  }

 private:
  struct Closed {
    std::uint32_t nodes;
    std::uint32_t index;
    // The largest first; of equal ones the first in the file.
    bool operator<(const Closed& other) const {
      return nodes != other.nodes ? nodes < other.nodes : index > other.index;
    }
  };

  std::uint32_t CountLeaves() const {
    std::uint32_t leaves = 0;
    std::vector<std::uint32_t> groups = {0};
    while (!groups.empty()) {
      const auto& items = tree_.groups[groups.back()].items;
      groups.pop_back();
      for (const ScopeTree::Item& item : items) {
        if (item.is_group) {
          groups.push_back(item.index);
        } else {
          ++leaves;
        }
      }
    }
    return leaves;
  }
  void AddClosed(std::uint32_t group) { closed_.push({tree_.groups[group].nodes, group}); }

  void Open(std::uint32_t group) {
    open_[group] = true;
    for (const ScopeTree::Item& item : tree_.groups[group].items)
      if (item.is_group) AddClosed(item.index);
  }

  // Opens the group if that fits into the budget; returns whether it did.
  bool OpenWhole(std::uint32_t group) {
    graph_.Open(group);
    const bool fits =
        graph_.boxes() <= budget_.most && graph_.edges() <= budget_.edges_per_box * graph_.boxes();
    if (fits) {
      Open(group);
    } else {
      graph_.Close(group);
    }
    return fits;
  }

  // In every group, makes one group of many that are named alike: they stand for each other.
  void PutAlikeTogether() {
    const auto groups = static_cast<std::uint32_t>(tree_.groups.size());
    for (std::uint32_t i = 0; i < groups; ++i) {
      const std::vector<ScopeTree::Item> items = std::move(tree_.groups[i].items);
      std::map<std::string, std::vector<ScopeTree::Item>> alike;  // By what they are called.
      for (const ScopeTree::Item& item : items)
        if (item.is_group) alike[PatternOf(item)].push_back(item);
      std::vector<ScopeTree::Item> together;
      for (const ScopeTree::Item& item : items) {
        const auto found = item.is_group ? alike.find(PatternOf(item)) : alike.end();
        if (found == alike.end() || found->second.size() < kMany) {
          together.push_back(item);
        } else if (found->second.front().index == item.index) {
          // In the place of the first of them.
          together.push_back(Together(i, found->first, found->second));
        }
      }
      tree_.groups[i].items = std::move(together);
    }
  }
  std::string PatternOf(const ScopeTree::Item& item) const {
    const ScopeTree::Group& group = tree_.groups[item.index];
    return (group.kind == ScopeTree::GroupKind::kSubgraph ? "@" : "") + NamePattern(group.title);
  }

  // Cut into runs of items of about equally many nodes: large items stay by themselves.
  bool OpenAsRuns(std::uint32_t group) {
    const std::vector<ScopeTree::Item> all = tree_.groups[group].items;
    const std::size_t groups = tree_.groups.size();
    const std::span items(all);
    const std::size_t share = tree_.groups[group].nodes / kRuns + 1;
    std::vector<ScopeTree::Item> runs;
    for (std::size_t begin = 0; begin < items.size();) {
      std::size_t end = begin;
      std::size_t nodes = 0;
      do {
        nodes += NodesOf(items[end]);
        ++end;
      } while (end < items.size() && nodes + NodesOf(items[end]) <= share);
      runs.push_back(Together(group, "", items.subspan(begin, end - begin)));
      begin = end;
    }
    tree_.groups[group].items = std::move(runs);
    if (OpenWhole(group)) return true;
    // Undo.
    tree_.groups.resize(groups);
    open_.resize(groups);
    for (const ScopeTree::Item& item : all)
      if (item.is_group) tree_.groups[item.index].parent = group;
    tree_.groups[group].items = all;
    return false;
  }

  // Puts what is in the scopes of a group into the group itself. Subgraphs stay.
  void Flatten(std::uint32_t group) {
    std::vector<ScopeTree::Item> flat;
    std::vector<ScopeTree::Item> items = {tree_.groups[group].items.rbegin(),
                                          tree_.groups[group].items.rend()};
    while (!items.empty()) {
      const ScopeTree::Item item = items.back();
      items.pop_back();
      if (!item.is_group || tree_.groups[item.index].kind == ScopeTree::GroupKind::kSubgraph ||
          !may_open_(tree_, item.index)) {
        flat.push_back(item);
        continue;
      }
      const auto& inside = tree_.groups[item.index].items;
      items.insert(items.end(), inside.rbegin(), inside.rend());
    }
    tree_.groups[group].items = std::move(flat);
  }

  // Opens as many items as boxes are missing; the rest becomes one box.
  void OpenAsRest(std::uint32_t group) {
    const std::vector<ScopeTree::Item> all = tree_.groups[group].items;
    const std::vector<std::size_t> out =
        graph_.LightestItems(group, budget_.least - graph_.boxes());
    std::vector<ScopeTree::Item> items;
    std::vector<ScopeTree::Item> rest;
    for (std::size_t i = 0, next = 0; i < all.size(); ++i) {
      const bool is_out = next < out.size() && out[next] == i;
      (is_out ? items : rest).push_back(all[i]);
      if (is_out) ++next;
    }
    if (!rest.empty()) items.push_back(Together(group, "the rest", rest));
    tree_.groups[group].items = std::move(items);
    graph_.Open(group);
    Open(group);
  }

  std::uint32_t NodesOf(const ScopeTree::Item& item) const {
    return item.is_group ? tree_.groups[item.index].nodes
                         : static_cast<std::uint32_t>(tree_.leaves[item.index].size());
  }

  // A part of a group; an item alone is none.
  ScopeTree::Item Together(std::uint32_t parent, std::string title,
                           std::span<const ScopeTree::Item> items) {
    if (items.size() == 1) return items.front();
    const auto index = static_cast<std::uint32_t>(tree_.groups.size());
    std::uint32_t nodes = 0;
    for (const ScopeTree::Item& item : items) {
      if (item.is_group) tree_.groups[item.index].parent = index;
      nodes += NodesOf(item);
    }
    tree_.groups.push_back({ScopeTree::GroupKind::kPart,
                            std::move(title),
                            parent,
                            1,
                            nodes,
                            {items.begin(), items.end()}});
    open_.push_back(false);
    return {true, index};
  }

  ScopeTree& tree_;
  const DrawingBudget& budget_;
  const MayOpen& may_open_;
  BoxGraph graph_;
  std::vector<bool> open_;
  std::priority_queue<Closed> closed_;
  std::priority_queue<Closed> too_large_;  // To be taken apart where nothing else is left to open.
};

}  // namespace

std::vector<bool> OpenGroups(const Module& module, const Dataflow& flow, ScopeTree& tree,
                             const DrawingBudget& budget, const MayOpen& may_open) {
  ScopeTree untouched = tree;
  Opener opener(module, flow, tree, budget, may_open);
  opener.Run();
  if (opener.edges() <= budget.most_edges) return opener.TakeOpen();
  Opener flat(module, flow, untouched, budget, may_open);
  flat.RunWithoutScopes();
  if (flat.edges() >= opener.edges()) return opener.TakeOpen();
  std::vector<bool> open = flat.TakeOpen();
  tree = std::move(untouched);
  return open;
}

std::vector<bool> OpenToDepth(const ScopeTree& tree, std::uint32_t depth) {
  std::vector<bool> open(tree.groups.size(), false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> groups = {{0, 0}};
  while (!groups.empty()) {
    const auto [group, level] = groups.back();
    groups.pop_back();
    open[group] = true;
    if (level + 1 >= depth) continue;
    for (const ScopeTree::Item& item : tree.groups[group].items)
      if (item.is_group) groups.emplace_back(item.index, level + 1);
  }
  return open;
}

}  // namespace sightline::ir
