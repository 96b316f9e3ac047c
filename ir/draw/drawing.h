// A module as something that can be drawn: boxes, the edges between them, and clusters that
// hold boxes and clusters. Made by view.h; written by dot_printer.h and by export/.
//
// Texts are as they stand in the dump, but short; whoever writes them down escapes them. Elements
// are named by their index.
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
  kParameters,  // What a subgraph takes; stands for no statement.
};

struct Box {
  BoxKind kind = BoxKind::kNode;
  OperatorKind operator_kind = OperatorKind::kMath;  // Of a kNode.
  std::uint32_t cluster = 0;
  std::uint32_t nodes = 0;        // How many statements it stands for.
  std::uint32_t copies = 1;       // "x 12": of repeated blocks.
  std::uint32_t node = kNoIndex;  // Of a kNode: the statement, of several the first.
  std::string title;              // The operator, the scope or the subgraph.
  std::vector<std::string> rows;  // Below: constants and parameters; of a group what is in it.
  std::string tooltip;            // Lines.
};

enum class EdgeKind : std::uint8_t {
  kData,
  kOrder,  // A monad: says what comes first.
  kCall,   // From a node to the subgraph that it may call or hands on.
};

// All values that go from one box to another.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  EdgeKind kind = EdgeKind::kData;
  std::uint32_t values = 0;  // Uses of values: operands.
  std::string type;          // "Float32 (2, 4)" of the first; empty: not known.
  bool same_type = true;     // Of all of them.
  // Of a kCall to a subgraph that is a cluster: `to` is a box in it. Otherwise kNoIndex.
  std::uint32_t to_cluster = kNoIndex;
};

struct Cluster {
  std::uint32_t parent = kNoIndex;  // It stands behind its parent.
  bool is_subgraph = false;
  std::uint32_t copies = 1;
  std::string title;  // "net-Net/conv1-Conv2d"
};

struct Drawing {
  std::string title;     // What stands above it: the entry graph, unless a caller knows better.
  std::string subtitle;  // Below that, in small; may be empty.
  std::vector<Cluster> clusters;  // The first is the whole.
  std::vector<Box> boxes;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> node_boxes;  // By module.nodes: the box; kNoIndex for what is hidden.
  // Statements of the module. The boxes stand for `nodes` - `hidden` of them.
  std::uint32_t nodes = 0;
  std::uint32_t hidden = 0;
};

}  // namespace sightline::ir
