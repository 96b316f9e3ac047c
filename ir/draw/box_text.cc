#include "sightline/ir/draw/box_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/ir/model/label.h"
#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/type.h"
#include "sightline/ir/query/use.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kLongestTitle = 48;
constexpr std::size_t kLongestRow = 40;
constexpr std::size_t kLongestTooltip = 400;
constexpr std::size_t kMaxWeights = 2;
constexpr std::size_t kMaxParameters = 8;
constexpr std::size_t kMaxOperators = 3;

std::string NodeTooltip(const Module& module, const Dataflow& flow, std::uint32_t node) {
  const Node& of = module.nodes[node];
  const Subgraph& subgraph = module.subgraphs[flow.SubgraphOfNode(node)];
  std::string text = of.kind == CalleeKind::kReturn
                         ? "Return"
                         : fmt::format("%{} {}", of.number, module.texts[of.name]);
  text += fmt::format(" of @{}", module.texts[subgraph.name]);
  const Scope scope = FindScope(module, of);
  if (!scope.path.empty()) text += fmt::format("\nscope: {}", scope.path);
  if (const auto locations = LocationsOf(module, of); !locations.empty()) {
    if (const auto location = ParseLocation(module.texts[locations.back()]))
      text += fmt::format("\nsource: {}:{}", location->path, location->first_line);
  }
  return ShortText(text, kLongestTooltip);
}

std::string ConstantsRow(const Module& module, const std::vector<TextId>& constants) {
  std::string row;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    if (i == kMaxConstants || row.size() > kLongestRow) return row + ", …";
    row += (i > 0 ? ", " : "") + ShortValue(module.texts[constants[i]]);
  }
  return row;
}

// Each once, in the order of their first uses.
std::vector<std::uint32_t> Distinct(std::vector<std::uint32_t> weights) {
  std::set<std::uint32_t> seen;
  std::erase_if(weights, [&](std::uint32_t weight) { return !seen.insert(weight).second; });
  return weights;
}

void DescribeNode(const Module& module, const Dataflow& flow, const BoxContent& content, Box& box) {
  std::string constants = ConstantsRow(module, content.constants);
  if (!constants.empty()) box.rows.push_back(std::move(constants));
  const std::vector<std::uint32_t> weights = Distinct(content.weights);
  for (std::size_t i = 0; i < std::min(weights.size(), kMaxWeights); ++i)
    box.rows.push_back(ShortEnd(module.texts[module.parameters[weights[i]].name], kLongestRow));
  if (weights.size() > kMaxWeights)
    box.rows.push_back(fmt::format("and {} more", weights.size() - kMaxWeights));
  box.tooltip = NodeTooltip(module, flow, box.node);
}

void DescribeGroup(const Module& module, const BoxContent& content, Box& box) {
  box.rows.push_back(fmt::format("{} {}", box.nodes, box.nodes == 1 ? "node" : "nodes"));
  std::vector<std::pair<std::string, std::uint32_t>> operators(content.operators.begin(),
                                                               content.operators.end());
  std::stable_sort(operators.begin(), operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (std::size_t i = 0; i < std::min(operators.size(), kMaxOperators); ++i)
    box.rows.push_back(fmt::format("{} × {}", operators[i].second, operators[i].first));
  if (operators.size() > kMaxOperators)
    box.rows.push_back(fmt::format("and {} more kinds", operators.size() - kMaxOperators));
  const std::vector<std::uint32_t> weights = Distinct(content.weights);
  if (weights.empty()) return;
  box.tooltip = fmt::format("{} weights: {}", weights.size(),
                            module.texts[module.parameters[weights.front()].name]);
}

// The title of the first item in it that has one.
std::string ItemTitle(const Module& module, const ScopeTree& tree, ScopeTree::Item item) {
  while (item.is_group && tree.groups[item.index].title.empty())
    item = ScopeTree::Item(tree.groups[item.index].items.front());
  if (item.is_group) return GroupTitle(module, tree, item.index);
  return OperatorLabel(module, module.nodes[tree.leaves[item.index].front()]);
}

}  // namespace

std::string GroupTitle(const Module& module, const ScopeTree& tree, std::uint32_t group) {
  const ScopeTree::Group& of = tree.groups[group];
  switch (of.kind) {
    case ScopeTree::GroupKind::kScope:
      return ShortEnd(of.title, kLongestTitle);
    case ScopeTree::GroupKind::kSubgraph:
      return "@" + ShortEnd(of.title, kLongestTitle);
    case ScopeTree::GroupKind::kPart:
      if (!of.title.empty()) return ShortEnd(of.title, kLongestTitle);
      break;
  }
  return ItemTitle(module, tree, of.items.front()) + " … " +
         ItemTitle(module, tree, of.items.back());
}

void DescribeBox(const Module& module, const Dataflow& flow, const BoxContent& content, Box& box) {
  switch (box.kind) {
    case BoxKind::kNode:
      return DescribeNode(module, flow, content, box);
    case BoxKind::kGroup:
      return DescribeGroup(module, content, box);
    case BoxKind::kParameters:
      return;
  }
}

std::vector<std::string> ParameterRows(const Module& module, const Dataflow& flow,
                                       std::uint32_t subgraph) {
  std::vector<std::string> rows;
  std::size_t more = 0;
  const Range parameters = ParametersOf(module, flow, subgraph);
  for (std::uint32_t i = parameters.begin; i < parameters.end(); ++i) {
    const Parameter& parameter = module.parameters[i];
    if (IsWeight(module, parameter)) continue;
    if (rows.size() == kMaxParameters) {
      ++more;
      continue;
    }
    rows.push_back(fmt::format("{}  {}", ShortEnd(module.texts[parameter.name], kLongestRow),
                               ShortText(ShortType(module.texts[parameter.type]), kLongestRow)));
  }
  if (more > 0) rows.push_back(fmt::format("and {} more", more));
  return rows;
}

}  // namespace sightline::ir
