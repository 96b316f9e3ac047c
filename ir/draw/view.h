// Draws a module, or a part of it.
//
// Conditions choose the nodes: those of a scope, near a node, between two nodes, of the forward or
// the backward pass. They are drawn as boxes within the clusters of their scopes and subgraphs. If
// there would be too many boxes for a reader or for graphviz, scopes are collapsed to boxes.
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

// Gradients are in the scope "Gradients", or in subgraphs whose name has the mark "◂"; what the
// optimizer does with them is in the scope "Default/optimizer-...". Both are the backward pass.
enum class Pass : std::uint8_t { kBoth, kForward, kBackward };

// Nodes meet all conditions that are set. They are named as in FindNodes (lookup.h).
struct View {
  // Nodes that are in this scope or below it; "*" stands for any text.
  std::optional<std::string> scope = std::nullopt;
  Pass pass = Pass::kBoth;
  // Nodes at most `around` steps before or after this one.
  std::optional<std::string> node = std::nullopt;
  std::uint32_t around = 1;
  // Nodes that values of `from` reach, and nodes whose values reach `to`; with both, the nodes
  // between them. A call leads through the subgraph.
  std::optional<std::string> from = std::nullopt;
  std::optional<std::string> to = std::nullopt;

  // Leave out what serves only to read parameters and to keep effects in order (Bookkeeping of
  // query/use.h), unless nothing else is chosen. A value that goes through it is drawn from where
  // it comes.
  bool without_bookkeeping = false;

  // Draw repeated blocks once: equal scopes and subgraphs whose names differ only in numbers.
  bool fold = false;
  // Draw everything, however large it gets.
  bool all = false;
  // Draw scopes and subgraphs of this depth as boxes; 1 is the outermost. None: chosen by size.
  std::optional<std::uint32_t> depth = std::nullopt;
  // These scopes stay boxes; "*" stands for any text.
  std::vector<std::string> collapse = {};
};

// The nodes that a view shows, as long as module.nodes. kNotFound if the module does not have the
// node or scope that the view names, or if no node meets its conditions. Pure functions: any
// thread.
Result<std::vector<bool>> SelectNodes(const Module& module, const Dataflow& flow, const View& view);

// Errors: those of SelectNodes.
Result<Drawing> Draw(const Module& module, const Dataflow& flow, const View& view = {});

// Draws every statement as a box, and every scope and subgraph as a cluster.
Drawing DrawAll(const Module& module, const Dataflow& flow);

}  // namespace sightline::ir
