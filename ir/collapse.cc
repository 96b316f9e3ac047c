#include "sightline/ir/collapse.h"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

namespace sightline::ir {
namespace {

class Opener {
 public:
  Opener(ScopeTree& tree, const BoxBudget& budget,
         const std::function<bool(std::uint32_t)>& may_open)
      : tree_(tree), budget_(budget), may_open_(may_open), open_(tree.groups.size(), false) {}

  std::vector<bool> Run() {
    boxes_ = 1;  // The whole, closed.
    closed_.push({tree_.groups[0].nodes, 0});
    while (!closed_.empty() && boxes_ < Enough()) {
      const Closed group = closed_.top();
      closed_.pop();
      if (!Fits(group.index)) {
        too_large_.push_back(group.index);
        if (!closed_.empty()) continue;
      } else if (may_open_(group.index)) {
        Open(group.index);
      }
      if (closed_.empty() && boxes_ < budget_.least && !too_large_.empty()) {
        Cut(too_large_.front());
        too_large_.erase(too_large_.begin());
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

  std::uint32_t Enough() const {
    return tree_.groups[0].nodes <= budget_.most ? budget_.most : budget_.least;
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

  // Into as many runs as there is room for, of about equally many items.
  void Cut(std::uint32_t group) {
    const std::vector<ScopeTree::Item> items = std::move(tree_.groups[group].items);
    const std::size_t runs = (budget_.least + budget_.most) / 2 - boxes_ + 1;
    std::vector<ScopeTree::Item> cut;
    for (std::size_t i = 0; i < runs; ++i) {
      const std::size_t begin = items.size() * i / runs;
      const std::size_t end = items.size() * (i + 1) / runs;
      if (end - begin > 1) {
        cut.push_back({true, AddPart(group, std::span(items).subspan(begin, end - begin))});
      } else if (end > begin) {
        cut.push_back(items[begin]);
      }
    }
    tree_.groups[group].items = std::move(cut);
    if (may_open_(group)) Open(group);
  }

  std::uint32_t AddPart(std::uint32_t parent, std::span<const ScopeTree::Item> items) {
    const auto index = static_cast<std::uint32_t>(tree_.groups.size());
    std::uint32_t nodes = 0;
    for (const ScopeTree::Item& item : items) {
      if (item.is_group) tree_.groups[item.index].parent = index;
      nodes += item.is_group ? tree_.groups[item.index].nodes
                             : static_cast<std::uint32_t>(tree_.leaves[item.index].size());
    }
    tree_.groups.push_back(
        {ScopeTree::GroupKind::kPart, "", parent, 1, nodes, {items.begin(), items.end()}});
    open_.push_back(false);
    return index;
  }

  ScopeTree& tree_;
  const BoxBudget& budget_;
  const std::function<bool(std::uint32_t)>& may_open_;
  std::vector<bool> open_;
  std::uint32_t boxes_ = 0;
  std::priority_queue<Closed> closed_;
  std::vector<std::uint32_t> too_large_;  // The largest first.
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
    if (level == depth) continue;
    for (const ScopeTree::Item& item : tree.groups[group].items)
      if (item.is_group) groups.emplace_back(item.index, level + 1);
  }
  return open;
}

}  // namespace sightline::ir
