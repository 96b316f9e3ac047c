#include "sightline/ir/collapse.h"

#include <map>
#include <queue>
#include <span>
#include <string>
#include <utility>

#include "sightline/ir/label.h"

namespace sightline::ir {
namespace {

// A group that has too many items is cut into about so many.
constexpr std::size_t kRuns = 16;
// So many groups that are named alike are first shown as one.
constexpr std::size_t kMany = 4;

class Opener {
 public:
  Opener(ScopeTree& tree, const BoxBudget& budget,
         const std::function<bool(std::uint32_t)>& may_open)
      : tree_(tree), budget_(budget), may_open_(may_open), open_(tree.groups.size(), false) {}

  std::vector<bool> Run() {
    const bool all = CountLeaves() <= budget_.most;
    if (!all) PutAlikeTogether();
    const std::uint32_t enough = all ? budget_.most : budget_.least;
    boxes_ = 1;  // The whole, closed.
    closed_.push({tree_.groups[0].nodes, 0});
    while (boxes_ < enough) {
      if (closed_.empty()) {
        if (too_large_.empty() || boxes_ >= budget_.least) break;
        Cut(too_large_.top().index);
        too_large_.pop();
      }
      const Closed group = closed_.top();
      closed_.pop();
      if (!may_open_(group.index)) continue;
      if (Fits(group.index)) {
        Open(group.index);
      } else {
        too_large_.push(group);
      }
    }
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
  bool Fits(std::uint32_t group) const {
    return boxes_ - 1 + tree_.groups[group].items.size() <= budget_.most;
  }

  void Open(std::uint32_t group) {
    open_[group] = true;
    boxes_ += static_cast<std::uint32_t>(tree_.groups[group].items.size()) - 1;
    for (const ScopeTree::Item& item : tree_.groups[group].items)
      if (item.is_group) closed_.push({tree_.groups[item.index].nodes, item.index});
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
          together.push_back({true, AddPart(i, found->first, found->second)});
        }
      }
      tree_.groups[i].items = std::move(together);
    }
  }
  std::string PatternOf(const ScopeTree::Item& item) const {
    const ScopeTree::Group& group = tree_.groups[item.index];
    return (group.kind == ScopeTree::GroupKind::kSubgraph ? "@" : "") + NamePattern(group.title);
  }

  // Into runs of items of about equally many nodes: large items stay by themselves.
  void Cut(std::uint32_t group) {
    const std::vector<ScopeTree::Item> all = std::move(tree_.groups[group].items);
    const std::span items(all);
    const std::size_t share = tree_.groups[group].nodes / kRuns + 1;
    std::vector<ScopeTree::Item> cut;
    for (std::size_t begin = 0; begin < items.size();) {
      std::size_t end = begin;
      std::size_t nodes = 0;
      do {
        nodes += NodesOf(items[end]);
        ++end;
      } while (end < items.size() && nodes + NodesOf(items[end]) <= share);
      const auto run = items.subspan(begin, end - begin);
      cut.push_back(run.size() == 1 ? run.front() : ScopeTree::Item{true, AddPart(group, "", run)});
      begin = end;
    }
    tree_.groups[group].items = std::move(cut);
    closed_.push({tree_.groups[group].nodes, group});
  }

  std::uint32_t NodesOf(const ScopeTree::Item& item) const {
    return item.is_group ? tree_.groups[item.index].nodes
                         : static_cast<std::uint32_t>(tree_.leaves[item.index].size());
  }

  std::uint32_t AddPart(std::uint32_t parent, std::string title,
                        std::span<const ScopeTree::Item> items) {
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
    return index;
  }

  ScopeTree& tree_;
  const BoxBudget& budget_;
  const std::function<bool(std::uint32_t)>& may_open_;
  std::vector<bool> open_;
  std::uint32_t boxes_ = 0;
  std::priority_queue<Closed> closed_;
  std::priority_queue<Closed> too_large_;  // To be cut where there is nothing else to open.
};

}  // namespace

std::vector<bool> OpenGroups(ScopeTree& tree, const BoxBudget& budget,
                             const std::function<bool(std::uint32_t group)>& may_open) {
  return Opener(tree, budget, may_open).Run();
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
