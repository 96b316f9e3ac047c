#include "sightline/ir/draw/drawing_builder.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sightline/ir/draw/box_text.h"
#include "sightline/ir/model/label.h"
#include "sightline/ir/model/type.h"
#include "sightline/ir/query/use.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kLongestType = 40;

bool IsMonad(std::string_view type) { return type == "UMonad" || type == "IOMonad"; }

class DrawingBuilder {
 public:
  DrawingBuilder(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                 const std::vector<bool>& open)
      : module_(module),
        flow_(flow),
        tree_(tree),
        open_(open),
        group_clusters_(tree.groups.size(), kNoIndex),
        parameter_boxes_(tree.groups.size(), kNoIndex),
        subgraph_boxes_(module.subgraphs.size(), kNoIndex) {
    drawing_.node_boxes.assign(module.nodes.size(), kNoIndex);
  }

  Drawing Build();

 private:
  void AddClusters();
  void AddCluster(std::uint32_t group, std::uint32_t parent);
  void AddLeaf(const std::vector<std::uint32_t>& nodes, std::uint32_t cluster);
  void AddGroup(std::uint32_t group, std::uint32_t cluster);
  std::string TitleOf(std::uint32_t group) const { return GroupTitle(module_, tree_, group); }
  std::uint32_t AddBox(Box box);

  // Finds the boxes at which edges to subgraphs end.
  void FindSubgraphBoxes();
  void AddUse(std::uint32_t box, const Use& use);
  void AddCall(std::uint32_t box, std::uint32_t subgraph);
  void AddEdge(std::uint32_t from, std::uint32_t to, EdgeKind kind, const std::string& type,
               std::uint32_t to_cluster = kNoIndex);
  std::uint32_t ParameterBox(std::uint32_t subgraph);

  const Module& module_;
  const Dataflow& flow_;
  const ScopeTree& tree_;
  const std::vector<bool>& open_;
  Drawing drawing_;
  std::vector<std::uint32_t> group_clusters_;               // Of open groups.
  std::vector<std::uint32_t> parameter_boxes_;              // Of groups that are clusters.
  std::vector<std::uint32_t> subgraph_boxes_;               // That of its first node.
  std::vector<BoxContent> contents_;                        // By box.
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;  // By their boxes.
};

std::uint32_t DrawingBuilder::AddBox(Box box) {
  drawing_.boxes.push_back(std::move(box));
  contents_.emplace_back();
  return static_cast<std::uint32_t>(drawing_.boxes.size() - 1);
}

// Scopes that are nested without more are written as a path.
void DrawingBuilder::AddCluster(std::uint32_t group, std::uint32_t parent) {
  const auto index = static_cast<std::uint32_t>(drawing_.clusters.size());
  drawing_.clusters.push_back({parent, false, 1, group == 0 ? "" : TitleOf(group)});
  std::vector<std::uint32_t> joined = {group};
  const auto inner = [&](std::uint32_t of) {
    const auto& items = tree_.groups[of].items;
    const bool alone = items.size() == 1 && items[0].is_group && open_[items[0].index];
    return alone ? items[0].index : kNoIndex;
  };
  const auto is_scope = [&](std::uint32_t of) {
    return tree_.groups[of].kind == ScopeTree::GroupKind::kScope;
  };
  // The whole has no frame of its own.
  for (std::uint32_t next = group == 0 ? kNoIndex : inner(group); next != kNoIndex;
       next = inner(next)) {
    const bool path = is_scope(joined.back()) && is_scope(next);
    drawing_.clusters.back().title += (path ? "/" : "  ") + TitleOf(next);
    joined.push_back(next);
  }
  Cluster& cluster = drawing_.clusters.back();
  for (const std::uint32_t of : joined) {
    group_clusters_[of] = index;
    cluster.is_subgraph |= tree_.groups[of].kind == ScopeTree::GroupKind::kSubgraph;
    cluster.copies = std::max(cluster.copies, tree_.groups[of].copies);
  }
}

void DrawingBuilder::AddLeaf(const std::vector<std::uint32_t>& nodes, std::uint32_t cluster) {
  Box box;
  box.cluster = cluster;
  box.nodes = box.copies = static_cast<std::uint32_t>(nodes.size());
  box.node = nodes.front();
  const Node& node = module_.nodes[nodes.front()];
  box.operator_kind = KindOfOperator(module_, node);
  box.title = OperatorLabel(module_, node);
  const std::uint32_t index = AddBox(std::move(box));
  for (const std::uint32_t of : nodes) drawing_.node_boxes[of] = index;
}

// With everything in it.
void DrawingBuilder::AddGroup(std::uint32_t group, std::uint32_t cluster) {
  Box box;
  box.kind = BoxKind::kGroup;
  box.cluster = cluster;
  box.nodes = tree_.groups[group].nodes;
  box.copies = tree_.groups[group].copies;
  box.title = TitleOf(group);
  const std::uint32_t index = AddBox(std::move(box));
  std::vector<std::uint32_t> inside = {group};
  while (!inside.empty()) {
    const std::uint32_t at = inside.back();
    inside.pop_back();
    for (const ScopeTree::Item& item : tree_.groups[at].items) {
      if (item.is_group) {
        inside.push_back(item.index);
        continue;
      }
      for (const std::uint32_t node : tree_.leaves[item.index]) {
        drawing_.node_boxes[node] = index;
        ++contents_[index].operators[OperatorLabel(module_, module_.nodes[node])];
      }
    }
  }
}

