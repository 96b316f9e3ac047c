// The texts in the boxes of a drawing. Private to this folder.
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

// The content of a box besides its statements.
struct BoxContent {
  std::vector<std::uint32_t> weights;  // module.parameters that it takes, each use.
  std::vector<TextId> constants;       // Its constant operands; if there are many, some of them.
  std::map<std::string, std::uint32_t> operators;  // A group's operators with their numbers.
};

// For each box, one more constant is kept than is shown.
inline constexpr std::size_t kMaxConstants = 3;

// The title of a group: a scope's name, "@" and a subgraph's name, or the names of the first and
// the last item of a run.
std::string GroupTitle(const Module& module, const ScopeTree& tree, std::uint32_t group);

// Rows and tooltip of a box of kind kNode or kGroup.
void DescribeBox(const Module& module, const Dataflow& flow, const BoxContent& content, Box& box);

// Rows of the box for a subgraph's parameters, without weights.
std::vector<std::string> ParameterRows(const Module& module, const Dataflow& flow,
                                       std::uint32_t subgraph);

}  // namespace sightline::ir
