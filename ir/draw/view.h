// What of a module a picture shows, and how coarsely.
//
// Conditions choose nodes: those of a scope, near a node, between two, of the forward or the
// backward pass. What is left is drawn as boxes within the clusters of its scopes and subgraphs;
// scopes are collapsed to boxes as long as there would be too many for a reader, and for graphviz.
//
//   const Dataflow flow(module);
//   const Result<Drawing> drawing = Draw(module, flow, {.node = "CNode_12", .around = 2});
//   if (drawing) Write(PrintDot(*drawing));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/draw/drawing.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

// Gradients are in the scope "Gradients", or in subgraphs whose name has the mark "◂".
enum class Pass : std::uint8_t { kBoth, kForward, kBackward };

// What is left empty does not count. Nodes are named as in FindNodes (lookup.h).
struct View {
  // Nodes that are in this scope or below it; "*" stands for any text.
  std::string scope = {};
  Pass pass = Pass::kBoth;
  // Nodes at most `around` steps before or behind this one.
  std::string node = {};
  std::uint32_t around = 1;
  // Nodes that values of `from` get to, and that values get from to `to`; with both, what is
  // between. A call leads through the subgraph.
  std::string from = {};
  std::string to = {};

  // Repeated blocks as one: equal scopes and subgraphs whose names differ in their numbers only.
  bool fold = false;
  // Everything is drawn, however much it is.
  bool all = false;
  // Scopes and subgraphs as boxes that are so deep: 1 leaves the outermost. Otherwise collapsing
  // is chosen.
  std::optional<std::uint32_t> depth = std::nullopt;
  // These scopes stay boxes; "*" stands for any text.
  std::vector<std::string> collapse = {};
};

// The nodes that a view shows: as long as module.nodes. kNotFound when it names a node or scope
// that is not there, or nothing meets its conditions. Pure functions: any thread.
Result<std::vector<bool>> SelectNodes(const Module& module, const Dataflow& flow, const View& view);

// Fails as SelectNodes does.
Result<Drawing> Draw(const Module& module, const Dataflow& flow, const View& view = {});

// Every statement as a box, every scope and subgraph as a cluster.
Drawing DrawAll(const Module& module, const Dataflow& flow);

}  // namespace sightline::ir
