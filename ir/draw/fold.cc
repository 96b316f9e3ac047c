#include "sightline/ir/draw/fold.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/model/label.h"

namespace sightline::ir {
namespace {

class RepeatFolder {
 public:
  RepeatFolder(const Module& module, ScopeTree& tree)
      : module_(module), tree_(tree), moved_(tree.groups.size(), kNoIndex) {}

  // Groups come after their parents: the inner ones are folded first.
  void Run() {
    shapes_.resize(tree_.groups.size());
    for (std::uint32_t i = static_cast<std::uint32_t>(tree_.groups.size()); i-- > 0;) {
      FoldItems(tree_.groups[i]);
      shapes_[i] = ShapeOf(tree_.groups[i]);
    }
    for (std::uint32_t& group : tree_.subgraph_groups)
      while (group != kNoIndex && moved_[group] != kNoIndex) group = moved_[group];
  }

 private:
  std::uint32_t Number(const std::string& text) {
    return texts_.try_emplace(text, static_cast<std::uint32_t>(texts_.size())).first->second;
  }

  // Equal numbers for groups that look the same.
  std::uint32_t ShapeOf(const ScopeTree::Group& group) {
    std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(group.kind), group.copies,
                                      Number(NamePattern(group.title))};
    for (const ScopeTree::Item& item : group.items) {
      key.push_back(item.is_group ? 1 : 0);
      if (item.is_group) {
        key.push_back(shapes_[item.index]);
        continue;
      }
      const Node& node = module_.nodes[tree_.leaves[item.index].front()];
      key.push_back(Number(NamePattern(OperatorLabel(module_, node))));
      key.push_back(node.operands.size);
    }
    return keys_.try_emplace(std::move(key), static_cast<std::uint32_t>(keys_.size()))
        .first->second;
  }

  void FoldItems(ScopeTree::Group& group) {
    std::map<std::uint32_t, std::uint32_t> firsts;  // By shape.
    const auto repeats = [&](const ScopeTree::Item& item) {
      if (!item.is_group) return false;
      const auto [first, is_new] = firsts.try_emplace(shapes_[item.index], item.index);
      if (!is_new) Merge(first->second, item.index);
      return !is_new;
    };
    // In order: the first of a shape takes the others in.
    std::vector<ScopeTree::Item> kept;
    for (const ScopeTree::Item& item : group.items)
      if (!repeats(item)) kept.push_back(item);
    group.items = std::move(kept);
  }

  // Moves the content of `from` into `to`, which has the same shape.
  void Merge(std::uint32_t to, std::uint32_t from) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {{to, from}};
    while (!pairs.empty()) {
      const auto [a, b] = pairs.back();
      pairs.pop_back();
      moved_[b] = a;
      ScopeTree::Group& into = tree_.groups[a];
      const ScopeTree::Group& other = tree_.groups[b];
      into.nodes += other.nodes;
      into.copies += other.copies;
      into.title = NamePattern(into.title);
      for (std::size_t i = 0; i < into.items.size(); ++i) {
        const std::uint32_t own = into.items[i].index;
        const std::uint32_t others = other.items[i].index;
        if (into.items[i].is_group) {
          pairs.emplace_back(own, others);
        } else {
          auto& nodes = tree_.leaves[own];
          nodes.insert(nodes.end(), tree_.leaves[others].begin(), tree_.leaves[others].end());
        }
      }
    }
  }

  const Module& module_;
  ScopeTree& tree_;
  std::vector<std::uint32_t> moved_;   // The group into which each was merged.
  std::vector<std::uint32_t> shapes_;  // By group.
  std::map<std::string, std::uint32_t> texts_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> keys_;
};

}  // namespace

void FoldRepeats(const Module& module, ScopeTree& tree) { RepeatFolder(module, tree).Run(); }

}  // namespace sightline::ir
