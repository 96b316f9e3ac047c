#include "sightline/ir/drawing_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sightline/ir/label.h"
#include "sightline/ir/location.h"
#include "sightline/ir/lookup.h"
#include "sightline/ir/type.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kLongestRow = 40;
constexpr std::size_t kLongestTitle = 48;
constexpr std::size_t kMaxConstants = 3;
constexpr std::size_t kMaxWeights = 2;
constexpr std::size_t kMaxParameters = 8;
constexpr std::size_t kMaxOperators = 3;

bool IsMonad(std::string_view type) { return type == "UMonad" || type == "IOMonad"; }

// A parameter of the network, rather than what comes in. Dumps without types know it by the dot in
// its name, which no argument has.
bool IsWeight(const Module& module, const Parameter& parameter) {
  return parameter.has_default || parameter.is_weight ||
         module.texts[parameter.type].starts_with("<Ref[") ||
         module.texts[parameter.name].find('.') != std::string_view::npos;
}

class DrawingBuilder {
 public:
  DrawingBuilder(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                 const std::vector<bool>& open)
      : module_(module),
        flow_(flow),
        tree_(tree),
        open_(open),
        group_boxes_(tree.groups.size(), kNoIndex),
        group_clusters_(tree.groups.size(), kNoIndex),
        parameter_boxes_(module.subgraphs.size(), kNoIndex) {
    drawing_.node_boxes.assign(module.nodes.size(), kNoIndex);
  }

  Drawing Build();

 private:
  // What a box does with parameters and constants, each named once.
  struct Folded {
    std::vector<std::uint32_t> weights;
    std::vector<TextId> constants;
  };

  void AddClusters();
  void AddCluster(std::uint32_t group, std::uint32_t parent);
  void AddLeaf(const std::vector<std::uint32_t>& nodes, std::uint32_t cluster);
  void AddGroup(std::uint32_t group, std::uint32_t cluster);
  std::string TitleOf(std::uint32_t group) const;
  std::string TitleOf(ScopeTree::Item item) const;
  std::uint32_t AddBox(Box box);

  void AddEdges(std::uint32_t node);
  void AddSource(std::uint32_t node, const Source& source, std::string_view type);
  void AddCall(std::uint32_t node, std::uint32_t subgraph);
  void AddParameter(std::uint32_t node, std::uint32_t parameter, const std::string& type);
  void AddEdge(std::uint32_t from, std::uint32_t to, EdgeKind kind, const std::string& type,
               std::uint32_t to_cluster = kNoIndex);
  std::uint32_t ParameterBox(std::uint32_t subgraph);

  void Describe(std::uint32_t box);
  void DescribeNode(Box& box, const Folded& folded) const;
  void DescribeGroup(std::uint32_t index);
  std::string Tooltip(std::uint32_t node) const;
  std::string_view Text(TextId id) const { return module_.texts[id]; }

  const Module& module_;
  const Dataflow& flow_;
  const ScopeTree& tree_;
  const std::vector<bool>& open_;
  Drawing drawing_;
  std::vector<std::uint32_t> group_boxes_;      // Of closed groups; of open ones a box in them.
  std::vector<std::uint32_t> group_clusters_;   // Of open groups.
  std::vector<std::uint32_t> parameter_boxes_;  // Of subgraphs that are clusters.
  std::vector<Folded> folded_;                  // By box.
  std::vector<std::map<std::string, std::uint32_t>> operators_;  // By box, of groups.
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;       // By their boxes.
};

std::uint32_t DrawingBuilder::AddBox(Box box) {
  drawing_.boxes.push_back(std::move(box));
  folded_.emplace_back();
  operators_.emplace_back();
  return static_cast<std::uint32_t>(drawing_.boxes.size() - 1);
}

// Scopes that are nested without more are written as a path.
std::string DrawingBuilder::TitleOf(std::uint32_t group) const {
  const ScopeTree::Group& of = tree_.groups[group];
  switch (of.kind) {
    case ScopeTree::GroupKind::kScope:
      return ShortEnd(of.title, kLongestTitle);
    case ScopeTree::GroupKind::kSubgraph:
      return "@" + ShortEnd(of.title, kLongestTitle);
    case ScopeTree::GroupKind::kPart:
      if (!of.title.empty()) return ShortEnd(of.title, kLongestTitle);
      break;
  }
  return TitleOf(of.items.front()) + " … " + TitleOf(of.items.back());
}

