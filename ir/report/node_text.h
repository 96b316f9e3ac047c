// NodeText: a dump's nodes and what they refer to, as texts of one line. JSON (node_json.h) and the
// terminal show the same texts.
//
// All texts are printable (base/printable.h). Immutable: any thread may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {

class NodeText {
 public:
  // The module must outlive it.
  explicit NodeText(const Module& module) : module_(module), flow_(module) {}

  const Module& module() const { return module_; }
  const Dataflow& flow() const { return flow_; }

  // "%3(CNode_12) = Add(%1, %para1_x)". Long constants are shortened.
  std::string Statement(std::uint32_t index) const;
  // "@g %3(CNode_12)"
  std::string Name(std::uint32_t index) const;
  // "@g %3(CNode_12)", "%para1_x of @g", "@g", or a constant's text.
  std::string Name(const Source& source) const;

  // The printed types of the operands: "Float32 (2, 4)", "?" for an unknown one. Empty if the dump
  // has no types of this node.
  std::vector<std::string> OperandTypes(std::uint32_t node) const;
  // The same of the results.
  std::vector<std::string> ResultTypes(std::uint32_t node) const;
  // The first result's type; empty if it is unknown.
  std::string Result(std::uint32_t node) const;

  // The source lines of a node, from the outermost call to its own line.
  std::vector<Location> Locations(std::uint32_t node) const;
  // The node's own source line, otherwise that of its subgraph.
  std::optional<Location> OwnLocation(std::uint32_t node) const;

  std::string Text(TextId id) const;

 private:
  std::string Operands(const Node& node) const;

  const Module& module_;
  Dataflow flow_;
};

}  // namespace sightline::ir
