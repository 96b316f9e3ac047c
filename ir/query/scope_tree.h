// The nodes of a module as a tree of groups: scopes contain scopes and subgraphs, and subgraphs
// contain the scopes of their nodes. Pictures draw each group as a cluster or as one box.
//
// A subgraph is in the innermost scope that its nodes have in common. The entry graph, and the only
// subgraph of a file, are at the top. A scope of a single node does not become a group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

struct ScopeTree {
  enum class GroupKind : std::uint8_t {
    kScope,     // title: one component of a scope, "conv1-Conv2d".
    kSubgraph,  // title: its name.
    kPart,      // Some items of a group that had too many. title: what their names have in common,
                // or empty for a run of items.
  };
  // A group, or a leaf.
  struct Item {
    bool is_group = false;
    std::uint32_t index = 0;
  };
  struct Group {
    GroupKind kind = GroupKind::kScope;
    std::string title;
    std::uint32_t parent = kNoIndex;
    std::uint32_t copies = 1;  // How many equal groups it stands for.
    std::uint32_t nodes = 0;   // In it and below, in all copies.
    std::vector<Item> items;   // In the file's order.
  };

  std::vector<Group> groups;                       // The first is the whole.
  std::vector<std::vector<std::uint32_t>> leaves;  // One node, or the equal ones of all copies.
  std::vector<std::uint32_t> subgraph_groups;      // By subgraph; kNoIndex: nothing of it is shown.
  // By node: whether its first operand is shown in its place. Empty: for no node.
  std::vector<bool> passed = {};
};

// Scopes are followed to this depth; what is deeper is put into the last of them.
inline constexpr std::size_t kMaxScopeDepth = 24;

// The tree of the nodes that are `shown`, which is as long as module.nodes.
ScopeTree MakeScopeTree(const Module& module, const Dataflow& flow, const std::vector<bool>& shown);

}  // namespace sightline::ir
