// Counts the boxes and edges of a picture of a tree, while its groups are opened one by one.
// Private to this folder.
//
//   BoxGraph graph(module, flow, tree);  // One box: the whole.
//   graph.Open(0);
//   if (graph.edges() > too_many) graph.Close(0);
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// It counts what the drawing builder will draw: one edge between two boxes, including those from
// the parameters of a subgraph, which have a box if the subgraph is open, and those of calls.
//
// The tree must outlive it. Parts may be added to closed groups, and items moved into them. The
// time of a call is in proportion to the uses of values in the group that it names.
class BoxGraph {
 public:
  BoxGraph(const Module& module, const Dataflow& flow, const ScopeTree& tree);

  // Boxes that stand for nodes.
  std::uint32_t boxes() const { return boxes_; }
  std::uint32_t edges() const { return edges_; }

  // REQUIRES: the group is closed and its parent is open. Its items become boxes.
  void Open(std::uint32_t group);
  // Undoes that. REQUIRES: none of its items is open.
  void Close(std::uint32_t group);

  // Chooses `count` items of a closed group that add few edges if they become boxes beside one box
  // for the rest of the group: first the item with the fewest, then the next one beside that, and
  // so on. Returns their positions in rising order.
  std::vector<std::size_t> LightestItems(std::uint32_t group, std::size_t count);

 private:
  // A leaf; after all leaves, the parameters of a group.
  using Place = std::uint32_t;

  void AddLink(Place from, Place to);
  std::vector<Place> PlacesOf(ScopeTree::Item item) const;
  std::uint32_t BoxOf(ScopeTree::Item item) const;
  void Put(const std::vector<Place>& places, std::uint32_t box);
  // The number of edges with an end at these places.
  std::uint32_t CountEdges(const std::vector<Place>& places);
  // The number of edges of an item as a box of its own.
  std::uint32_t EdgesAlone(ScopeTree::Item item);

  const ScopeTree& tree_;
  std::size_t groups_;                     // Of the tree when it had no parts.
  std::vector<std::vector<Place>> users_;  // By place.
  std::vector<std::vector<Place>> sources_;
  std::vector<std::uint32_t> box_of_;  // By place.
  std::uint32_t boxes_ = 1;
  std::uint32_t edges_ = 0;
  std::unordered_set<std::uint64_t> counted_;  // Kept for its memory.
};

}  // namespace sightline::ir
