// Reads MindSpore's .dot files as drawings: boxes, edges between them, and a cluster of boxes for
// each subgraph. docs/ir.md has the form.
//
// Values are not escaped in these files, and may contain newlines and tags. A box ends at the first
// "</table>" that ends a line. Views point into the text that was read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

inline constexpr std::uint32_t kNoCluster = UINT32_MAX;

enum class DotBoxKind : std::uint8_t {
  kNode,       // text: its name.
  kPrimitive,  // text: the operator.
  kConstant,   // text: the value; type: "Int64Imm", "Tensor", ...
  kParameter,  // text: its name. Each use has a box of its own.
  kSubgraph,   // text: its name.
};

struct DotEdge {
  std::uint32_t port = 0;  // 0: what the node calls, then its operands.
  std::uint32_t source = 0;
  std::uint32_t line = 0;  // Of the file, 1-based.
};

struct DotBox {
  DotBoxKind kind = DotBoxKind::kNode;
  std::uint32_t cluster = kNoCluster;  // Where it is drawn; of a kSubgraph: which one it is.
  std::string_view id;                 // "0x555fa708cfd0_0"
  std::string_view text;
  std::string_view type;
  std::string_view callee;  // Of a node in ModelDigraph_N.dot: the operator; ports are operands.
  std::string_view attributes;  // Of an operator: rows of "KEY VALUE<br/>".
  std::vector<DotEdge> inputs;  // Of a node, by port.

  // The object that the box stands for; all boxes of one parameter have the same.
  std::string_view address() const { return id.substr(0, id.find('_')); }
};

struct DotCluster {
  std::string_view address;
  std::string_view label;
  std::vector<std::uint32_t> nodes;          // Positions in boxes, in the order of the file.
  std::vector<std::string_view> parameters;  // Their names.
};

struct DotGraph {
  std::vector<DotBox> boxes;
  std::vector<DotCluster> clusters;
  std::vector<Problem> problems;
};

// Never fails: a line that does not belong in such a file becomes a problem.
DotGraph ScanDot(std::string_view text);

}  // namespace sightline::ir
