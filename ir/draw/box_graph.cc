#include "sightline/ir/draw/box_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "sightline/ir/query/use.h"

namespace sightline::ir {

BoxGraph::BoxGraph(const Module& module, const Dataflow& flow, const ScopeTree& tree)
    : tree_(tree),
      groups_(tree.groups.size()),
      users_(tree.leaves.size() + groups_),
      sources_(users_.size()),
      box_of_(users_.size(), BoxOf({true, 0})) {
  const auto leaves = static_cast<Place>(tree.leaves.size());
  std::vector<Place> leaf_of(module.nodes.size(), kNoIndex);
  for (Place leaf = 0; leaf < leaves; ++leaf)
    for (const std::uint32_t node : tree.leaves[leaf]) leaf_of[node] = leaf;
  // By subgraph: the place at which calls of it end.
  std::vector<Place> first_of(module.subgraphs.size(), kNoIndex);
  for (std::uint32_t i = static_cast<std::uint32_t>(module.nodes.size()); i-- > 0;)
    if (leaf_of[i] != kNoIndex) first_of[flow.SubgraphOfNode(i)] = leaf_of[i];
  const auto parameters_of = [&](std::uint32_t subgraph) {
    const std::uint32_t group = subgraph == kNoIndex ? kNoIndex : tree.subgraph_groups[subgraph];
    return group == kNoIndex ? kNoIndex : leaves + group;
  };
  for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
    if (leaf_of[i] == kNoIndex) continue;
    for (const Use& use : UsesThrough(module, flow, i, tree.passed)) {
      switch (use.kind) {
        case Use::Kind::kNode:
          AddLink(leaf_of[use.index], leaf_of[i]);
          break;
        case Use::Kind::kParameter:
          AddLink(parameters_of(flow.SubgraphOfParameter(use.index)), leaf_of[i]);
          break;
        case Use::Kind::kSubgraph:
          AddLink(leaf_of[i], first_of[use.index]);
          break;
        case Use::Kind::kWeight:
        case Use::Kind::kConstant:
          break;
      }
    }
  }
}

void BoxGraph::AddLink(Place from, Place to) {
  if (from == kNoIndex || to == kNoIndex || from == to) return;
  users_[from].push_back(to);
  sources_[to].push_back(from);
}

std::uint32_t BoxGraph::BoxOf(ScopeTree::Item item) const {
  return item.index << 1U | (item.is_group ? 1U : 0U);
}

std::vector<BoxGraph::Place> BoxGraph::PlacesOf(ScopeTree::Item item) const {
  std::vector<Place> places;
  std::vector<ScopeTree::Item> items = {item};
  while (!items.empty()) {
    const ScopeTree::Item at = items.back();
    items.pop_back();
    if (!at.is_group) {
      places.push_back(at.index);
      continue;
    }
    if (at.index < groups_) places.push_back(static_cast<Place>(tree_.leaves.size()) + at.index);
    const auto& inside = tree_.groups[at.index].items;
    items.insert(items.end(), inside.begin(), inside.end());
  }
  return places;
}

void BoxGraph::Put(const std::vector<Place>& places, std::uint32_t box) {
  for (const Place place : places) box_of_[place] = box;
}

std::uint32_t BoxGraph::CountEdges(const std::vector<Place>& places) {
  counted_.clear();
  const auto count = [&](std::uint32_t from, std::uint32_t to) {
    if (from != to) counted_.insert(std::uint64_t{from} << 32U | to);
  };
  for (const Place place : places) {
    for (const Place user : users_[place]) count(box_of_[place], box_of_[user]);
    for (const Place source : sources_[place]) count(box_of_[source], box_of_[place]);
  }
  return static_cast<std::uint32_t>(counted_.size());
}

void BoxGraph::Open(std::uint32_t group) {
  const std::vector<Place> places = PlacesOf({true, group});
  edges_ -= CountEdges(places);
  // Parameters stay in a box of their own.
  for (const ScopeTree::Item& item : tree_.groups[group].items) Put(PlacesOf(item), BoxOf(item));
  if (group < groups_) {
    const auto own = static_cast<Place>(tree_.leaves.size()) + group;
    box_of_[own] = BoxOf({false, own});
  }
  edges_ += CountEdges(places);
  boxes_ += static_cast<std::uint32_t>(tree_.groups[group].items.size()) - 1;
}

void BoxGraph::Close(std::uint32_t group) {
  const std::vector<Place> places = PlacesOf({true, group});
  edges_ -= CountEdges(places);
  Put(places, BoxOf({true, group}));
  edges_ += CountEdges(places);
  boxes_ -= static_cast<std::uint32_t>(tree_.groups[group].items.size()) - 1;
}

std::uint32_t BoxGraph::EdgesAlone(ScopeTree::Item item) {
  const std::vector<Place> places = PlacesOf(item);
  const std::uint32_t before = box_of_[places.front()];
  Put(places, BoxOf(item));
  const std::uint32_t edges = CountEdges(places);
  Put(places, before);
  return edges;
}

std::vector<std::size_t> BoxGraph::LightestItems(std::uint32_t group, std::size_t count) {
  const auto& items = tree_.groups[group].items;
  using Weighed = std::pair<std::uint32_t, std::size_t>;  // Edges, position.
  std::priority_queue<Weighed, std::vector<Weighed>, std::greater<>> queue;
  for (std::size_t i = 0; i < items.size(); ++i) queue.emplace(EdgesAlone(items[i]), i);
  std::vector<std::size_t> lightest;
  while (lightest.size() < count && !queue.empty()) {
    const std::size_t position = queue.top().second;
    queue.pop();
    // Items taken since it was weighed may have added edges to it.
    const Weighed now = {EdgesAlone(items[position]), position};
    if (!queue.empty() && now > queue.top()) {
      queue.push(now);
      continue;
    }
    Put(PlacesOf(items[position]), BoxOf(items[position]));
    lightest.push_back(position);
  }
  for (const std::size_t position : lightest) Put(PlacesOf(items[position]), BoxOf({true, group}));
  std::sort(lightest.begin(), lightest.end());
  return lightest;
}

}  // namespace sightline::ir
