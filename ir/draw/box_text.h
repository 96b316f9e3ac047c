// What stands in the boxes of a drawing. Private to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sightline/ir/draw/drawing.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/scope_tree.h"

namespace sightline::ir {

// What a box stands for besides its statements.
struct BoxContent {
  std::vector<std::uint32_t> weights;  // module.parameters that it takes, each use.
  std::vector<TextId> constants;       // That it takes; some of them where there are many.
  std::map<std::string, std::uint32_t> operators;  // Of a group: how many there are of each.
};

// More constants are not kept for a box than are shown, and one.
inline constexpr std::size_t kMaxConstants = 3;

// A scope's name, "@" and a subgraph's, and of a run of items what its ends are called.
std::string GroupTitle(const Module& module, const ScopeTree& tree, std::uint32_t group);

// Rows and tooltip of a box of kind kNode or kGroup.
void DescribeBox(const Module& module, const Dataflow& flow, const BoxContent& content, Box& box);

// Those of the parameters of a subgraph but for weights.
std::vector<std::string> ParameterRows(const Module& module, const Dataflow& flow,
                                       std::uint32_t subgraph);

}  // namespace sightline::ir
