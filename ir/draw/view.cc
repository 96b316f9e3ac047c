#include "sightline/ir/draw/view.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sightline/ir/draw/collapse.h"
#include "sightline/ir/draw/drawing_builder.h"
#include "sightline/ir/draw/fold.h"
#include "sightline/ir/query/node_filter.h"
#include "sightline/ir/query/scope_tree.h"
#include "sightline/ir/query/use.h"

namespace sightline::ir {
namespace {

// "Default/net-Net/conv1-Conv2d" of a group, with the scopes that it is in.
std::string ScopePath(const ScopeTree& tree, std::uint32_t group) {
  std::string path;
  for (; group != kNoIndex; group = tree.groups[group].parent) {
    if (tree.groups[group].kind != ScopeTree::GroupKind::kScope || group == 0) continue;
    if (!path.empty()) path.insert(0, 1, '/');
    path.insert(0, tree.groups[group].title);
  }
  return path;
}

bool IsCollapsed(const ScopeTree& tree, std::uint32_t group, const View& view) {
  if (view.collapse.empty() || group == 0) return false;
  const std::string path = ScopePath(tree, group);
  return std::any_of(view.collapse.begin(), view.collapse.end(),
                     [&](const std::string& pattern) { return MatchesPattern(pattern, path); });
}

std::vector<bool> OpenGroups(const Module& module, const Dataflow& flow, ScopeTree& tree,
                             const View& view) {
  const auto may_open = [&](const ScopeTree& of, std::uint32_t group) {
    return !IsCollapsed(of, group, view);
  };
  if (!view.all && !view.depth) return OpenGroups(module, flow, tree, DrawingBudget(), may_open);
  std::vector<bool> open =
      view.all ? std::vector<bool>(tree.groups.size(), true) : OpenToDepth(tree, *view.depth);
  for (std::uint32_t i = 0; i < open.size(); ++i) open[i] = open[i] && may_open(tree, i);
  return open;
}

}  // namespace

Result<Drawing> Draw(const Module& module, const Dataflow& flow, const View& view) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<bool> shown, SelectNodes(module, flow, view));
  std::vector<bool> passed;
  if (view.without_bookkeeping) {
    passed = Bookkeeping(module, flow);
    std::vector<bool> others = shown;
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = others[i] && !passed[i];
    if (std::find(others.begin(), others.end(), true) != others.end()) {
      shown = std::move(others);
    } else {
      passed.clear();
    }
  }
  ScopeTree tree = MakeScopeTree(module, flow, shown);
  tree.passed = std::move(passed);
  if (view.fold) FoldRepeats(module, tree);
  const std::vector<bool> open = OpenGroups(module, flow, tree, view);
  return BuildDrawing(module, flow, tree, open);
}

Drawing DrawAll(const Module& module, const Dataflow& flow) {
  const ScopeTree tree = MakeScopeTree(module, flow, std::vector<bool>(module.nodes.size(), true));
  return BuildDrawing(module, flow, tree, std::vector<bool>(tree.groups.size(), true));
}

}  // namespace sightline::ir