// Of the first thing in it that has a name.
std::string DrawingBuilder::TitleOf(ScopeTree::Item item) const {
  while (item.is_group && tree_.groups[item.index].title.empty())
    item = ScopeTree::Item(tree_.groups[item.index].items.front());
  if (item.is_group) return TitleOf(item.index);
  return OperatorLabel(module_, module_.nodes[tree_.leaves[item.index].front()]);
}

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
    group_boxes_[at] = index;
    for (const ScopeTree::Item& item : tree_.groups[at].items) {
      if (item.is_group) {
        inside.push_back(item.index);
        continue;
      }
      for (const std::uint32_t node : tree_.leaves[item.index]) {
        drawing_.node_boxes[node] = index;
        ++operators_[index][OperatorLabel(module_, module_.nodes[node])];
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
  // A box in each open group, where an edge to its cluster can end. Groups stand behind parents.
  for (std::size_t i = tree_.groups.size(); i-- > 0;) {
    if (group_clusters_[i] == kNoIndex || tree_.groups[i].items.empty()) continue;
    const ScopeTree::Item& first = tree_.groups[i].items.front();
    group_boxes_[i] = first.is_group ? group_boxes_[first.index]
                                     : drawing_.node_boxes[tree_.leaves[first.index].front()];
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
  // What is computed says more than an order or a call.
  if (kind < edge.kind) {
    edge.kind = kind;
    edge.type = type;
    edge.to_cluster = to_cluster;
  } else if (kind == edge.kind && edge.type != type) {
    edge.same_type = false;
  }
}

void DrawingBuilder::AddEdges(std::uint32_t node) {
  const Node& of = module_.nodes[node];
  const TypeLine* types = FindTypes(module_, of);
  for (std::uint32_t i = 0; i < of.operands.size; ++i) {
    const bool typed = types != nullptr && i < types->inputs;
    AddSource(node, flow_.source(of.operands.begin + i),
              typed ? Text(module_.types[types->begin + i]) : std::string_view());
  }
  const Source callee = flow_.callee(node);
  if (callee.kind == SourceKind::kNode || callee.kind == SourceKind::kParameter)
    AddSource(node, callee, "<Func>");
  for (const std::uint32_t subgraph : flow_.Calls(node)) AddCall(node, subgraph);
}

void DrawingBuilder::AddSource(std::uint32_t node, const Source& source, std::string_view type) {
  const std::uint32_t box = drawing_.node_boxes[node];
  switch (source.kind) {
    case SourceKind::kNode: {
      const std::string text = ShortType(type);
      AddEdge(drawing_.node_boxes[source.index], box,
              IsMonad(text) ? EdgeKind::kOrder : EdgeKind::kData, text);
      return;
    }
    case SourceKind::kParameter:
      return AddParameter(node, source.index, ShortType(type));
    case SourceKind::kSubgraph:
      return AddCall(node, source.index);
    case SourceKind::kConstant: {
      auto& constants = folded_[box].constants;
      if (constants.size() <= kMaxConstants && !Text(TextId{source.index}).ends_with("Monad[U]") &&
          !Text(TextId{source.index}).ends_with("Monad[IO]"))
        constants.push_back(TextId{source.index});
      return;
    }
    case SourceKind::kPrimitive:
    case SourceKind::kUnresolved:
      return;
  }
}

void DrawingBuilder::AddParameter(std::uint32_t node, std::uint32_t parameter,
                                  const std::string& type) {
  const std::uint32_t box = drawing_.node_boxes[node];
  const std::uint32_t subgraph = flow_.SubgraphOfParameter(parameter);
  if (IsWeight(module_, module_.parameters[parameter])) {
    auto& weights = folded_[box].weights;
    if (weights.empty() || weights.back() != parameter) weights.push_back(parameter);
    return;
  }
  if (subgraph == kNoIndex || tree_.subgraph_groups[subgraph] == kNoIndex) return;
  AddEdge(ParameterBox(subgraph), box, IsMonad(type) ? EdgeKind::kOrder : EdgeKind::kData, type);
}

// Where the parameters of a subgraph are drawn; they have a box of their own where the subgraph has
// a cluster.
std::uint32_t DrawingBuilder::ParameterBox(std::uint32_t subgraph) {
  const std::uint32_t group = tree_.subgraph_groups[subgraph];
  if (group_clusters_[group] == kNoIndex) return group_boxes_[group];
  if (parameter_boxes_[subgraph] != kNoIndex) return parameter_boxes_[subgraph];
  Box box;
  box.kind = BoxKind::kParameters;
  box.cluster = group_clusters_[group];
  box.title = subgraph == flow_.entry() ? "inputs" : "parameters";
  std::size_t more = 0;
  const Range parameters = ParametersOf(module_, flow_, subgraph);
  for (std::uint32_t i = parameters.begin; i < parameters.end(); ++i) {
    const Parameter& parameter = module_.parameters[i];
    if (IsWeight(module_, parameter)) continue;
    if (box.rows.size() == kMaxParameters) {
      ++more;
      continue;
    }
    box.rows.push_back(fmt::format("{}  {}", ShortEnd(Text(parameter.name), kLongestRow),
                                   ShortText(ShortType(Text(parameter.type)), kLongestRow)));
  }
  if (more > 0) box.rows.push_back(fmt::format("and {} more", more));
  return parameter_boxes_[subgraph] = AddBox(std::move(box));
}

void DrawingBuilder::AddCall(std::uint32_t node, std::uint32_t subgraph) {
  const std::uint32_t group = tree_.subgraph_groups[subgraph];
  if (group == kNoIndex) return;
  AddEdge(drawing_.node_boxes[node], group_boxes_[group], EdgeKind::kCall, "",
          group_clusters_[group]);
}

std::string DrawingBuilder::Tooltip(std::uint32_t node) const {
  const Node& of = module_.nodes[node];
  const Subgraph& subgraph = module_.subgraphs[flow_.SubgraphOfNode(node)];
  std::string text =
      of.kind == CalleeKind::kReturn ? "Return" : fmt::format("%{} {}", of.number, Text(of.name));
  text += fmt::format(" of @{}", Text(subgraph.name));
  const Scope scope = FindScope(module_, of);
  if (!scope.path.empty()) text += fmt::format("\nscope: {}", scope.path);
  for (std::uint32_t i = of.lines.end(); i-- > of.lines.begin;) {
    if (module_.lines[i].kind != LineKind::kLocation) continue;
    if (const auto location = ParseLocation(Text(TextId{module_.lines[i].index})))
      text += fmt::format("\nsource: {}:{}", location->path, location->first_line);
    break;
  }
  return ShortText(text, 400);
}

void DrawingBuilder::DescribeNode(Box& box, const Folded& folded) const {
  std::string constants;
  for (std::size_t i = 0; i < folded.constants.size(); ++i) {
    if (i == kMaxConstants || constants.size() > kLongestRow) {
      constants += ", …";
      break;
    }
    constants += (i > 0 ? ", " : "") + ShortValue(Text(folded.constants[i]));
  }
  if (!constants.empty()) box.rows.push_back(constants);
  for (std::size_t i = 0; i < std::min(folded.weights.size(), kMaxWeights); ++i) {
    box.rows.push_back(ShortEnd(Text(module_.parameters[folded.weights[i]].name), kLongestRow));
  }
  if (folded.weights.size() > kMaxWeights)
    box.rows.push_back(fmt::format("and {} more", folded.weights.size() - kMaxWeights));
  box.tooltip = Tooltip(box.node);
}

void DrawingBuilder::DescribeGroup(std::uint32_t index) {
  Box& box = drawing_.boxes[index];
  box.rows.push_back(fmt::format("{} {}", box.nodes, box.nodes == 1 ? "node" : "nodes"));
  std::vector<std::pair<std::string, std::uint32_t>> operators(operators_[index].begin(),
                                                               operators_[index].end());
  std::stable_sort(operators.begin(), operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (std::size_t i = 0; i < std::min(operators.size(), kMaxOperators); ++i)
    box.rows.push_back(fmt::format("{} × {}", operators[i].second, operators[i].first));
  if (operators.size() > kMaxOperators)
    box.rows.push_back(fmt::format("and {} more kinds", operators.size() - kMaxOperators));
  auto weights = folded_[index].weights;
  std::sort(weights.begin(), weights.end());
  weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
  if (!weights.empty()) {
    box.tooltip = fmt::format("{} weights: {}", weights.size(),
                              Text(module_.parameters[weights.front()].name));
  }
}

void DrawingBuilder::Describe(std::uint32_t box) {
  switch (drawing_.boxes[box].kind) {
    case BoxKind::kNode:
      return DescribeNode(drawing_.boxes[box], folded_[box]);
    case BoxKind::kGroup:
      return DescribeGroup(box);
    case BoxKind::kParameters:
      return;
  }
}

Drawing DrawingBuilder::Build() {
  AddClusters();
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
    if (drawing_.node_boxes[i] != kNoIndex) AddEdges(i);
  for (std::uint32_t i = 0; i < drawing_.boxes.size(); ++i) Describe(i);
  drawing_.nodes = static_cast<std::uint32_t>(module_.nodes.size());
  drawing_.hidden = drawing_.nodes - tree_.groups.front().nodes;
  drawing_.title = ShortText(Text(module_.header.entry), 120);
  return std::move(drawing_);
}

}  // namespace

Drawing BuildDrawing(const Module& module, const Dataflow& flow, const ScopeTree& tree,
                     const std::vector<bool>& open) {
  return DrawingBuilder(module, flow, tree, open).Build();
}

}  // namespace sightline::ir
