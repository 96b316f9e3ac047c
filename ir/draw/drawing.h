// Drawing: a module as boxes, edges between them, and clusters that contain boxes and clusters.
// view.h makes it; dot_printer.h and report/ write it.
//
// Texts are those of the dump, shortened; writers must escape them. Elements are named by their
// index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/ir/model/operator_kind.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

enum class BoxKind : std::uint8_t {
  kNode,        // A statement, or the equal ones of repeated blocks.
  kGroup,       // A scope or subgraph, or a part of one, as one box.
  kParameters,  // The parameters of a subgraph; no statement.
};

struct Box {
  BoxKind kind = BoxKind::kNode;
  OperatorKind operator_kind = OperatorKind::kMath;  // Of a kNode.
  std::uint32_t cluster = 0;
  std::uint32_t nodes = 0;        // How many statements it stands for.
  std::uint32_t copies = 1;       // "x 12": of repeated blocks.
  std::uint32_t node = kNoIndex;  // Of a kNode: its (first) statement.
  std::string title;              // The operator, the scope or the subgraph.
  std::vector<std::string> rows;  // Constants and parameters; of a group, its content.
  std::string tooltip;            // Lines.
};

enum class EdgeKind : std::uint8_t {
  kData,
  kOrder,  // A monad: only fixes the order.
  kCall,   // From a node to a subgraph that it may call or passes on.
};

// All values that go from one box to another.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  EdgeKind kind = EdgeKind::kData;
  std::uint32_t values = 0;  // Uses of values: operands.
  std::string type;          // "Float32 (2, 4)" of the first; empty: not known.
  bool same_type = true;     // Of all of them.
  // If a kCall leads to a subgraph that is a cluster: the cluster; `to` is a box in it. Otherwise
  // kNoIndex.
  std::uint32_t to_cluster = kNoIndex;
};

struct Cluster {
  std::uint32_t parent = kNoIndex;  // An earlier cluster.
  bool is_subgraph = false;
  std::uint32_t copies = 1;
  std::string title;  // "net-Net/conv1-Conv2d"
};

struct Drawing {
  std::string title;              // The heading: the entry graph, unless the caller sets another.
  std::string subtitle;           // Below that, in small letters; may be empty.
  std::vector<Cluster> clusters;  // The first is the whole.
  std::vector<Box> boxes;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> node_boxes;  // The box of each of module.nodes; kNoIndex: hidden.
  // Statements of the module. The boxes stand for `nodes` - `hidden` of them.
  std::uint32_t nodes = 0;
  std::uint32_t hidden = 0;
};

}  // namespace sightline::ir