void DrawingBuilder::AddClusters() {
  struct Open {
    std::uint32_t group;
    std::uint32_t parent;  // Cluster.
  };
  std::vector<Open> open = {{0, kNoIndex}};
  while (!open.empty()) {
    const auto [group, parent] = open.back();
    open.pop_back();
    // A run of items has no frame of its own.
    if (tree_.groups[group].kind == ScopeTree::GroupKind::kPart) group_clusters_[group] = parent;
    if (group_clusters_[group] == kNoIndex) AddCluster(group, parent);
    const std::uint32_t cluster = group_clusters_[group];
    const auto& items = tree_.groups[group].items;
    // The first is taken from the stack first.
    for (std::size_t i = items.size(); i-- > 0;)
      if (items[i].is_group && open_[items[i].index]) open.push_back({items[i].index, cluster});
    for (const ScopeTree::Item& item : items) {
      if (!item.is_group) {
        AddLeaf(tree_.leaves[item.index], cluster);
      } else if (!open_[item.index]) {
        AddGroup(item.index, cluster);
      }
    }
  }
}

void DrawingBuilder::FindSubgraphBoxes() {
  for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) {
    const Range nodes = module_.subgraphs[i].nodes;
    for (std::uint32_t k = nodes.begin; k < nodes.end() && subgraph_boxes_[i] == kNoIndex; ++k)
      subgraph_boxes_[i] = drawing_.node_boxes[k];
  }
}

void DrawingBuilder::AddEdge(std::uint32_t from, std::uint32_t to, EdgeKind kind,
                             const std::string& type, std::uint32_t to_cluster) {
  if (from == kNoIndex || to == kNoIndex || from == to) return;
  const auto [found, is_new] = edges_.try_emplace(
      std::uint64_t{from} << 32U | to, static_cast<std::uint32_t>(drawing_.edges.size()));
  if (is_new) {
    drawing_.edges.push_back({from, to, kind, 1, type, true, to_cluster});
    return;
  }
  Edge& edge = drawing_.edges[found->second];
  ++edge.values;
  // Data is more important than an order or a call.
  if (kind < edge.kind) {
    edge.kind = kind;
    edge.type = type;
    edge.to_cluster = to_cluster;
  } else if (kind == edge.kind && edge.type != type) {
    edge.same_type = false;
  }
}

void DrawingBuilder::AddUse(std::uint32_t box, const Use& use) {
  switch (use.kind) {
    case Use::Kind::kConstant:
      if (contents_[box].constants.size() <= kMaxConstants)
        contents_[box].constants.push_back(TextId{use.index});
      return;
    case Use::Kind::kWeight:
      contents_[box].weights.push_back(use.index);
      return;
    case Use::Kind::kSubgraph:
      return AddCall(box, use.index);
    case Use::Kind::kNode:
    case Use::Kind::kParameter:
      break;
  }
  const std::string type = ShortText(ShortType(use.type), kLongestType);
  const std::uint32_t from = use.kind == Use::Kind::kNode
                                 ? drawing_.node_boxes[use.index]
                                 : ParameterBox(flow_.SubgraphOfParameter(use.index));
  AddEdge(from, box, IsMonad(type) ? EdgeKind::kOrder : EdgeKind::kData, type);
}

// The box of a subgraph's parameters: a box of their own if the subgraph has a cluster, which
// folded subgraphs share.
std::uint32_t DrawingBuilder::ParameterBox(std::uint32_t subgraph) {
  const std::uint32_t group = subgraph == kNoIndex ? kNoIndex : tree_.subgraph_groups[subgraph];
  if (group == kNoIndex) return kNoIndex;
  if (group_clusters_[group] == kNoIndex) return subgraph_boxes_[subgraph];
  if (parameter_boxes_[group] != kNoIndex) return parameter_boxes_[group];
  Box box;
  box.kind = BoxKind::kParameters;
  box.cluster = group_clusters_[group];
  box.title = subgraph == flow_.entry() ? "inputs" : "parameters";
  box.rows = ParameterRows(module_, flow_, subgraph);
  return parameter_boxes_[group] = AddBox(std::move(box));
}

void DrawingBuilder::AddCall(std::uint32_t box, std::uint32_t subgraph) {
  const std::uint32_t group = tree_.subgraph_groups[subgraph];
  if (group == kNoIndex) return;
  AddEdge(box, subgraph_boxes_[subgraph], EdgeKind::kCall, "", group_clusters_[group]);
}

Drawing DrawingBuilder::Build() {
  AddClusters();
  FindSubgraphBoxes();
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i) {
    if (drawing_.node_boxes[i] == kNoIndex) continue;
    for (const Use& use : UsesThrough(module_, flow_, i, tree_.passed))
      AddUse(drawing_.node_boxes[i], use);
  }
  for (std::uint32_t i = 0; i < drawing_.boxes.size(); ++i)
    DescribeBox(module_, flow_, contents_[i], drawing_.boxes[i]);
  drawing_.nodes = static_cast<std::uint32_t>(module_.nodes.size());
  drawing_.hidden = drawing_.nodes - tree_.groups.front().nodes;
  drawing_.title = ShortText(module_.texts[module_.header.entry], 120);
  return std::move(drawing_);
}

}  // namespace

Drawing BuildDrawing(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                     const std::vector<bool>& open) {
  return DrawingBuilder(module, flow, tree, open).Build();
}

}  // namespace sightline::ir
